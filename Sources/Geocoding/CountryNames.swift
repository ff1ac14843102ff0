/// The names of the countries of the world in many languages.
///
/// Each country has a line with its ISO 3166-1 codes and its English name. The indented lines below contain its other
/// names: in English, in its own languages and scripts, in forty widely used languages, and all of these without
/// accents. All names are in canonical form, so that a program starts without folding thousands of names.
///
/// No spelling occurs twice. If several countries share a spelling, a code has priority over a name, English over other
/// languages, and a name over one without its accents (`ao` is Angola, though Austria is `áo` in Vietnamese). A
/// spelling shared by equals (`kongo`) is left out.
///
/// The table is frozen, and never read from the machine's own locale data, because stored hashes depend on it. A
/// spelling may be added only together with a new version of the recipe (see `AddressHash`).
///
/// The names come from the Unicode Common Locale Data Repository (CLDR), © 1991 onwards Unicode, Inc., used under the
/// Unicode License v3: https://www.unicode.org/license.txt. The colloquial, official and old names are ours.
enum CountryNames {
    static let table = """
        AD|AND|Andorra
         andorre|andora|андора|андорра|ανδόρα|أندورا|אנדורה|آندورا|एंडोरा|安道尔|安道爾|アンドラ|안도라|อันดอร์รา|ανδορα|اندورا
         principat d'andorra|principality of andorra|principauté d'andorre|principaute dandorre
        AE|ARE|United Arab Emirates
         uae|the united arab emirates|emirates|الإمارات العربية المتحدة|vereinigte arabische emirate
         émirats arabes unis|emiratos árabes unidos|emirati arabi uniti|emirados árabes unidos
         verenigde arabische emiraten|förenade arabemiraten|de forenede arabiske emirater
         de forente arabiske emirater|arabiemiirikunnat|sameinuðu arabísku furstadæmin|araabia ühendemiraadid
         apvienotie arābu emirāti|jungtiniai arabų emyratai|zjednoczone emiraty arabskie|spojené arabské emiráty
         združeni arabski emirati|ujedinjeni arapski emirati|уједињени арапски емирати|egyesült arab emírségek
         emiratele arabe unite|обединени арабски емирства|об'єднані арабські емірати|оаэ|ηνωμένα αραβικά εμιράτα
         birleşik arap emirlikleri|emirats àrabs units|איחוד האמירויות הערביות|امارات متحدهٔ عربی|संयुक्त अरब अमीरात
         阿拉伯联合酋长国|阿拉伯聯合大公國|アラブ首長国連邦|아랍에미리트|các tiểu vương quốc ả rập thống nhất|สหรัฐอาหรับเอมิเรตส์|uni emirat arab
         الامارات العربية المتحدة|emirats arabes unis|emiratos arabes unidos|emirados arabes unidos
         forenade arabemiraten|sameinudu arabisku furstadaemin|araabia uhendemiraadid|apvienotie arabu emirati
         jungtiniai arabu emyratai|spojene arabske emiraty|zdruzeni arabski emirati|egyesult arab emirsegek
         ηνωμενα αραβικα εμιρατα|birlesik arap emirlikleri|emirats arabs units|امارات متحده عربی
         cac tieu vuong quoc a rap thong nhat
         الإمارات|الامارات|دولة الإمارات العربية المتحدة|دولة الامارات العربية المتحدة|vae|متحدہ عرب امارات
        AF|AFG|Afghanistan
         افغانستان|afganistán|afeganistão|afganistan|afganistāna|afganistanas|afghánistán|авганистан|afganisztán
         афганистан|афганістан|αφγανιστάν|أفغانستان|אפגניסטן|अफ़ग़ानिस्तान|阿富汗|アフガニスタン|아프가니스탄|อัฟกานิสถาน|afeganistao
         afganistana|afganisztan|αφγανισταν
         د افغانستان اسلامي امارت|د افغانستان اسلامي جمهوریت|جمهوری اسلامی افغانستان|امارت اسلامی افغانستان|afġānistān
         islamic republic of afghanistan|islamic emirate of afghanistan|owganystan
        AG|ATG|Antigua and Barbuda
         antigua & barbuda|antigua y barbuda|antigua und barbuda|antigua-et-barbuda|antigua e barbuda
         antígua e barbuda|antigua en barbuda|antigua och barbuda|antigua og barbuda|antigua ja barbuda
         antígva og barbúda|antigva un barbuda|antigva ir barbuda|antigua i barbuda|antigua a barbuda
         antigva in barbuda|antigva i barbuda|антигва и барбуда|antigua és barbuda|antigua și barbuda
         антигуа и барбуда|антигуа і барбуда|αντίγκουα και μπαρμπούντα|antigua ve barbuda|أنتيغوا وبربودا
         אנטיגואה וברבודה|آنتیگوا و باربودا|एंटिगुआ और बरबुडा|安提瓜和巴布达|安地卡及巴布達|アンティグア バーブーダ|앤티가 바부다|antigua và barbuda
         แอนติกาและบาร์บูดา|antigua dan barbuda|antigva og barbuda|antigua es barbuda|antigua si barbuda
         αντιγκουα και μπαρμπουντα|انتيغوا وبربودا|انتیگوا و باربودا|antigua va barbuda
        AI|AIA|Anguilla
         anguila|angvilla|angilja|angilija|angvila|ангвила|ангуила|ангілья|ангилья|ανγκουίλα|أنغويلا|אנגווילה
         آنگویلا|एंग्विला|安圭拉|安奎拉|アンギラ|앵귈라|แองกวิลลา|ανγκουιλα|انغويلا|انگویلا
        AL|ALB|Albania
         shqipëri|albanien|albanie|albânia|albanië|albanía|albaania|albānija|albanija|albánie|albánsko|албанија
         albánia|албания|албанія|αλβανία|arnavutluk|albània|ألبانيا|אלבניה|آلبانی|अल्बानिया|阿尔巴尼亚|阿爾巴尼亞|アルバニア|알바니아
         แอลเบเนีย|shqiperi|albansko|αλβανια|البانيا|البانی
         shqipëria|shqiperia|republika e shqipërisë|republika e shqiperise|republic of albania
        AM|ARM|Armenia
         հայաստան|armenien|arménie|armênia|armenië|armenía|armeenia|armēnija|armėnija|arménsko|armenija|јерменија
         örményország|армения|вірменія|αρμενία|ermenistan|armènia|أرمينيا|ארמניה|ارمنستان|आर्मेनिया|亚美尼亚|亞美尼亞|アルメニア
         아르메니아|อาร์เมเนีย|armenie|armensko|ormenyorszag|αρμενια|ارمينيا
         հայաստանի հանրապետություն|hayastan|republic of armenia|республика армения
        AO|AGO|Angola
         angóla|ангола|αγκόλα|أنغولا|אנגולה|آنگولا|अंगोला|安哥拉|アンゴラ|앙골라|แองโกลา|αγκολα|انغولا|انگولا
         república de angola|republica de angola|republic of angola|ngola
        AQ|ATA|Antarctica
         antarktis|antarctique|antártida|antartide|suðurskautslandið|antarktika|antarktida|antarktyda|antarktída
         антарктик|antarktisz|антарктика|антарктида|ανταρκτική|antàrtida|أنتاركتيكا|אנטארקטיקה|جنوبگان|अंटार्कटिका|南极洲
         南極洲|南極|남극 대륙|nam cực|แอนตาร์กติกา|antartida|sudurskautslandid|ανταρκτικη|انتاركتيكا|nam cuc
        AR|ARG|Argentina
         argentinien|argentine|argentinië|argentiina|argentína|argentīna|argentyna|аргентина|аржентина|αργεντινή
         arjantin|الأرجنتين|ארגנטינה|آرژانتین|अर्जेंटीना|阿根廷|アルゼンチン|아르헨티나|อาร์เจนตินา|argentinie|αργεντινη|الارجنتين
         ارژانتین
         república argentina|republica argentina|argentine republic
        AS|ASM|American Samoa
         amerikanisch-samoa|samoa américaines|samoa americana|samoa americane|amerikaans-samoa|amerikanska samoa
         amerikansk samoa|amerikan samoa|bandaríska samóa|ameerika samoa|asv samoa|amerikos samoa
         samoa amerykańskie|americká samoa|ameriška samoa|američka samoa|америчка самоа|amerikai szamoa
         samoa americană|американска самоа|американське самоа|американское самоа|αμερικανική σαμόα
         amerikan samoasi|ساموا الأمريكية|סמואה האמריקנית|ساموآی امریکا|अमेरिकी समोआ|美属萨摩亚|美屬薩摩亞|米領サモア|아메리칸 사모아
         samoa thuộc mỹ|อเมริกันซามัว|samoa amerika|samoa americaines|bandariska samoa|samoa amerykanskie
         americka samoa|ameriska samoa|αμερικανικη σαμοα|ساموا الامريكية|ساموای امریکا|samoa thuoc my
         amerika sāmoa|amerika samoa
        AT|AUT|Austria
         österreich|autriche|áustria|oostenrijk|österrike|østrig|østerrike|itävalta|austurríki|austrija|rakousko
         rakúsko|avstrija|аустрија|ausztria|австрия|австрія|αυστρία|avusturya|àustria|النمسا|אוסטריה|اتریش|ऑस्ट्रिया|奥地利
         奧地利|オーストリア|오스트리아|áo|ออสเตรีย|osterreich|osterrike|ostrig|itavalta|austurriki|rakusko|αυστρια
         republik österreich|republik osterreich|republic of austria|oesterreich
        AU|AUS|Australia
         australien|australie|austrália|australië|ástralía|austraalia|austrālija|australija|austrálie|avstralija
         аустралија|ausztrália|австралия|австралія|αυστραλία|avustralya|austràlia|أستراليا|אוסטרליה|استرالیا|ऑस्ट्रेलिया
         澳大利亚|澳洲|オーストラリア|오스트레일리아|ออสเตรเลีย|astralia|ausztralia|αυστραλια|استراليا
         commonwealth of australia
        AW|ABW|Aruba
         arúba|аруба|αρούμπα|أروبا|ארובה|آروبا|अरूबा|阿鲁巴|荷屬阿魯巴|アルバ|아루바|อารูบา|αρουμπα|اروبا
        AX|ALA|Åland Islands
         åland|ålandinseln|îles åland|islas aland|isole åland|ilhas aland|ahvenanmaa|álandseyjar|ahvenamaa
         olandes salas|alandų salos|wyspy alandzkie|ålandy|alandy|ålandski otoki|ålandski otoci|оландска острва
         åland-szigetek|insulele åland|оландски острови|аландські острови|аландские о-ва|νήσοι όλαντ|åland adalari
         illes åland|جزر آلاند|איי אולנד|جزایر آلاند|एलैंड द्वीपसमूह|奥兰群岛|奧蘭群島|オーランド諸島|올란드 제도|quần đảo åland|หมู่เกาะโอลันด์
         kepulauan aland|aland islands|aland|alandinseln|iles aland|isole aland|alandseyjar|alandu salos
         alandski otoki|alandski otoci|aland szigetek|insulele aland|νησοι ολαντ|aland adalari|illes aland
         جزر الاند|جزایر الاند|quan dao aland
         landskapet åland|landskapet aland|ahvenanmaan maakunta|aaland
        AZ|AZE|Azerbaijan
         азәрбајҹан|azərbaycan|aserbaidschan|azerbaïdjan|azerbaiyán|azerbaigian|azerbaijão|azerbeidzjan
         azerbajdzjan|aserbajdsjan|azerbaidžan|aserbaídsjan|aserbaidžaan|azerbaidžāna|azerbaidžanas|azerbejdżan
         ázerbájdžán|azerbajdžan|азербејџан|azerbajdzsán|azerbaidjan|азербайджан|αζερμπαϊτζάν|azerbaycan|أذربيجان
         אזרבייג ן|جمهوری آذربایجان|अज़रबैजान|阿塞拜疆|亞塞拜然|アゼルバイジャン|아제르바이잔|อาเซอร์ไบจาน|azerbaiyan|azerbaijao|azerbaidzan
         aserbaidsjan|aserbaidzaan|azerbaidzana|azerbaidzanas|azerbejdzan|azerbajdzan|azerbajdzsan|азербаиджан
         αζερμπαιτζαν|اذربيجان|جمهوری اذربایجان
         azərbaycan respublikasi|azerbaijan republic|republic of azerbaijan|азербайджанская республика
         азербаиджанская республика
        BA|BIH|Bosnia and Herzegovina
         bosnia|bosnia herzegovina|bosnia & herzegovina|босна и херцеговина|bosna i hercegovina
         bosnien und herzegowina|bosnie-herzégovine|bosnia y herzegovina|bosnia ed erzegovina|bósnia e herzegovina
         bosnië en herzegovina|bosnien och hercegovina|bosnien-hercegovina|bosnia-hercegovina
         bosnia ja hertsegovina|bosnía og hersegóvína|bosnia ja hertsegoviina|bosnija un hercegovina
         bosnija ir hercegovina|bośnia i hercegowina|bosna a hercegovina|bosna in hercegovina|bosznia-hercegovina
         bosnia și herțegovina|боснія і герцеговина|босния и герцеговина|βοσνία - ερζεγοβίνη|bosna-hersek
         bòsnia i hercegovina|البوسنة والهرسك|בוסניה והרצגובינה|بوسنی و هرزگوین|बोस्निया और हर्ज़ेगोविना|波斯尼亚和黑塞哥维那|波士尼亞與赫塞哥維納
         ボスニア ヘルツェゴビナ|보스니아 헤르체고비나|bosnia và herzegovina|บอสเนียและเฮอร์เซโกวีนา|bosnia dan herzegovina
         bosnie herzegovine|bosnia e herzegovina|bosnie en herzegovina|bosnia og hersegovina|bosnia i hercegowina
         bosnia si hertegovina|βοσνια ερζεγοβινη|bosnia i hercegovina|bosnia va herzegovina
         бих|bosna|federacija bosne i hercegovine|republika srpska
        BB|BRB|Barbados
         barbade|barbadosa|barbadosas|барбадос|μπαρμπέιντοσ|بربادوس|ברבדוס|باربادوس|बारबाडोस|巴巴多斯|巴貝多|バルバドス|바베이도스
         บาร์เบโดส|μπαρμπειντοσ
        BD|BGD|Bangladesh
         বাংলাদেশ|𑄝𑄁𑄣𑄘𑄬𑄌𑄴|bangladesch|bangladés|bangladess|bangladeša|bangladešas|bangladesz|bangladéš|bangladeš
         бангладеш|banglades|μπανγκλαντέσ|bangladeş|بنغلاديش|בנגלדש|بنگلادش|बांग्लादेश|孟加拉国|孟加拉|バングラデシュ|방글라데시|บังกลาเทศ
         bangladesa|bangladesas|μπανγκλαντεσ
         গণপ্রজাতন্ত্রী বাংলাদেশ|people's republic of bangladesh
        BE|BEL|Belgium
         belgien|belgique|belgië|bélgica|belgio|belgia|belgía|beļģija|belgija|belgie|belgicko|белгија|белгия
         бельгія|бельгия|βέλγιο|belçika|bèlgica|بلجيكا|בלגיה|بلژیک|बेल्जियम|比利时|比利時|ベルギー|벨기에|bỉ|เบลเยียม
         königreich belgien|belgica|βελγιο|belcika|konigreich belgien
         koninkrijk belgië|koninkrijk belgie|royaume de belgique|kingdom of belgium|belgië/belgique|belgie belgique
         belgique/belgië|belgique belgie|belgië - belgique
        BF|BFA|Burkina Faso
         𞤦𞤵𞤪𞤳𞤭𞤲𞤢 𞤬𞤢𞤧𞤮𞥅|burkibaa faaso|burquina faso|búrkína fasó|burkina fasas|буркина фасо|буркіна-фасо
         μπουρκίνα φάσο|بوركينا فاسو|בורקינה פאסו|بورکینافاسو|बुर्किना फ़ासो|布基纳法索|布吉納法索|ブルキナファソ|부르키나파소|บูร์กินาฟาโซ
         μπουρκινα φασο
         burkina|burukina faso
        BG|BGR|Bulgaria
         българия|bulgarien|bulgarie|bulgária|bulgarije|búlgaría|bulgaaria|bulgārija|bulgarija|bułgaria|bulharsko
         bolgarija|bugarska|бугарска|болгарія|болгария|βουλγαρία|bulgaristan|bulgària|بلغاريا|בולגריה|بلغارستان
         बुल्गारिया|保加利亚|保加利亞|ブルガリア|불가리아|บัลแกเรีย|βουλγαρια
         република българия|republic of bulgaria|balgariya|bălgarija|balgarija
        BH|BHR|Bahrain
         البحرين|bahreïn|baréin|bahrein|barein|bahreina|bahreinas|bahrajn|бахреин|бахрейн|μπαχρέιν|bahreyn|בחריין
         بحرین|बहरीन|巴林|バーレーン|바레인|บาห์เรน|μπαχρειν
         مملكة البحرين|kingdom of bahrain|al bahrayn
        BI|BDI|Burundi
         uburundi|búrúndí|burundija|burundis|бурунди|бурунді|μπουρούντι|بوروندي|בורונדי|بوروندی|बुरुंडी|布隆迪|蒲隆地|ブルンジ
         부룬디|บุรุนดี|μπουρουντι
         republika y'uburundi|république du burundi|republique du burundi|republic of burundi
        BJ|BEN|Benin
         benɛɛ|bénin|bɛ̀nɛ̀|benín|benina|beninas|бенин|бенін|μπενίν|بنين|בנין|بنین|बेनिन|贝宁|貝南|ベナン|베냉|เบนิน|bɛnɛ|μπενιν
         république du bénin|republique du benin|republic of benin|bẹ̀nẹ̀
        BL|BLM|Saint Barthélemy
         st barthélemy|san bartolomé|são bartolomeu|sankti bartólómeusareyjar|senbartelmī|sen bartelemi
         svatý bartoloměj|svätý bartolomej|свети бартоломеј|сен бартелеми|сен-бартелемі|άγιοσ βαρθολομαίοσ
         saint barthelemy|سان بارتليمي|סנט ברתולומיאו|سن بارتلمی|सेंट बार्थेलेमी|圣巴泰勒米|聖巴瑟米|サン バルテルミー|생바르텔레미|เซนต์บาร์เธเลมี
         st barthelemy|san bartolome|sao bartolomeu|sankti bartolomeusareyjar|senbartelmi|svaty bartolomej
         αγιοσ βαρθολομαιοσ
        BM|BMU|Bermuda
         bermudas|bermudes|bermúdaeyjar|bermudu salas|bermudy|bermudi|бермуди|бермудски острови|бермудські острови
         бермудские о-ва|βερμούδεσ|برمودا|ברמודה|बरमूडा|百慕大|百慕達|バミューダ|버뮤다|เบอร์มิวดา|bermudaeyjar|βερμουδεσ
        BN|BRN|Brunei
         brunei darussalam|بروني|brunéi|brúnei|bruneja|brunėjus|brunej|брунеј|бруней даруссалам|бруней|μπρουνέι
         بروناي|ברוניי|برونئی|ब्रूनेई|文莱|汶萊|ブルネイ|브루나이|บรูไน|brunejus|брунеи даруссалам|брунеи|μπρουνει|برونيی
         negara brunei darussalam|نڬارا بروني دارالسلام
        BO|BOL|Bolivia
         plurinational state of bolivia|bolivien|bolivie|bolívia|bólivía|boliivia|bolīvija|bolivija|boliwia
         bolívie|боливија|боливия|болівія|βολιβία|bolivya|بوليفيا|בוליביה|بولیوی|बोलीविया|玻利维亚|玻利維亞|ボリビア|볼리비아|โบลิเวีย
         βολιβια
         estado plurinacional de bolivia|buliwya|wuliwya|volívia|volivia|bolivia plurinational state of
         república de bolivia|republica de bolivia
        BQ|BES|Caribbean Netherlands
         bonaire|bonaire sint eustatius and saba|bonaire sint eustatius & saba|caribe neerlandés
         caribisch nederland|karibische niederlande|pays-bas caribéens|caraibi olandesi|países baixos caribenhos
         karibiska nederländerna|de tidligere nederlandske antiller|karibisk nederland|karibian alankomaat
         karíbahafshluti hollands|kariibi madalmaad|nīderlandes karību salas|karibų nyderlandai
         niderlandy karaibskie|karibské nizozemsko|karibské holandsko|nizozemski karibi|karipski otoci nizozemske
         карипска холандија|holland karib-térség|insulele caraibe olandeze|карибска нидерландия
         карибські нідерланди|бонэйр синт-эстатиус и саба|ολλανδία καραϊβικήσ|karayip hollandasi|carib neerlandès
         هولندا الكاريبية|האיים הקריביים ההולנדיים|جزایر کارائیب هلند|कैरिबियन नीदरलैंड|荷属加勒比区|荷蘭加勒比區|オランダ領カリブ|네덜란드령 카리브
         ca-ri-bê hà lan|เนเธอร์แลนด์แคริบเบียน|belanda karibia|caribe neerlandes|pays bas caribeens
         paises baixos caribenhos|karibiska nederlanderna|karibahafshluti hollands|niderlandes karibu salas
         karibu nyderlandai|karibske nizozemsko|karibske holandsko|holland karib terseg
         бонэир синт эстатиус и саба|ολλανδια καραιβικησ|carib neerlandes|جزایر کارايیب هلند|ca ri be ha lan
        BR|BRA|Brazil
         brasil|mrasir|brasiu|brasilien|brésil|brasile|brazilië|brasilia|brasilía|brasiilia|brazīlija|brazilija
         brazylia|brazílie|brazília|бразил|brazilia|бразилия|бразилія|βραζιλία|brezilya|البرازيل|ברזיל|برزیل|ब्राज़ील
         巴西|ブラジル|브라질|บราซิล|república federativa do brasil|bresil|brazilie|βραζιλια|republica federativa do brasil
         federative republic of brazil
        BS|BHS|Bahamas
         the bahamas|bahama|bahamaeyjar|bahamu salas|bahamos|bahamy|bahami|бахами|bahama-szigetek|бахамски острови
         багамські острови|багамы|μπαχάμεσ|bahamalar|bahames|جزر البهاما|איי בהאמה|باهاما|बहामास|巴哈马|巴哈馬|バハマ|바하마
         บาฮามาส|μπαχαμεσ
        BT|BTN|Bhutan
         འབྲུག|bhoutan|bután|butão|bútan|butāna|butanas|bhútán|bhután|butan|бутан|μπουτάν|بوتان|בהוטן|भूटान|不丹|ブータン|부탄
         ภูฏาน|butao|butana|μπουταν
         འབྲུག ཡུལ|འབྲུག རྒྱལ ཁབ|druk yul|kingdom of bhutan|भुटान
        BV|BVT|Bouvet Island
         bouvetinsel|île bouvet|isla bouvet|isola bouvet|ilha bouvet|bouveteiland|bouvetön|bouvetøen|bouvetøya
         bouvet'nsaari|bouveteyja|bouvet' saar|buvē sala|buvė sala|wyspa bouveta|bouvetův ostrov|bouvetov ostrov
         bouvetov otok|otok bouvet|острво буве|bouvet-sziget|insula bouvet|остров буве|острів буве|о-в буве
         νήσοσ μπουβέ|bouvet adasi|illa bouvet|جزيرة بوفيه|האי בובה|جزیرهٔ بووه|बोवेत द्वीप|布韦岛|布威島|ブーベ島|부베섬|đảo bouvet
         เกาะบูเว|pulau bouvet|ile bouvet|bouveton|bouvetoen|bouvetoya|buve sala|bouvetuv ostrov|νησοσ μπουβε
         جزیره بووه|dao bouvet
        BW|BWA|Botswana
         botsuana|botsvana|botsvāna|bocvana|боцвана|ботсвана|μποτσουάνα|بوتسوانا|בוטסואנה|बोत्स्वाना|博茨瓦纳|波札那|ボツワナ|보츠와나
         บอตสวานา|μποτσουανα
         lefatshe la botswana|republic of botswana|rephaboliki ya botswana
        BY|BLR|Belarus
         беларусь|biélorussie|bielorrusia|bielorussia|bielorrússia|valko-venäjä|hvíta-rússland|valgevene
         baltkrievija|baltarusija|białoruś|bělorusko|bielorusko|belorusija|bjelorusija|белорусија|belarusz|беларус
         білорусь|λευκορωσία|belarús|بيلاروس|בלארוס|بلاروس|बेलारूस|白俄罗斯|白俄羅斯|ベラルーシ|벨라루스|เบลารุส|bielorussie
         bielorrussia|valko venaja|hvita russland|bialorus|belorusko|λευκορωσια
         рэспубліка беларусь|республика беларусь|белоруссия|bielaruś|bielarus|byelorussia|republic of belarus
         weissrussland|wit-rusland|vitryssland|hviderusland|hviterussland|fehéroroszország|feheroroszorszag|białorus
        BZ|BLZ|Belize
         belice|belís|beliza|belizas|белизе|белиз|беліз|μπελίζ|بليز|בליז|بلیز|बेलीज़|伯利兹|貝里斯|ベリーズ|벨리즈|เบลีซ|belis
         μπελιζ
        CA|CAN|Canada
         ᑳᓇᑕ|canadá|ᑲᓇᑕᒥ|kanada|kanāda|канада|καναδάσ|canadà|كندا|קנדה|کانادا|कनाडा|加拿大|カナダ|캐나다|แคนาดา|καναδασ
         dominion of canada|ᑲᓇᑕ
        CC|CCK|Cocos (Keeling) Islands
         cocos islands|keeling islands|kokosinseln|îles cocos|islas cocos|isole cocos keeling|ilhas cocos keeling
         cocoseilanden|kokosöarna|cocosøerne|kokosøyene|kookossaaret keelingsaaret|kókoseyjar keeling|kookossaared
         kokosu kīlinga salas|kokosų kilingo salos|wyspy kokosowe|kokosové ostrovy|kokosovi otoki
         kokosovi keelingovi otoci|кокосова килингова острва|kókusz keeling -szigetek|insulele cocos keeling
         кокосови острови острови кийлинг|кокосові кілінг острови|кокосовые о-ва|νήσοι κόκοσ κίλινγκ
         cocos keeling adalari|illes cocos keeling|جزر كوكوس كيلينغ|איי קוקוס קילינג|جزایر کوکوس|कोकोस कीलिंग द्वीपसमूह
         科科斯 基林 群岛|科克斯 基靈 群島|ココス キーリング 諸島|코코스 제도|quần đảo cocos keeling|หมู่เกาะโคโคส คีลิง|kepulauan cocos keeling
         iles cocos|kokosoarna|cocosoerne|kokosoyene|kokoseyjar keeling|kokosu kilinga salas|kokosu kilingo salos
         kokosove ostrovy|kokusz keeling szigetek|кокосови острови острови киилинг|νησοι κοκοσ κιλινγκ
         quan dao cocos keeling
        CD|COD|DR Congo
         drc|democratic republic of the congo|democratic republic of congo|congo-kinshasa|congo drc
         congo democratic republic of the|zaire|republíki ya kongó demokratíki|ditunga wa kongu
         jamhuri ya kidemokrasia ya kongo|kongo-kinshasa|república democrática del congo
         kongon demokraattinen tasavalta|kongó-kinshasa|kongo dv|kongo kinšasa|kongas-kinšasa
         demokratyczna republika konga|konžská demokratická republika|demokratična republika kongo|конго - киншаса
         конго - кіншаса|κονγκό - κινσάσα|kongo - kinşasa|الكونغو - كينشاسا|קונגו - קינשאסה|کنگو - کینشاسا
         कांगो - किंशासा|刚果 金|剛果 金夏沙|コンゴ民主共和国 キンシャサ|콩고-킨샤사|คองโก - กินชาซา|republiki ya kongo demokratiki
         republica democratica del congo|kongo kinsasa|kongas kinsasa|konzska demokraticka republika
         demokraticna republika kongo|κονγκο κινσασα
         rdc|république démocratique du congo|republique democratique du congo|république démocratique du congo rdc
         republique democratique du congo rdc|congo the democratic republic of the|zaïre|demokratische republik kongo
         dr kongo|congo dr|congo rdc
        CF|CAF|Central African Republic
         car|république centrafricaine|repibiki ya afríka ya káti|ködörösêse tî bêafrîka
         zentralafrikanische republik|república centroafricana|repubblica centrafricana
         centraal-afrikaanse republiek|centralafrikanska republiken|den centralafrikanske republik
         den sentralafrikanske republikk|keski-afrikan tasavalta|mið-afríkulýðveldið|kesk-aafrika vabariik
         centrālāfrikas republika|centrinės afrikos respublika|republika środkowoafrykańska
         středoafrická republika|stredoafrická republika|srednjeafriška republika|srednjoafrička republika
         централноафричка република|közép-afrikai köztársaság|republica centrafricană
         централноафриканска република|центральноафриканська республіка|центрально-африканская республика
         κεντροαφρικανική δημοκρατία|orta afrika cumhuriyeti|república centreafricana|جمهورية أفريقيا الوسطى
         הרפובליקה המרכז-אפריקאית|جمهوری افریقای مرکزی|मध्य अफ़्रीकी गणराज्य|中非共和国|中非共和國|中央アフリカ共和国|중앙 아프리카 공화국
         cộng hòa trung phi|สาธารณรัฐแอฟริกากลาง|republik afrika tengah|republique centrafricaine
         repibiki ya afrika ya kati|kodorosese ti beafrika|republica centroafricana|mid afrikulydveldid
         centralafrikas republika|centrines afrikos respublika|republika srodkowoafrykanska
         stredoafricka republika|srednjeafriska republika|srednjoafricka republika|kozep afrikai koztarsasag
         republica centrafricana|κεντροαφρικανικη δημοκρατια|republica centreafricana|جمهورية افريقيا الوسطى
         cong hoa trung phi
         centrafrique|bêafrîka|beafrika
        CG|COG|Republic of the Congo
         congo-brazzaville|congo republic|kongo-brazzaville|congo|república do congo|kongon tasavalta
         kongó-brazzaville|kongo vabariik|kongo brazavila|kongas-brazavilis|konžská republika|конго - бразавил
         конго - браззавіль|конго - браззавиль|κονγκό - μπραζαβίλ|kongo - brazavil|الكونغو - برازافيل
         קונגו - ברזאויל|کنگو - برازویل|कांगो - ब्राज़ाविल|刚果 布|剛果 布拉薩|コンゴ共和国 ブラザビル|콩고-브라자빌|คองโก - บราซซาวิล
         republica do congo|konzska republika|κονγκο μπραζαβιλ
         république du congo|republique du congo|republic of congo|republik kongo|repubilika ya kôngo
         repubilika ya kongo|republíki ya kongó|republiki ya kongo
        CH|CHE|Switzerland
         swiss confederation|confoederatio helvetica|schweiz|suisse|schwiiz|svizzera|suíça|svizra|schwiz|suiza
         zwitserland|sveits|sveitsi|sviss|šveits|šveice|šveicarija|szwajcaria|švýcarsko|švajčiarsko|švica
         švicarska|швајцарска|svájc|elveția|швейцария|швейцарія|ελβετία|isviçre|suïssa|سويسرا|שווייץ|سوئیس|स्विट्ज़रलैंड
         瑞士|スイス|스위스|thụy sĩ|สวิตเซอร์แลนด์|swiss|schweizerische eidgenossenschaft|confédération suisse
         confederazione svizzera|suica|sveice|sveicarija|svycarsko|svajciarsko|svica|svicarska|svajc|elvetia
         швеицария|швеицарія|ελβετια|isvicre|suissa|سويیس|thuy si|confederation suisse
         confederaziun svizra|suisse/schweiz|suisse schweiz
        CI|CIV|Ivory Coast
         elfenbeinküste|elfenbeinkuste|costa de marfil|costa d'avorio|costa do marfim|ivoorkust|elfenbenskusten|elfenbenskysten|norsunluurannikko|wybrzeże kości słoniowej|pobřeží slonoviny|pobrežie slonoviny
         côte d'ivoire|fílabeinsströndin|elevandiluurannik|kotdivuāra|dramblio kaulo krantas|slonokoščena obala
         обала слоноваче кот д'ивоар|кот д'ивоар|кот-д'івуар|кот-д'ивуар|ακτή ελεφαντοστού|ساحل العاج|חוף השנהב
         ساحل عاج|कोत दीवुआर|科特迪瓦|象牙海岸|コートジボワール|코트디부아르|โกตดิวัวร์|cote divoire|filabeinsstrondin|kotdivuara
         slonokoscena obala|ακτη ελεφαντοστου
         république de côte d'ivoire|republique de cote divoire|republic of côte d'ivoire|republic of cote divoire
        CK|COK|Cook Islands
         cookinseln|îles cook|islas cook|isole cook|ilhas cook|cookeilanden|cooköarna|cookøerne|cookøyene
         cookinsaaret|cooks-eyjar|cooki saared|kuka salas|kuko salos|wyspy cooka|cookovy ostrovy|cookove ostrovy
         cookovi otoki|cookovi otoci|кукова острва|cook-szigetek|insulele cook|острови кук|острови кука|о-ва кука
         νήσοι κουκ|cook adalari|illes cook|جزر كوك|איי קוק|جزایر کوک|कुक द्वीपसमूह|库克群岛|庫克群島|クック諸島|쿡 제도|quần đảo cook
         หมู่เกาะคุก|kepulauan cook|iles cook|cookoarna|cookoerne|cookoyene|νησοι κουκ|quan dao cook
         kūki 'āirani|kuki airani
        CL|CHL|Chile
         chili|cile|síle|tšiili|čīle|čilė|čile|чиле|чили|чилі|χιλή|şili|xile|تشيلي|צ ילה|شیلی|चिली|智利|チリ|칠레|ชิลี|sile
         tsiili|χιλη|sili
         república de chile|republica de chile|republic of chile
        CM|CMR|Cameroon
         kàmàlûŋ|kàmɛ̀rûn|cameroun|kamərún|𞤳𞤢𞤥𞤢𞤪𞤵𞥅𞤲|kameruun|kamɛlûn|kamɛrun|kamɛrún|kamalun|kameruŋ|kamerun|kàmalûm
         kemelún|camerún|camerun|camarões|kameroen|kamerún|kamerūna|kamerūnas|камерун|καμερούν|الكاميرون|קמרון
         کامرون|कैमरून|喀麦隆|喀麥隆|カメルーン|카메룬|แคเมอรูน|kamaluŋ|kamərun|kamɛlun|kamalum|kemelun|camaroes|kameruna|kamerunas
         καμερουν
         république du cameroun|republique du cameroun|republic of cameroon
        CN|CHN|China
         中国|중국|الصين|סין|चीन|chine|cina|κίνα|κινα|çin|cin|chiny|čína|čina|trung quốc|trung quoc|จีน|tiongkok
         people's republic of china|prc|pr china|p r of china|mainland china|china mainland|རྒྱ ནག|ꍏꇩ|중국 본토|جۇڭگو
         中国大陆|中國|cunghgoz|中國大陸|china festland|chine continentale|china continental|cina continentale
         china vasteland|kina fastlandet|kiina manner-|kína|hiina|ķīna|kinija|chiny kontynentalne
         čína - kontinentální|čína - kontinentálna|kitajska|kina kontinentalna|кина|kína - kontinentális
         china continentală|китай|китай материковий|китай континентальный|κίνα ηπειρωτική|çin ana karasi
         xina continental|بر الصين الرئيسي|סין היבשתית|چین|चीन मुख्यभूमि|中国本土|trung quốc đại lục|จีนแผ่นดินใหญ่
         tiongkok daratan|中华人民共和国|中華人民共和國|kina|cina kontinentalni|cina kontinentalna|kina kontinentalis
         china continentala|китаи|китаи материковии|китаи континентальныи|κινα ηπειρωτικη|cin ana karasi
         بر الصين الرييسي|trung quoc dai luc
         volksrepublik china|vr china|république populaire de chine|republique populaire de chine
         república popular china|republica popular china|república popular de china|republica popular de china
         zhongguo|zhōngguó|china people's republic of|ཀྲུང གོ|جۇڭخۇا خەلق جۇمھۇرىيىتى|cunghvaz yinzminz gunghozgoz
         хятад
        CO|COL|Colombia
         kurũbiya|kolumbien|colombie|colômbia|kolumbia|kólumbía|kolumbija|kolumbie|колумбија|columbia|колумбия
         колумбія|κολομβία|kolombiya|colòmbia|كولومبيا|קולומביה|کلمبیا|कोलंबिया|哥伦比亚|哥倫比亞|コロンビア|콜롬비아|โคลอมเบีย|kolombia
         kurubiya|κολομβια
         república de colombia|republica de colombia|republic of colombia
        CR|CRI|Costa Rica
         kostaríka|kostarika|kostaryka|костарика|κόστα ρίκα|كوستاريكا|קוסטה ריקה|کاستاریکا|कोस्टा रीका|哥斯达黎加|哥斯大黎加|コスタリカ
         코스타리카|คอสตาริกา|κοστα ρικα
         república de costa rica|republica de costa rica|republic of costa rica
        CU|CUB|Cuba
         kuba|kuuba|kúba|куба|κούβα|küba|كوبا|קובה|کوبا|क्यूबा|古巴|キューバ|쿠바|คิวบา|κουβα
         república de cuba|republica de cuba|republic of cuba
        CV|CPV|Cape Verde
         cabo verde|kabu verdi|cap-vert|capo verde|kaapverdië|kap verde|kapp verde|grænhöfðaeyjar|roheneemesaared
         kaboverde|žaliasis kyšulys|republika zielonego przylądka|kapverdy|zelenortski otoki|zelenortska republika
         зеленортска острва|zöld-foki köztársaság|capul verde|кабо верде|πράσινο ακρωτήριο|cap verd|الرأس الأخضر
         כף ורדה|کیپورد|केप वर्ड|佛得角|維德角|カーボベルデ|카보베르데|เคปเวิร์ด|tanjung verde|kaapverdie|graenhofdaeyjar
         zaliasis kysulys|republika zielonego przyladka|zold foki koztarsasag|πρασινο ακρωτηριο|الراس الاخضر
         república de cabo verde|republica de cabo verde|cape verde islands
        CW|CUW|Curaçao
         curazao|curaçau|curacao|kirasao|kiurasao|курасао|кюрасао|κουρασάο|كوراساو|קוראסאו|کوراسائو|कुरासाओ|库拉索|庫拉索
         キュラソー|퀴라소|คูราเซา|curacau|κουρασαο|کوراسايو
         kòrsou|korsou|land curaçao|land curacao|pais kòrsou|pais korsou
        CX|CXR|Christmas Island
         weihnachtsinsel|île christmas|isla de navidad|isola christmas|ilha christmas|christmaseiland|julön
         juleøen|christmasøya|joulusaari|jólaey|jõulusaar|ziemsvētku sala|kalėdų sala|wyspa bożego narodzenia
         vánoční ostrov|vianočný ostrov|božični otok|božićni otok|божићно острво|karácsony-sziget|insula christmas
         остров рождество|острів різдва|о-в рождества|νήσοσ των χριστουγέννων|christmas adasi|illa christmas
         جزيرة كريسماس|אי חג המולד|جزیرهٔ کریسمس|क्रिसमस द्वीप|圣诞岛|聖誕島|クリスマス島|크리스마스섬|đảo giáng sinh|เกาะคริสต์มาส
         pulau natal|ile christmas|julon|juleoen|christmasoya|jolaey|joulusaar|ziemsvetku sala|kaledu sala
         wyspa bozego narodzenia|vanocni ostrov|vianocny ostrov|bozicni otok|karacsony sziget
         νησοσ των χριστουγεννων|جزیره کریسمس|dao giang sinh
         pulau krismas
        CY|CYP|Cyprus
         κύπροσ|kibris|zypern|chypre|chipre|cipro|cypern|kypros|kýpur|küpros|kipra|kipras|cypr|kypr|ciper|cipar
         кипар|ciprus|cipru|кипър|кіпр|кипр|xipre|قبرص|קפריסין|قبرس|साइप्रस|塞浦路斯|賽普勒斯|キプロス|키프로스|síp|ไซปรัส|siprus
         κυπροσ|kypur|kupros|sip
         κυπριακή δημοκρατία|κυπριακη δημοκρατια|kibris cumhuriyeti|republic of cyprus|kuzey kibris türk cumhuriyeti
         kuzey kibris turk cumhuriyeti|kktc|northern cyprus|trnc
        CZ|CZE|Czechia
         czech republic|česko|tschechien|tchéquie|chequia|cechia|tchéquia|tsjechië|tjeckien|tjekkiet|tsjekkia
         tšekki|tékkland|tšehhi|čehija|čekija|czechy|češka|чешка|csehország|cehia|чехия|чехія|τσεχία|çekya|txèquia
         التشيك|צ כיה|چک|चेकिया|捷克|チェコ|체코|séc|เช็ก|ceko|česká republika|tschechische republik|république tchèque
         república checa|repubblica ceca|tsjechische republiek|cesko|tchequie|tchequia|tsjechie|tsekki|tekkland
         tsehhi|cehija|cekija|ceska|csehorszag|τσεχια|cekya|txequia|sec|ceska republika|republique tcheque
         republica checa
         čr|česká rep|ceska rep|čechy|cechy|czech rep|čechia
        DE|DEU|Germany
         federal republic of germany|brd|deutschland|nimska|němska|doütschland|düütschland|allemagne|alemania
         germania|alemanha|duitsland|tyskland|saksa|þýskaland|saksamaa|vācija|vokietija|niemcy|německo|nemecko
         nemčija|njemačka|немачка|németország|германия|німеччина|γερμανία|almanya|alemanya|ألمانيا|גרמניה|آلمان
         जर्मनी|德国|德國|ドイツ|독일|đức|เยอรมนี|jerman|bundesrepublik deutschland|br deutschland|nemska|doutschland
         duutschland|thyskaland|vacija|nemcija|njemacka|nemetorszag|γερμανια|المانيا|المان|duc
         teutschland|république fédérale d'allemagne|republique federale dallemagne|dútslân|dutslan
        DJ|DJI|Djibouti
         جيبوتي|jabuuti|dschibuti|yibuti|gibuti|djibuti|djíbútí|džibutija|džibutis|dżibuti|džibutsko|džibuti
         џибути|dzsibuti|джибути|джибуті|τζιμπουτί|cibuti|ג יבוטי|جیبوتی|जिबूती|吉布提|吉布地|ジブチ|지부티|จิบูตี|jibuti|dzibutija
         dzibutis|dzibuti|dzibutsko|τζιμπουτι
         république de djibouti|republique de djibouti|جمهورية جيبوتي|gabuuti|jabuutiya
        DK|DNK|Denmark
         danmark|dänemark|danemark|dinamarca|danimarca|denemarken|tanska|danmörk|taani|dānija|danija|dania|dánsko
         danska|данска|dánia|danemarca|дания|данія|δανία|danimarka|الدانمرك|דנמרק|دانمارک|डेनमार्क|丹麦|丹麥|デンマーク|덴마크
         đan mạch|เดนมาร์ก|danmork|dansko|δανια|dan mach
         kongeriget danmark|kingdom of denmark
        DM|DMA|Dominica
         dominique|dóminíka|dominika|доминика|домініка|ντομίνικα|دومينيكا|דומיניקה|دومینیکا|डोमिनिका|多米尼克|ドミニカ国|도미니카
         โดมินิกา|ντομινικα
         commonwealth of dominica|wai'tu kubuli
        DO|DOM|Dominican Republic
         república dominicana|dominikanische republik|république dominicaine|repubblica dominicana
         dominicaanse republiek|dominikanska republiken|den dominikanske republik|den dominikanske republikk
         dominikaaninen tasavalta|dóminíska lýðveldið|dominikaani vabariik|dominikāna|dominikos respublika
         dominikana|dominikánská republika|dominikánska republika|dominikanska republika|доминиканска република
         dominikai köztársaság|republica dominicană|домініканська республіка|доминиканская республика
         δομινικανή δημοκρατία|dominik cumhuriyeti|جمهورية الدومينيكان|הרפובליקה הדומיניקנית|جمهوری دومینیکن
         डोमिनिकन गणराज्य|多米尼加共和国|多明尼加共和國|ドミニカ共和国|도미니카 공화국|cộng hòa dominica|สาธารณรัฐโดมินิกัน|republik dominika
         republica dominicana|republique dominicaine|dominiska lydveldid|dominikai koztarsasag
         δομινικανη δημοκρατια|cong hoa dominica
         rep dominicana|rep dom|dominican rep
        DZ|DZA|Algeria
         الجزائر|algérie|lezzayer|algerien|argelia|argélia|algerije|algeriet|algerie|alsír|alžeeria|alžīrija
         alžyras|algieria|alžírsko|alžirija|alžir|алжир|algéria|αλγερία|cezayir|algèria|אלג יריה|الجزایر|अल्जीरिया
         阿尔及利亚|阿爾及利亞|アルジェリア|알제리|แอลจีเรีย|aljazair|الجزاير|alsir|alzeeria|alzirija|alzyras|alzirsko|alzir|αλγερια
         الجمهورية الجزائرية الديمقراطية الشعبية|الجمهورية الجزايرية الديمقراطية الشعبية|dzayer|ⴷⵣⴰⵢⴻⵔ|ⵍⵣⵣⴰⵢⵔ
         république algérienne démocratique et populaire|republique algerienne democratique et populaire
         people's democratic republic of algeria|el djazaïr|el djazair|ⴷⵣⴰⵢⵔ
        EC|ECU|Ecuador
         équateur|equador|ekvador|ekvadora|ekvadoras|ekwador|ekvádor|еквадор|эквадор|ισημερινόσ|الإكوادور|אקוודור
         اکوادور|इक्वाडोर|厄瓜多尔|厄瓜多|エクアドル|에콰도르|เอกวาดอร์|ekuador|equateur|ισημερινοσ|الاكوادور
         república del ecuador|republica del ecuador|republic of ecuador|ikwadur
        EE|EST|Estonia
         eesti|estland|estonie|estônia|viro|eistland|igaunija|estija|estonsko|estónsko|estonija|естонија
         észtország|естония|естонія|эстония|εσθονία|estonya|estònia|إستونيا|אסטוניה|استونی|एस्टोनिया|爱沙尼亚|愛沙尼亞|エストニア
         에스토니아|เอสโตเนีย|esztorszag|εσθονια|استونيا
         eesti vabariik|republic of estonia
        EG|EGY|Egypt
         مصر|ägypten|égypte|egipto|egitto|egito|egypte|egypten|egypti|egyptaland|egiptus|ēģipte|egiptas|egipt
         egipat|египат|egyiptom|египет|єгипет|αίγυπτοσ|misir|egipte|מצרים|मिस्र|埃及|エジプト|이집트|ai cập|อียิปต์|mesir|agypten
         αιγυπτοσ|ai cap
         جمهورية مصر العربية|arab republic of egypt|جمهوريه مصر العربيه
        EH|ESH|Western Sahara
         الصحراء الغربية|westsahara|sahara occidental|sáhara occidental|sahara occidentale|saara ocidental
         westelijke sahara|västsahara|vestsahara|länsi-sahara|vestur-sahara|lääne-sahara|rietumsahāra
         vakarų sachara|sahara zachodnia|západní sahara|západná sahara|zahodna sahara|zapadna sahara
         западна сахара|nyugat-szahara|sahara occidentală|західна сахара|западная сахара|δυτική σαχάρα|bati sahra
         sàhara occidental|סהרה המערבית|صحرای غربی|पश्चिमी सहारा|西撒哈拉|西サハラ|서사하라|tây sahara|ซาฮาราตะวันตก|sahara barat
         vastsahara|lansi sahara|laane sahara|rietumsahara|vakaru sachara|zapadni sahara|sahara occidentala
         δυτικη σαχαρα|tay sahara
         الجمهورية العربية الصحراوية الديمقراطية|sahrawi arab democratic republic|república árabe saharaui democrática
         republica arabe saharaui democratica
        ER|ERI|Eritrea
         إريتريا|ኤርትራ|érythrée|eritreia|erítrea|eritreja|eritrėja|erytrea|еритреја|eritreea|еритрея|эритрея
         ερυθραία|eritre|אריתריאה|اریتره|इरिट्रिया|厄立特里亚|厄利垂亞|エリトリア|에리트리아|เอริเทรีย|اريتريا|erythree|ερυθραια
         ሃገረ ኤርትራ|إرتريا|ارتريا|state of eritrea|ertra
        ES|ESP|Spain
         kingdom of spain|españa|espanya|espainia|espanha|spanien|espagne|spagna|spanje|spania|espanja|spánn
         hispaania|spānija|ispanija|hiszpania|španělsko|španielsko|španija|španjolska|шпанија|spanyolország
         испания|іспанія|ισπανία|ispanya|إسبانيا|ספרד|اسپانیا|स्पेन|西班牙|スペイン|스페인|tây ban nha|สเปน|spanyol
         reino de españa|espana|spann|spanija|spanelsko|spanielsko|spanjolska|spanyolorszag|ισπανια|اسبانيا
         tay ban nha|reino de espana
         estado español|estado espanol|regne d'espanya|islas canarias|canarias
        ET|ETH|Ethiopia
         ኢትዮጵያ|itoophiyaa|itoobiya|äthiopien|éthiopie|etiopía|etiopia|etiópia|ethiopië|etiopien|eþíópía|etioopia
         etiopija|etiopie|етиопија|етиопия|ефіопія|эфиопия|αιθιοπία|etiyopya|etiòpia|إثيوبيا|אתיופיה|اتیوپی|इथियोपिया
         埃塞俄比亚|衣索比亞|エチオピア|에티오피아|เอธิโอเปีย|athiopien|ethiopie|αιθιοπια|اثيوبيا
         የኢትዮጵያ ፌዴራላዊ ዴሞክራሲያዊ ሪፐብሊክ|itiyoophiyaa|ityop'ia|federal democratic republic of ethiopia
        FI|FIN|Finland
         suomi|suopma|suomâ|finnland|finlande|finlandia|finlândia|soome|somija|suomija|finsko|fínsko|finska|финска
         finnország|finlanda|финландия|фінляндія|финляндия|φινλανδία|finlandiya|finlàndia|فنلندا|פינלנד|فنلاند
         फ़िनलैंड|芬兰|芬蘭|フィンランド|핀란드|phần lan|ฟินแลนด์|suomen tasavalta|suoma|finnorszag|φινλανδια|phan lan
         republiken finland|republic of finland|suomi-finland|suomi/finland
        FJ|FJI|Fiji
         fidschi|fidji|fiyi|figi|fidži|fídjíeyjar|fidžis|fidżi|фиџи|fidzsi|фиджи|фіджі|φίτζι|فيجي|פיג י|فیجی|फ़िजी|斐济
         斐濟|フィジー|피지|ฟิจิ|fidzi|fidjieyjar|fidzis|φιτζι
         matanitu tugalala o viti|फ़िजी गणराज्य|republic of fiji|fiji islands
        FK|FLK|Falkland Islands
         falklands|malvinas|falklandinseln|îles malouines|islas malvinas|isole falkland|ilhas malvinas
         falklandeilanden|falklandsöarna|falklandsøerne|falklandsøyene|falklandinsaaret|falklandseyjar
         falklandi saared|folklenda salas|folklando salos|falklandy|falklandské ostrovy|falklandski otoki
         falklandski otoci|фокландска острва|falkland-szigetek|insulele falkland|фолкландски острови
         фолклендські острови|фолклендские о-ва|νήσοι φόκλαντ|falkland adalari|illes falkland|جزر فوكلاند
         איי פוקלנד|جزایر فالکلند|फ़ॉकलैंड द्वीपसमूह|福克兰群岛|福克蘭群島|フォークランド諸島|포클랜드 제도|quần đảo falkland|หมู่เกาะฟอล์กแลนด์
         kepulauan falkland|iles malouines|falklandsoarna|falklandsoerne|falklandsoyene|falklandske ostrovy
         νησοι φοκλαντ|quan dao falkland
        FM|FSM|Micronesia
         federated states of micronesia|mikronesien|micronésie|micronésia|mikronesiaføderasjonen|mikronesia
         míkrónesía|mikroneesia|mikronēzija|mikronezija|mikronezja|mikronésie|mikronézia|микронезија|micronezia
         микронезия|мікронезія|μικρονησία|mikronezya|micronèsia|ميكرونيزيا|מיקרונזיה|میکرونزی|माइक्रोनेशिया|密克罗尼西亚|密克羅尼西亞
         ミクロネシア連邦|미크로네시아|ไมโครนีเซีย|micronesie|mikronesiafoderasjonen|mikronesie|mikronezia|μικρονησια
         micronesia federated states of
        FO|FRO|Faroe Islands
         faeroe islands|faroes|føroyar|färöer|îles féroé|islas feroe|isole fær øer|ilhas faroé|faeröer|färöarna
         færøerne|færøyene|färsaaret|færeyjar|fääri saared|fēru salas|farerų salos|wyspy owcze|faerské ostrovy
         ferski otoki|ovčji otoci|фарска острва|feröer szigetek|insulele feroe|фарьорски острови|фарерські острови
         фарерские о-ва|νήσοι φερόεσ|faroe adalari|illes fèroe|جزر فارو|איי פארו|جزایر فارو|फ़ेरो द्वीपसमूह|法罗群岛|法羅群島
         フェロー諸島|페로 제도|quần đảo faroe|หมู่เกาะแฟโร|kepulauan faroe|foroyar|faroer|iles feroe|isole faer oer
         ilhas faroe|faeroer|faroarna|faeroerne|faeroyene|farsaaret|faereyjar|faari saared|feru salas|fareru salos
         faerske ostrovy|ovcji otoci|feroer szigetek|νησοι φεροεσ|illes feroe|quan dao faroe
        FR|FRA|France
         french republic|metropolitan france|frañs|frança|frankriich|frankreich|francia|frankrijk|frankrike
         frankrig|ranska|frakkland|prantsusmaa|francija|prancūzija|francja|francie|francúzsko|francuska|француска
         franciaország|franța|франция|франція|γαλλία|fransa|فرنسا|צרפת|فرانسه|फ़्रांस|法国|法國|フランス|프랑스|pháp|ฝรั่งเศส
         prancis|république française|frans|franca|prancuzija|francuzsko|franciaorszag|franta|γαλλια|phap
         republique francaise
         la france|france métropolitaine|france metropolitaine|bro-c'hall|frantzia|république francaise
        GA|GAB|Gabon
         gabun|gabón|gabão|gabona|gabonas|габон|γκαμπόν|الغابون|גבון|گابن|गैबॉन|加蓬|加彭|ガボン|가봉|กาบอง|gabao|γκαμπον
         république gabonaise|republique gabonaise|gabonese republic
        GB|GBR|United Kingdom
         uk|great britain|britain|united kingdom of great britain and northern ireland|the united kingdom|england
         scotland|wales|northern ireland|cymru|alba|united kingdom of great britain & northern ireland
         y deyrnas unedig|an ríocht aontaithe|an rìoghachd aonaichte|rywvaneth unys|vereinigtes königreich
         royaume-uni|reino unido|regno unito|verenigd koninkrijk|storbritannien|storbritannia|iso-britannia
         bretland|ühendkuningriik|apvienotā karaliste|jungtinė karalystė|wielka brytania|spojené království
         spojené kráľovstvo|združeno kraljestvo|ujedinjeno kraljevstvo|уједињено краљевство|egyesült királyság
         regatul unit|обединеното кралство|велика британія|великобритания|ηνωμένο βασίλειο|birleşik krallik
         regne unit|المملكة المتحدة|בריטניה|بریتانیا|यूनाइटेड किंगडम|英国|英國|イギリス|영국|vương quốc anh|สหราชอาณาจักร
         inggris raya|grossbritannien|grande-bretagne|gran bretaña|gran bretagna|grã-bretanha|inglaterra
         angleterre|inghilterra|anglie|англия|schottland|écosse|escocia|scozia|イングランド|英格兰|an riocht aontaithe
         an rioghachd aonaichte|vereinigtes konigreich|uhendkuningriik|apvienota karaliste|jungtine karalyste
         spojene kralovstvi|spojene kralovstvo|zdruzeno kraljestvo|egyesult kiralysag|ηνωμενο βασιλειο
         birlesik krallik|vuong quoc anh|gran bretana|gra bretanha|ecosse
         u k of great britain|prydain fawr|y deyrnas gyfunol|rìoghachd aonaichte|rioghachd aonaichte
         tuaisceart éireann|tuaisceart eireann|england uk|scotland uk|wales uk|northern ireland uk|n ireland
         unitit kinrick
        GD|GRD|Grenada
         granada|grenade|grenāda|гренада|γρενάδα|غرينادا|גרנדה|گرنادا|ग्रेनाडा|格林纳达|格瑞那達|グレナダ|그레나다|เกรเนดา|γρεναδα
         gwenad|state of grenada
        GE|GEO|Georgia
         republic of georgia|საქართველო|гуырдзыстон|georgien|géorgie|geórgia|georgië|georgía|gruusia|gruzija
         gruzja|gruzie|gruzínsko|грузија|grúzia|грузия|грузія|γεωργία|gürcistan|geòrgia|جورجيا|גאורגיה|گرجستان|जॉर्जिया
         格鲁吉亚|喬治亞|ジョージア|조지아|จอร์เจีย|georgie|gruzinsko|gruzia|γεωργια|gurcistan
         sakartvelo|сакартвело|қырҭтәыла|аԥсны|gürcüstan|gurcustan|վրաստան
        GF|GUF|French Guiana
         guyane française|französisch-guayana|guayana francesa|guyana francese|guiana francesa|frans-guyana
         franska guyana|fransk guyana|ranskan guayana|franska gvæjana|prantsuse guajaana|francijas gviāna
         prancūzijos gviana|gujana francuska|francouzská guyana|francúzska guyana|francoska gvajana
         francuska gijana|француска гвајана|francia guyana|guyana franceză|френска гвиана|французька гвіана
         французская гвиана|γαλλική γουιάνα|fransiz guyanasi|guaiana francesa|غويانا الفرنسية|גיאנה הצרפתית
         گویان فرانسه|फ़्रेंच गुयाना|法属圭亚那|法屬圭亞那|仏領ギアナ|프랑스령 기아나|guiana thuộc pháp|เฟรนช์เกียนา|guyana prancis
         guyane francaise|franzosisch guayana|franska gvaejana|francijas gviana|prancuzijos gviana
         francouzska guyana|francuzska guyana|guyana franceza|γαλλικη γουιανα|guiana thuoc phap
         guyane|lagwiyann|gwiyann
        GG|GGY|Guernsey
         guernesey|gērnsija|gernsis|гернзи|гърнзи|гернсі|гернси|γκέρνζι|غيرنزي|גרנזי|گرنزی|गर्नसी|根西岛|根息|ガーンジー|건지
         เกิร์นซีย์|gernsija|γκερνζι
         bailiwick of guernsey|guernési|guernesi
        GH|GHA|Ghana
         gaana|ghana nutome|𞤺𞤢𞤲𞤢|ganaa|gana|гана|ghána|γκάνα|غانا|גאנה|غنا|घाना|加纳|迦納|ガーナ|가나|กานา|γκανα
         republic of ghana
        GI|GIB|Gibraltar
         gibilterra|gíbraltar|gibraltārs|gibraltaras|gibraltár|гибралтар|гібралтар|γιβραλτάρ|cebelitarik|جبل طارق
         גיברלטר|جبلالطارق|जिब्राल्टर|直布罗陀|直布羅陀|ジブラルタル|지브롤터|ยิบรอลตาร์|gibraltars|γιβραλταρ
        GL|GRL|Greenland
         grønland|kalaallit nunaat|grönland|groenland|groenlandia|groenlândia|grönlanti|grænland|gröönimaa
         grenlande|grenlandija|grenlandia|grónsko|grenland|гренланд|groenlanda|гренландия|гренландія|γροιλανδία
         groenlàndia|غرينلاند|גרינלנד|گرینلند|ग्रीनलैंड|格陵兰|格陵蘭|グリーンランド|그린란드|กรีนแลนด์|gronland|gronlanti|graenland
         groonimaa|gronsko|γροιλανδια
        GM|GMB|Gambia
         the gambia|𞤺𞤢𞤥𞤦𞤭𞤴𞤢|gammbi|gambie|gâmbia|gambía|gambija|гамбија|гамбия|ґамбія|γκάμπια|gambiya|gàmbia
         غامبيا|גמביה|گامبیا|गाम्बिया|冈比亚|甘比亞|ガンビア|감비아|แกมเบีย|γκαμπια
         republic of the gambia|gambia the|gàmbi|kambiya
        GN|GIN|Guinea
         𞤺𞤭𞤲𞤫|gine|guinée|ߖߌ߬ߣߍ߫|guiné|guinee|gínea|gvineja|gvinėja|gwinea|гвинеја|guineea|гвинея|гвінея|γουινέα
         غينيا|גינאה|گینه|गिनी|几内亚|幾內亞|ギニア|기니|กินี|guine|ginea|γουινεα
         république de guinée|republique de guinee|republic of guinea|guinée-conakry|guinee conakry|guinea-conakry
         ߖߌ߬ߣߍ߬
        GP|GLP|Guadeloupe
         guadalupe|guadalupa|gvadelúpeyjar|gvadelupa|gwadelupa|гваделуп|guadelupa|гваделупа|γουαδελούπη|غوادلوب
         גוואדלופ|گوادلوپ|ग्वाडेलूप|瓜德罗普|瓜地洛普|グアドループ|과들루프|กวาเดอลูป|gvadelupeyjar|γουαδελουπη
         gwadloup
        GQ|GNQ|Equatorial Guinea
         guinea ecuatorial|guinée équatoriale|guiné equatorial|äquatorialguinea|guinea equatoriale
         equatoriaal-guinea|ekvatorialguinea|ækvatorialguinea|päiväntasaajan guinea|miðbaugs-gínea
         ekvatoriaal-guinea|ekvatoriālā gvineja|pusiaujo gvinėja|gwinea równikowa|rovníková guinea
         ekvatorialna gvineja|ekvatorska gvineja|екваторијална гвинеја|egyenlítői-guinea|guineea ecuatorială
         екваториална гвинея|екваторіальна гвінея|экваториальная гвинея|ισημερινή γουινέα|ekvator ginesi
         guinea equatorial|غينيا الاستوائية|גינאה המשוונית|گینهٔ استوایی|इक्वेटोरियल गिनी|赤道几内亚|赤道幾內亞|赤道ギニア|적도 기니
         guinea xích đạo|อิเควทอเรียลกินี|guinea ekuatorial|guinee equatoriale|guine equatorial|aquatorialguinea
         aekvatorialguinea|paivantasaajan guinea|midbaugs ginea|ekvatoriala gvineja|pusiaujo gvineja
         gwinea rownikowa|rovnikova guinea|egyenlitoi guinea|guineea ecuatoriala|ισημερινη γουινεα
         غينيا الاستوايية|گینه استوایی|guinea xich dao
         república de guinea ecuatorial|republica de guinea ecuatorial|republic of equatorial guinea
         république de guinée équatoriale|republique de guinee equatoriale
        GR|GRC|Greece
         hellas|hellenic republic|ελλάδα|griechenland|grèce|grecia|grécia|griekenland|grekland|grækenland|kreikka
         grikkland|kreeka|grieķija|graikija|grecja|řecko|grécko|grčija|grčka|грчка|görögország|гърция|греція
         греция|yunanistan|grècia|اليونان|יוון|یونان|यूनान|希腊|希臘|ギリシャ|그리스|hy lạp|กรีซ|yunani|ελλάσ
         ελληνική δημοκρατία|ελλαδα|grece|graekenland|griekija|recko|grecko|grcija|grcka|gorogorszag|hy lap|ελλασ
         ελληνικη δημοκρατια
         ellada|ellas|elláda
        GS|SGS|South Georgia and the South Sandwich Islands
         so georgia & so sandwich isl|south georgia & the south sandwich islands
         südgeorgien und die südlichen sandwichinseln|géorgie du sud-et-les îles sandwich du sud
         islas georgia del sur y sandwich del sur|georgia del sud e sandwich australi
         ilhas geórgia do sul e sandwich do sul|zuid-georgia en zuidelijke sandwicheilanden
         sydgeorgien och sydsandwichöarna|south georgia og de sydlige sandwichøer|sør-georgia og sør-sandwichøyene
         etelä-georgia ja eteläiset sandwichinsaaret|suður-georgía og suður-sandvíkureyjar
         lõuna-georgia ja lõuna-sandwichi saared|dienviddžordžija un dienvidsendviču salas
         pietų džordžija ir pietų sandvičo salos|georgia południowa i sandwich południowy
         jižní georgie a jižní sandwichovy ostrovy|južná georgia a južné sandwichove ostrovy
         južna georgia in južni sandwichevi otoki|južna georgia i otoci južni sandwich
         јужна џорџија и јужна сендвичка острва|déli-georgia és déli-sandwich-szigetek
         georgia de sud și insulele sandwich de sud|южна джорджия и южни сандвичеви острови
         південна джорджія та південні сандвічеві острови|южная георгия и южные сандвичевы о-ва
         νήσοι νότια γεωργία και νότιεσ σάντουιτσ|güney georgia ve güney sandwich adalari
         illes geòrgia del sud i sandwich del sud|جورجيا الجنوبية وجزر ساندويتش الجنوبية
         ג ורג יה הדרומית ואיי סנדוויץ הדרומיים|جورجیای جنوبی و جزایر ساندویچ جنوبی|दक्षिण जॉर्जिया और दक्षिण सैंडविच द्वीपसमूह
         南乔治亚和南桑威奇群岛|南喬治亞與南三明治群島|サウスジョージア サウスサンドウィッチ諸島|사우스조지아 사우스샌드위치 제도|nam georgia & quần đảo nam sandwich
         เกาะเซาท์จอร์เจียและหมู่เกาะเซาท์แซนด์วิช|georgia selatan & kep sandwich selatan
         sudgeorgien und die sudlichen sandwichinseln|georgie du sud et les iles sandwich du sud
         ilhas georgia do sul e sandwich do sul|sydgeorgien och sydsandwichoarna
         south georgia og de sydlige sandwichoer|sor georgia og sor sandwichoyene
         etela georgia ja etelaiset sandwichinsaaret|sudur georgia og sudur sandvikureyjar
         louna georgia ja louna sandwichi saared|dienviddzordzija un dienvidsendvicu salas
         pietu dzordzija ir pietu sandvico salos|georgia poludniowa i sandwich poludniowy
         jizni georgie a jizni sandwichovy ostrovy|juzna georgia a juzne sandwichove ostrovy
         juzna georgia in juzni sandwichevi otoki|juzna georgia i otoci juzni sandwich
         deli georgia es deli sandwich szigetek|georgia de sud si insulele sandwich de sud
         νησοι νοτια γεωργια και νοτιεσ σαντουιτσ|guney georgia ve guney sandwich adalari
         illes georgia del sud i sandwich del sud|nam georgia & quan dao nam sandwich
        GT|GTM|Guatemala
         gvatemala|gwatemala|гватемала|γουατεμάλα|غواتيمالا|גואטמלה|گواتمالا|ग्वातेमाला|危地马拉|瓜地馬拉|グアテマラ|과테말라|กัวเตมาลา
         γουατεμαλα
         república de guatemala|republica de guatemala|iximulew|republic of guatemala
        GU|GUM|Guam
         gvam|guama|guamas|гуам|γκουάμ|غوام|גואם|گوام|गुआम|关岛|關島|グアム|괌|กวม|γκουαμ
         guåhån|guahan|guåhan|territory of guam
        GW|GNB|Guinea-Bissau
         𞤺𞤭𞤲𞤫-𞤦𞤭𞤧𞤢𞤱𞤮𞥅|gine-bisaawo|guiné-bissau|guinée-bissau|guinea-bisáu|guinee-bissau|gínea-bissá|gvineja-bisava
         bisau gvinėja|gwinea bissau|gvineja bissau|gvineja bisau|гвинеја-бисао|bissau-guinea|guineea-bissau
         гвинея-бисау|гвінея-бісау|γουινέα μπισάου|gine-bissau|غينيا بيساو|גינאה-ביסאו|گینهٔ بیسائو|गिनी-बिसाउ|几内亚比绍
         幾內亞比索|ギニアビサウ|기니비사우|กินี-บิสเซา|guine bissau|guinea bisau|ginea bissa|bisau gvineja|γουινεα μπισαου
         گینه بیسايو
         república da guiné-bissau|republica da guine bissau|republic of guinea-bissau
        GY|GUY|Guyana
         guiana|gvæjana|gajāna|gajana|gujana|gvajana|гвајана|гаяна|гайана|γουιάνα|غيانا|גיאנה|گویان|गुयाना|圭亚那|蓋亞那
         ガイアナ|가이아나|กายอานา|gvaejana|гаиана|γουιανα
         co-operative republic of guyana
        HK|HKG|Hong Kong
         hong kong sar|hksar|香港|honkonga|honkongas|хонгконг|хонконг|гонконг|χονγκ κονγκ|هونج كونج|הונג קונג|هنگکنگ
         हाँग काँग|홍콩|hồng kông|ฮ่องกง
         香港特別行政區|香港特别行政区|中国香港|中國香港|heung gong|hong kong china|hong kong sar china
        HM|HMD|Heard and McDonald Islands
         heard island and mcdonald islands|heard & mcdonald islands|heard island & mcdonald islands
         heard und mcdonaldinseln|îles heard-et-macdonald|islas heard y mcdonald|isole heard e mcdonald
         ilhas heard e mcdonald|heard en mcdonaldeilanden|heardön och mcdonaldöarna
         heard island og mcdonald islands|heard- og mcdonaldøyene|heard ja mcdonaldinsaaret
         heard og mcdonaldseyjar|heardi ja mcdonaldi saared|hērda sala un makdonalda salas
         herdo ir makdonaldo salos|wyspy heard i mcdonalda|heardův ostrov a mcdonaldovy ostrovy
         heardov ostrov a macdonaldove ostrovy|heardov otok in mcdonaldovi otoki|otoci heard i mcdonald
         острво херд и мекдоналдова острва|heard-sziget és mcdonald-szigetek|insula heard și insulele mcdonald
         острови хърд и макдоналд|острови герд і макдоналд|о-ва херд и макдональд|νήσοι χερντ και μακντόναλντ
         heard adasi ve mcdonald adalari|illa heard i illes mcdonald|جزيرة هيرد وجزر ماكدونالد|איי הרד ומקדונלד
         هرد و جزایر مکدونالد|हर्ड द्वीप और मैकडोनॉल्ड द्वीपसमूह|赫德岛和麦克唐纳群岛|赫德島及麥唐納群島|ハード島 マクドナルド諸島|허드 맥도널드 제도
         quần đảo heard và mcdonald|เกาะเฮิร์ดและหมู่เกาะแมกดอนัลด์|pulau heard dan kepulauan mcdonald
         iles heard et macdonald|heardon och mcdonaldoarna|heard og mcdonaldoyene|herda sala un makdonalda salas
         hearduv ostrov a mcdonaldovy ostrovy|heard sziget es mcdonald szigetek|insula heard si insulele mcdonald
         νησοι χερντ και μακντοναλντ|quan dao heard va mcdonald
        HN|HND|Honduras
         hondúras|hondurasa|hondūras|хондурас|гондурас|ονδούρα|hondures|هندوراس|הונדורס|होंडूरास|洪都拉斯|宏都拉斯|ホンジュラス|온두라스
         ฮอนดูรัส|ονδουρα
         república de honduras|republica de honduras|republic of honduras
        HR|HRV|Croatia
         hrvatska|kroatien|croatie|croacia|croazia|croácia|kroatië|kroatia|króatía|horvaatia|horvātija|kroatija
         chorwacja|chorvatsko|chorvátsko|hrvaška|хрватска|horvátország|croația|хърватия|хорватія|хорватия|κροατία
         hirvatistan|croàcia|كرواتيا|קרואטיה|کرواسی|क्रोएशिया|克罗地亚|克羅埃西亞|クロアチア|크로아티아|โครเอเชีย|kroasia|kroatie|horvatija
         hrvaska|horvatorszag|κροατια
         republika hrvatska|republic of croatia
        HT|HTI|Haiti
         haití|haïti|haítí|haitis|хаити|гаїті|гаити|αϊτή|هايتي|האיטי|هائیتی|हाइती|海地|ハイチ|아이티|เฮติ|гаіті|αιτη|هايیتی
         ayiti|repiblik ayiti|république d'haïti|republique dhaiti|republic of haiti
        HU|HUN|Hungary
         magyarország|ungarn|hongrie|hungría|ungheria|hungria|hongarije|ungern|unkari|ungverjaland|ungari|ungārija
         vengrija|węgry|maďarsko|madžarska|mađarska|мађарска|ungaria|унгария|угорщина|венгрия|ουγγαρία|macaristan
         hongria|هنغاريا|הונגריה|مجارستان|हंगरी|匈牙利|ハンガリー|헝가리|ฮังการี|hungaria|magyarorszag|ungarija|wegry|madarsko
         madzarska|madarska|ουγγαρια
         magyar köztársaság|magyar koztarsasag|republic of hungary
        ID|IDN|Indonesia
         indonésia|indonesien|indonésie|indonesië|indónesía|indoneesia|indonēzija|indonezija|indonezja|indonézia
         индонезија|indonezia|индонезия|індонезія|ινδονησία|endonezya|indonèsia|إندونيسيا|אינדונזיה|اندونزی|इंडोनीशिया
         印度尼西亚|印尼|インドネシア|인도네시아|อินโดนีเซีย|indonesie|ινδονησια|اندونيسيا
         republik indonesia|republic of indonesia
        IE|IRL|Ireland
         republic of ireland|eire|irish republic|éire|irland|irlande|irlanda|ierland|irlanti|írland|iirimaa|īrija
         airija|irlandia|irsko|írsko|irska|ирска|írország|ирландия|ірландія|ιρλανδία|أيرلندا|אירלנד|ایرلند|आयरलैंड
         爱尔兰|愛爾蘭|アイルランド|아일랜드|ไอร์แลนด์|poblacht na héireann|irija|irorszag|ιρλανδια|ايرلندا|poblacht na heireann
         éire/ireland|eire ireland|southern ireland
        IL|ISR|Israel
         إسرائيل|ישראל|israël|israele|ísrael|iisrael|izraēla|izraelis|izrael|израел|ізраїль|израиль|ισραήλ|israil
         اسرائیل|इज़राइल|以色列|イスラエル|이스라엘|อิสราเอล|اسراييل|izraela|ізраіль|ισραηλ|اسرايیل
         מדינת ישראל|دولة إسرائيل|دولة اسراييل|yisrael|medinat yisrael|state of israel
        IM|IMN|Isle of Man
         ellan vannin|île de man|isla de man|isola di man|ilha de man|man|mansaari|mön|mani saar|menas sala
         meno sala|wyspa man|ostrov man|otok man|острво ман|man-sziget|insula man|остров ман|острів мен|о-в мэн
         νήσοσ του μαν|man adasi|illa de man|جزيرة مان|האי מאן|جزیرهٔ من|आइल ऑफ़ मैन|马恩岛|曼島|マン島|맨섬|đảo man|เกาะแมน
         pulau man|ile de man|mon|νησοσ του μαν|جزیره من|dao man
         isle of mann
        IN|IND|India
         republic of india|ভাৰত|भारत|ভারত|རྒྱ གར|𑄞𑄢𑄧𑄖𑄴|ભારત|bharat|ಭಾರತ|bharot|ہِندوستان|हिंदोस्तान|बारत|inḍiā|ବାରତ|బారతదెసాం|ഇന്ത്യ|ইন্দিয়া|ଭାରତ
         ਭਾਰਤ|भारतः|ᱤᱱᱰᱤᱭᱟ|இந்தியா|భారతదేశం|بھارت|indien|inde|índia|intia|indland|indija|indie|индија|индия|індія|ινδία
         hindistan|الهند|הודו|هند|印度|インド|인도|ấn độ|อินเดีย|ہندوستان|ινδια|an do
         भारत गणराज्य|bhārat|hindustan|हिन्दुस्तान|ഭാരതം|भारतम्|பாரதம்|هندوستان|بارت|bharat ganarajya|ᱵᱷᱟᱨᱚᱛ|ভাৰতবৰ্ষ
         ꯏꯟꯗꯤꯌꯥ|इंडिया|ڀارت
        IO|IOT|British Indian Ocean Territory
         chagos archipelago|chagos-archipel|archipel des chagos|archipiélago de chagos|isole chagos
         arquipélago de chagos|chagosöarna|chagosøerne|chagosøyene|chagossaaret|bresku indlandshafseyjar
         briti india ookeani ala|indijas okeāna britu teritorija|indijos vandenyno britų sritis|czagos
         čagoské ostrovy|britansko ozemlje v indijskem oceanu|arhipelag chagos
         британска територија индијског океана|chagos-szigetek|arhipelagul chagos
         британска територия в индийския океан|архіпелаг чагос|архипелаг чагос|αρχιπέλαγοσ τσάγκοσ
         chagos takimadalari|arxipèlag de les txagos|أرخببيل تشاغوس|ארכיפלג צ גוס|قلمرو بریتانیا در اقیانوس هند
         चागोस आर्किपेलगो|查戈斯群岛|查戈斯群島|チャゴス諸島|차고스 제도|quần đảo chagos|หมู่เกาะชากอส|kepulauan chagos|archipielago de chagos
         arquipelago de chagos|chagosoarna|chagosoerne|chagosoyene|indijas okeana britu teritorija
         indijos vandenyno britu sritis|cagoske ostrovy|британска територия в индииския океан|αρχιπελαγοσ τσαγκοσ
         arxipelag de les txagos|ارخببيل تشاغوس|quan dao chagos
        IQ|IRQ|Iraq
         العراق|عێراق|ܥܝܪܩ|irak|iraque|írak|iraak|irāka|irakas|irák|ирак|ірак|ιράκ|עיראק|عراق|इराक़|伊拉克|イラク|이라크|อิรัก
         iraka|ιρακ
         جمهورية العراق|îraq|êraq|republic of iraq|ܥܝܪܐܩ
        IR|IRN|Iran
         islamic republic of iran|ئێران|ایران|irán|irã|íran|iraan|irāna|iranas|írán|иран|іран|ιράν|إيران|איראן|ईरान
         伊朗|イラン|이란|อิหร่าน|يێران|ira|irana|ιραν|ايران
         جمهوری اسلامی ایران|irān|iran islamic republic of|i r iran|persia|îran
        IS|ISL|Iceland
         ísland|island|islande|islandia|islanda|islândia|ijsland|islanti|islandija|исланд|izland|исландия|ісландія
         ισλανδία|izlanda|islàndia|آيسلندا|איסלנד|ایسلند|आइसलैंड|冰岛|冰島|アイスランド|아이슬란드|ไอซ์แลนด์|ισλανδια|ايسلندا
         lýðveldið ísland|lydveldid island|republic of iceland
        IT|ITA|Italy
         italian republic|itàlia|italien|italie|italia|itália|italië|ítalía|itaalia|itālija|italija|włochy|itálie
         taliansko|италија|olaszország|италия|італія|ιταλία|italya|إيطاليا|איטליה|ایتالیا|इटली|意大利|義大利|イタリア|이탈리아
         อิตาลี|repubblica italiana|wlochy|olaszorszag|ιταλια|ايطاليا
         repubblica italiana it
        JE|JEY|Jersey
         džērsija|džersis|џерзи|джърси|джерсі|джерси|τζέρζι|جيرسي|ג רזי|جرزی|जर्सी|泽西岛|澤西島|ジャージー|저지|เจอร์ซีย์|dzersija
         dzersis|τζερζι
         bailiwick of jersey|jèrri
        JM|JAM|Jamaica
         jamaika|jamaïque|giamaica|jamaíka|jamajka|јамајка|ямайка|τζαμάικα|جامايكا|ג מייקה|جامائیکا|जमैका|牙买加|牙買加
         ジャマイカ|자메이카|จาเมกา|jamaique|ямаика|τζαμαικα|جامايیکا
         jumieka|jameka
        JO|JOR|Jordan
         الأردن|jordanien|jordanie|jordania|giordania|jordânia|jordanië|jórdanía|jordaania|jordānija|jordanija
         jordánsko|јордан|jordánia|iordania|йордания|йорданія|иордания|ιορδανία|ürdün|jordània|ירדן|اردن|जॉर्डन|约旦|約旦
         ヨルダン|요르단|จอร์แดน|yordania|الاردن|jordansko|иорданія|ιορδανια|urdun
         المملكة الأردنية الهاشمية|المملكة الاردنية الهاشمية|al-urdun|hashemite kingdom of jordan
        JP|JPN|Japan
         nippon|nihon|日本|japon|japón|giappone|japão|japani|jaapan|japāna|japonija|japonia|japonsko|japonska|јапан
         japán|япония|японія|ιαπωνία|japonya|japó|اليابان|יפן|ژاپن|जापान|일본|nhật bản|ญี่ปุ่น|jepang|日本国|japao|japana
         ιαπωνια|japo|nhat ban
         日本國|にほん|にっぽん|ニッポン|ニホン|nippon-koku|nihon-koku|state of japan
        KE|KEN|Kenya
         emetab kenya|keeniyaa|kenia|quênia|kenía|keenia|kenija|keňa|кенија|кения|кенія|κένυα|كينيا|קניה|کنیا|केन्या
         肯尼亚|肯亞|ケニア|케냐|เคนยา|quenia|kena|κενυα
         jamhuri ya kenya|republic of kenya
        KG|KGZ|Kyrgyzstan
         kyrgyz republic|кыргызстан|киргизия|kirgisistan|kirghizstan|kirguistán|kirghizistan|quirguistão|kirgizië
         kirgizistan|kirgisia|kirgistan|kõrgõzstan|kirgizstāna|kirgizija|kyrgyzstán|kirgizsko|киргистан
         kirgizisztán|kârgâzstan|киргизстан|κιργιστάν|kirguizstan|قيرغيزستان|קירגיזסטן|قرقیزستان|किर्गिज़स्तान|吉尔吉斯斯坦|吉爾吉斯
         キルギス|키르기스스탄|คีร์กีซสถาน|kirgizstan|kirguistan|quirguistao|kirgizie|korgozstan|kirgizstana|kirgizisztan
         kargazstan|κιργισταν
         кыргыз республикасы|кыргызская республика|kirghizia|kirgizia|qirğizstan|qirgizstan|киргизская республика
         qirg'iziston
        KH|KHM|Cambodia
         កម្ពុជា|kambodscha|cambodge|camboya|cambogia|camboja|cambodja|kambodja|kambodsja|kambodža|kambódía|kambodża
         камбоџа|kambodzsa|cambodgia|камбоджа|καμπότζη|kamboçya|كمبوديا|קמבודיה|کامبوج|कंबोडिया|柬埔寨|カンボジア|캄보디아
         campuchia|กัมพูชา|kamboja|kambodza|kambodia|καμποτζη|kambocya
         ព្រះរាជាណាចក្រកម្ពុជា|ប្រទេសកម្ពុជា|ស្រុកខ្មែរ|kampuchea|kâmpŭchéa|srok khmer|kingdom of cambodia
         កម្ពុជា cambodia
        KI|KIR|Kiribati
         quiribati|kíribatí|kiribatis|кирибати|кірибаті|κιριμπάτι|كيريباتي|קיריבאטי|کیریباتی|किरिबाती|基里巴斯|吉里巴斯|キリバス
         키리바시|คิริบาส|κιριμπατι
         ribaberiki kiribati|republic of kiribati
        KM|COM|Comoros
         جزر القمر|comores|komoren|comoras|comore|comoren|komorerna|comorerne|komorene|komorit|kómoreyjar|komoorid
         komoru salas|komorai|komory|komori|коморска острва|comore-szigetek|коморски острови|комори|коморы|κομόρεσ
         komorlar|קומורו|کومور|कोमोरोस|科摩罗|葛摩|コモロ|코모로|คอโมโรส|komoro|komoreyjar|κομορεσ
         union des comores|الاتحاد القمري|udzima wa komori|union of the comoros
        KN|KNA|Saint Kitts and Nevis
         st kitts and nevis|st kitts|st kitts & nevis|saint kitts & nevis|san cristóbal y nieves
         st kitts und nevis|saint-christophe-et-niévès|saint kitts e nevis|são cristóvão e névis
         saint kitts en nevis|s t kitts och nevis|saint kitts og nevis|saint kitts ja nevis|sankti kitts og nevis
         sentkitsa un nevisa|sent kitsas ir nevis|saint kitts i nevis|svatý kryštof a nevis|svätý krištof a nevis
         saint kitts in nevis|sveti kristofor i nevis|сент китс и невис|saint kitts és nevis|saint kitts și nevis
         сейнт китс и невис|сент-кітс і невіс|σεν κιτσ και νέβισ|saint kitts ve nevis|سانت كيتس ونيفيس
         סנט קיטס ונוויס|سنت کیتس و نویس|सेंट किट्स और नेविस|圣基茨和尼维斯|聖克里斯多福及尼維斯|セントクリストファー ネーヴィス|세인트키츠 네비스
         st kitts và nevis|เซนต์คิตส์และเนวิส|saint kitts dan nevis|san cristobal y nieves|saint christophe et nieves
         sao cristovao e nevis|svaty krystof a nevis|svaty kristof a nevis|saint kitts es nevis
         saint kitts si nevis|сеинт китс и невис|σεν κιτσ και νεβισ|st kitts va nevis
         saint christopher and nevis|federation of saint kitts and nevis
        KP|PRK|North Korea
         dprk|democratic people's republic of korea|조선민주주의인민공화국|nordkorea|corée du nord|corea del norte
         corea del nord|coreia do norte|noord-korea|pohjois-korea|norður-kórea|põhja-korea|ziemeļkoreja
         šiaurės korėja|korea północna|severní korea|severná kórea|severna koreja|sjeverna koreja|северна кореја
         észak-korea|coreea de nord|северна корея|північна корея|кндр|βόρεια κορέα|kuzey kore|كوريا الشمالية
         קוריאה הצפונית|کرهٔ شمالی|उत्तर कोरिया|朝鲜|北韓|北朝鮮|북한|triều tiên|เกาหลีเหนือ|korea utara|coree du nord|nordur korea
         pohja korea|ziemelkoreja|siaures koreja|korea polnocna|severni korea|severna korea|eszak korea
         βορεια κορεα|کره شمالی|trieu tien
         조선|북조선|朝鮮民主主義人民共和國|dpr korea|korea democratic people's republic of|chosŏn|choson|n korea|korea north
        KR|KOR|South Korea
         republic of korea|korea republic of|korea south|s korea|rok|대한민국|südkorea|corée du sud|corea del sur
         corea del sud|coreia do sul|zuid-korea|sydkorea|sør-korea|etelä-korea|suður-kórea|lõuna-korea
         dienvidkoreja|pietų korėja|korea południowa|jižní korea|južná kórea|južna koreja|јужна кореја|dél-korea
         coreea de sud|южна корея|південна корея|республика корея|νότια κορέα|güney kore|كوريا الجنوبية
         קוריאה הדרומית|کرهٔ جنوبی|दक्षिण कोरिया|韩国|南韓|韓国|hàn quốc|เกาหลีใต้|korea selatan|大韓民国|大韩民国|남한|corée|한국|sudkorea
         coree du sud|sor korea|etela korea|sudur korea|louna korea|pietu koreja|korea poludniowa|jizni korea
         juzna korea|juzna koreja|del korea|νοτια κορεα|guney kore|کره جنوبی|han quoc|coree
         大韓民國|韓國|hanguk|daehan minguk|republic of korea south|korea rep|rep of korea|rep korea
        KW|KWT|Kuwait
         الكويت|koweït|koeweit|kúveit|kuveit|kuveita|kuveitas|kuwejt|kuvajt|кувајт|kuvait|kuweit|кувейт|κουβέιτ
         kuveyt|כווית|کویت|कुवैत|科威特|クウェート|쿠웨이트|คูเวต|koweit|кувеит|κουβειτ
         دولة الكويت|state of kuwait|al kuwayt
        KY|CYM|Cayman Islands
         islas caimán|kaimaninseln|îles caïmans|isole cayman|ilhas cayman|kaaimaneilanden|caymanöarna|caymanøerne
         caymanøyene|caymansaaret|caymaneyjar|kaimanisaared|kaimanu salas|kaimanų salos|kajmany|kajmanské ostrovy
         kajmanie ostrovy|kajmanski otoki|kajmanski otoci|кајманска острва|kajmán-szigetek|insulele cayman
         кайманови острови|кайманові острови|о-ва кайман|νήσοι κέιμαν|cayman adalari|illes caiman|جزر كايمان
         איי קיימן|جزایر کِیمن|कैमेन द्वीपसमूह|开曼群岛|開曼群島|ケイマン諸島|케이맨 제도|quần đảo cayman|หมู่เกาะเคย์แมน|kepulauan cayman
         islas caiman|iles caimans|caymanoarna|caymanoerne|caymanoyene|kaimanu salos|kajmanske ostrovy
         kajman szigetek|каиманови острови|каиманові острови|о ва каиман|νησοι κειμαν|جزایر کیمن|quan dao cayman
        KZ|KAZ|Kazakhstan
         қазақстан|казахстан|kasachstan|kazajistán|kazakistan|cazaquistão|kazachstan|kazakstan|kasakhstan
         kasakstan|kasahstan|kazahstāna|kazachstanas|kazachstán|kazahstan|kazahsztán|καζακστάν|كازاخستان|קזחסטן
         قزاقستان|क़ाज़ाक़स्तान|哈萨克斯坦|哈薩克|カザフスタン|카자흐스탄|คาซัคสถาน|kazajistan|cazaquistao|kazahstana|kazahsztan|καζακσταν
         қазақстан республикасы|qazaqstan|qazaqstan respublikasy|республика казахстан|казакстан|republic of kazakhstan
        LA|LAO|Laos
         lao pdr|lao people's democratic republic|ລາວ|laosa|laosas|лаос|laosz|λάοσ|لاوس|לאוס|لائوس|लाओस|老挝|寮國|ラオス
         라오스|lào|ลาว|λαοσ|لايوس
         ສປປ ລາວ|ປະເທດລາວ|ສາທາລະນະລັດ ປະຊາທິປະໄຕ ປະຊາຊົນລາວ|muang lao|pathet lao|laos pdr|pdr lao
         république démocratique populaire lao|republique democratique populaire lao
        LB|LBN|Lebanon
         لبنان|libanon|liban|líbano|libano|líbanon|liibanon|libāna|libanas|либан|ливан|ліван|λίβανοσ|lübnan|líban
         לבנון|लेबनान|黎巴嫩|レバノン|레바논|li-băng|เลบานอน|libana|λιβανοσ|lubnan|li bang
         الجمهورية اللبنانية|lubnān|république libanaise|republique libanaise|lebanese republic|լիբանան
        LC|LCA|Saint Lucia
         st lucia|santa lucía|sainte-lucie|santa lúcia|sankti lúsía|sentlūsija|sent lusija|svatá lucie|svätá lucia
         sveta lucija|света луција|sfânta lucia|сейнт лусия|сент-люсія|сент-люсия|αγία λουκία|سانت لوسيا|סנט לוסיה
         سنت لوسیا|सेंट लूसिया|圣卢西亚|聖露西亞|セントルシア|세인트루시아|เซนต์ลูเซีย|santa lucia|sankti lusia|svata lucie|svata lucia
         sfanta lucia|сеинт лусия|αγια λουκια
         sent lisi
        LI|LIE|Liechtenstein
         liächteschtäi|lihtenšteina|lichtenšteinas|lichtenštejnsko|lichtenštajnsko|lihtenštajn|лихтенштајн
         лихтенщайн|ліхтенштейн|лихтенштейн|λιχτενστάιν|ليختنشتاين|ליכטנשטיין|لیختناشتاین|लिक्टनस्टाइन|列支敦士登|列支敦斯登
         リヒテンシュタイン|리히텐슈타인|ลิกเตนสไตน์|liachteschtai|lihtensteina|lichtensteinas|lichtenstejnsko|lichtenstajnsko
         lihtenstajn|лихтенщаин|ліхтенштеин|лихтенштеин|λιχτενσταιν
         fürstentum liechtenstein|furstentum liechtenstein|principality of liechtenstein|liachtaschta
         fuerstentum liechtenstein|liechtenstein fl
        LK|LKA|Sri Lanka
         ශ්රී ලංකාව|இலங்கை|srí lanka|šrilanka|шри ланка|шрі-ланка|σρι λάνκα|سريلانكا|סרי לנקה|سریلانکا|श्रीलंका|斯里兰卡|斯里蘭卡
         スリランカ|스리랑카|ศรีลังกา|σρι λανκα
         ශ්රී ලංකා ප්රජාතාන්ත්රික සමාජවාදී ජනරජය|இலங்கை ஜனநாயக சோஷலிசக் குடியரசு|sri lankā|ilaṅkai|ilankai|ceylon
         shri lanka|democratic socialist republic of sri lanka|ලංකාව|லங்கா
        LR|LBR|Liberia
         𞤤𞤢𞤦𞤭𞤪𞤭𞤴𞤢𞥄|liberiyaa|laibhiya|ꕞꔤꔫꕩ|libéria|líbería|libeeria|libērija|liberija|libérie|либерија|либерия
         ліберія|λιβερία|liberya|libèria|ليبيريا|ליבריה|لیبریا|लाइबेरिया|利比里亚|賴比瑞亞|リベリア|라이베리아|ไลบีเรีย|liberie|λιβερια
         republic of liberia
        LS|LSO|Lesotho
         lesoto|lesótó|lesotas|лесото|λεσότο|ليسوتو|לסוטו|لسوتو|लेसोथो|莱索托|賴索托|レソト|레소토|เลโซโท|λεσοτο
         muso oa lesotho|naha ea lesotho|kingdom of lesotho
        LT|LTU|Lithuania
         lietuva|litauen|lituanie|lituania|lituânia|litouwen|liettua|litháen|leedu|litwa|litva|литванија|litvánia
         литва|λιθουανία|litvanya|lituània|ليتوانيا|ליטא|لیتوانی|लिथुआनिया|立陶宛|リトアニア|리투아니아|ลิทัวเนีย|lithaen|litvania
         λιθουανια
         lietuvos respublika|republic of lithuania|lr lietuva
        LU|LUX|Luxembourg
         luxemburg|lëtzebuerg|luxemburgo|lussemburgo|lúxemborg|luksemburg|luksemburga|liuksemburgas|lucembursko
         luxembursko|луксембург|люксембург|λουξεμβούργο|lüksemburg|لوكسمبورغ|לוקסמבורג|لوکزامبورگ|लग्ज़मबर्ग|卢森堡|盧森堡
         ルクセンブルク|룩셈부르크|ลักเซมเบิร์ก|letzebuerg|luxemborg|λουξεμβουργο
         groussherzogtum lëtzebuerg|groussherzogtum letzebuerg|grand-duché de luxembourg|grand duche de luxembourg
         grossherzogtum luxemburg|grand duchy of luxembourg|g d luxembourg|g -d de luxembourg|luxembourg grand duché
         luxembourg grand duche
        LV|LVA|Latvia
         latvija|lettland|lettonie|letonia|lettonia|letônia|letland|läti|łotwa|lotyšsko|летонија|lettország|латвия
         латвія|λετονία|letonya|letònia|لاتفيا|לטביה|لتونی|लातविया|拉脱维亚|拉脫維亞|ラトビア|라트비아|ลัตเวีย|lati|lotwa|lotyssko
         lettorszag|λετονια
         latvijas republika|republic of latvia|latveja|lețmō
        LY|LBY|Libya
         ليبيا|libyen|libye|libia|líbia|libië|líbía|liibüa|lībija|libija|líbya|либија|либия|лівія|ливия|λιβύη|לוב
         لیبی|लीबिया|利比亚|利比亞|リビア|리비아|ลิเบีย|libie|liibua|λιβυη
         دولة ليبيا|ⵍⵉⴱⵢⴰ|state of libya|libyan arab jamahiriya|lībiyā
        MA|MAR|Morocco
         المغرب|lmɣrib|maroc|ⵍⵎⵖⵔⵉⴱ|meṛṛuk|marokko|marruecos|marocco|marrocos|marocko|marokkó|maroko|maroka
         marokas|мароко|марокко|μαρόκο|fas|marroc|מרוקו|مراکش|मोरक्को|摩洛哥|モロッコ|모로코|ma-rốc|โมร็อกโก|merruk|μαροκο
         المملكة المغربية|ⵜⴰⴳⵍⴷⵉⵜ ⵏ ⵍⵎⵖⵔⵉⴱ|royaume du maroc|kingdom of morocco|al maghrib|lmeɣrib|amerruk
         المملكه المغربيه
        MC|MCO|Monaco
         mónaco|mônaco|mónakó|monako|monakas|монако|μονακό|mònaco|موناكو|מונקו|موناکو|मोनाको|摩纳哥|摩納哥|モナコ|모나코|โมนาโก
         μονακο
         principauté de monaco|principaute de monaco|principatu de mu̍negu|principatu de munegu|múnegu|munegu
         principality of monaco
        MD|MDA|Moldova
         republic of moldova|republica moldova|молдова|republik moldau|moldavie|moldavia|moldávia|moldavië
         moldavien|moldóva|mołdawia|moldavsko|moldavija|молдавија|μολδαβία|moldàvia|مولدوفا|מולדובה|مولداوی|मॉल्डोवा
         摩尔多瓦|摩爾多瓦|モルドバ|몰도바|มอลโดวา|moldawia|μολδαβια
         республика молдова|молдавия|moldova republic of|r moldova|rep moldova
        ME|MNE|Montenegro
         црна гора|crna gora|monténégro|svartfjallaland|melnkalne|juodkalnija|czarnogóra|černá hora|čierna hora
         črna gora|montenegró|muntenegru|черна гора|чорногорія|черногория|μαυροβούνιο|karadağ|الجبل الأسود
         מונטנגרו|مونتهنگرو|मोंटेनेग्रो|黑山|蒙特內哥羅|モンテネグロ|몬테네그로|มอนเตเนโกร|czarnogora|cerna hora|cierna hora|μαυροβουνιο
         karadag|الجبل الاسود
         republika crna gora
        MF|MAF|Saint Martin
         st martin|san martín|senmartēna|sen martenas|svatý martin francie|svätý martin fr|свети мартин француска
         sfântul martin|сен мартен|άγιοσ μαρτίνοσ γαλλικό τμήμα|سان مارتن|סן מרטן|سنت مارتین|सेंट मार्टिन|法属圣马丁|法屬聖馬丁
         サン マルタン|생마르탱|เซนต์มาร์ติน|san martin|senmartena|svaty martin francie|svaty martin fr|sfantul martin
         αγιοσ μαρτινοσ γαλλικο τμημα
         saint-martin france|collectivité de saint-martin|collectivite de saint martin
        MG|MDG|Madagascar
         madagasikara|madagaskar|madagaskara|madagaskaras|мадагаскар|madagaszkár|μαδαγασκάρη|مدغشقر|מדגסקר
         ماداگاسکار|मेडागास्कर|马达加斯加|馬達加斯加|マダガスカル|마다가스카르|มาดากัสการ์|madagaszkar|μαδαγασκαρη
         repoblikan'i madagasikara|république de madagascar|republique de madagascar|republic of madagascar
         malagasy republic
        MH|MHL|Marshall Islands
         marshallinseln|îles marshall|islas marshall|isole marshall|ilhas marshall|marshalleilanden|marshallöarna
         marshalløerne|marshalløyene|marshallinsaaret|marshalleyjar|marshalli saared|māršala salas|maršalo salos
         wyspy marshalla|marshallovy ostrovy|marshallove ostrovy|marshallovi otoki|maršalovi otoci
         маршалска острва|marshall-szigetek|insulele marshall|маршалови острови|маршаллові острови|маршалловы о-ва
         νήσοι μάρσαλ|marshall adalari|illes marshall|جزر مارشال|איי מרשל|جزایر مارشال|मार्शल द्वीपसमूह|马绍尔群岛|馬紹爾群島
         マーシャル諸島|마셜 제도|quần đảo marshall|หมู่เกาะมาร์แชลล์|kepulauan marshall|iles marshall|marshalloarna
         marshalloerne|marshalloyene|marsala salas|marsalo salos|marsalovi otoci|νησοι μαρσαλ|quan dao marshall
         aolepān aorōkin ṃajeḷ|aolepan aorokin majel|ṃajeḷ|aolepān aorōkin m̧ajeļ|republic of the marshall islands
        MK|MKD|North Macedonia
         macedonia|fyrom|republic of north macedonia|северна македонија|maqedonia e veriut|nordmazedonien
         macédoine du nord|macedonia del norte|macedonia del nord|macedônia do norte|noord-macedonië
         nordmakedonien|nord-makedonia|pohjois-makedonia|norður-makedónía|põhja-makedoonia|ziemeļmaķedonija
         šiaurės makedonija|macedonia północna|severní makedonie|severné macedónsko|severna makedonija
         sjeverna makedonija|észak-macedónia|macedonia de nord|северна македония|північна македонія
         северная македония|βόρεια μακεδονία|kuzey makedonya|macedònia del nord|مقدونيا الشمالية|מקדוניה הצפונית
         مقدونیهٔ شمالی|उत्तरी मकदूनिया|北马其顿|北馬其頓|北マケドニア|북마케도니아|bắc macedonia|มาซิโดเนียเหนือ|makedonia utara
         macedoine du nord|macedonia do norte|noord macedonie|nordur makedonia|pohja makedoonia|ziemelmakedonija
         siaures makedonija|macedonia polnocna|severni makedonie|severne macedonsko|eszak macedonia
         βορεια μακεδονια|مقدونیه شمالی|bac macedonia
         република северна македонија|македонија|република македонија|makedonija|maqedonia|republic of macedonia
         mazedonien|the former yugoslav republic of macedonia|republika severna makedonija
        ML|MLI|Mali
         maali|malí|malis|мали|малі|μάλι|مالي|מאלי|مالی|माली|马里|馬利|マリ|말리|มาลี|μαλι
         république du mali|republique du mali|republic of mali
        MM|MMR|Myanmar
         birma|birmania|birmanie|birmânia|barma|búrma|бирма|birmanya
         burma|myanmar burma|မြန်မာ|myanmar birmanie|myanmar birmania|mianmar birmânia|myanmar birma|mjanmar búrma
         mjanma birma|mianmaras birma|myanmar barma|mjanmarsko|mjanmar burma|мијанмар бурма|mianmar|мианмар бирма
         м'янма бірма|мьянма бирма|μιανμάρ βιρμανία|myanmar birmània|ميانمار بورما|מיאנמר בורמה|میانمار برمه
         म्यांमार बर्मा|缅甸|緬甸|ミャンマー ビルマ|미얀마|myanmar miến điện|เมียนมา พม่า|mianmar birmania|μιανμαρ βιρμανια
         myanmar mien dien
         မြန်မာနိုင်ငံ|မြန်မာပြည်|ပြည်ထောင်စု သမ္မတ မြန်မာနိုင်ငံတော်|ဗမာပြည်|myanma|myanmar naingngandaw
         union of myanmar|republic of the union of myanmar|myanmar/burma
        MN|MNG|Mongolia
         монгол|mongolei|mongolie|mongólia|mongolië|mongoliet|mongólía|mongoolia|mongolija|mongolsko|монголија
         монголия|монголія|μογγολία|moğolistan|mongòlia|منغوليا|מונגוליה|مغولستان|मंगोलिया|蒙古|モンゴル|몽골|mông cổ|มองโกเลีย
         μογγολια|mogolistan|mong co
         монгол улс|mongol|mongol uls|ᠮᠣᠩᠭᠣᠯ ᠤᠯᠤᠰ|ᠮᠣᠩᠭᠣᠯ|ᠮᠤᠩᠭᠤᠯ ᠤᠯᠤᠰ|outer mongolia|бнмау
        MO|MAC|Macao
         macau|macao sar|macau sar|澳门|澳門|makaó|makao|makau|макао|μακάο|ماكاو|מקאו|ماکائو|मकाओ|マカオ|마카오|มาเก๊า|μακαο
         ماکايو
         澳門特別行政區|澳门特别行政区|中国澳门|中國澳門|região administrativa especial de macau|regiao administrativa especial de macau
         macau china|ou mun|macao china|macao sar china
        MP|MNP|Northern Mariana Islands
         nördliche marianen|îles mariannes du nord|islas marianas del norte|isole marianne settentrionali
         ilhas marianas do norte|noordelijke marianen|nordmarianerna|nordmarianerne|nord-marianene
         pohjois-mariaanit|norður-maríanaeyjar|põhja-mariaanid|ziemeļu marianas salas|marianos šiaurinės salos
         mariany północne|severní mariany|severné mariány|severni marianski otoki|sjevernomarijanski otoci
         северна маријанска острва|északi mariana-szigetek|insulele mariane de nord|северни мариански острови
         північні маріанські острови|северные марианские о-ва|νήσοι βόρειεσ μαριάνεσ|kuzey mariana adalari
         illes mariannes septentrionals|جزر ماريانا الشمالية|איי מריאנה הצפוניים|جزایر ماریانای شمالی
         उत्तरी मारियाना द्वीपसमूह|北马里亚纳群岛|北馬利安納群島|北マリアナ諸島|북마리아나제도|quần đảo bắc mariana|หมู่เกาะนอร์เทิร์นมาเรียนา
         kepulauan mariana utara|nordliche marianen|iles mariannes du nord|nordur marianaeyjar|pohja mariaanid
         ziemelu marianas salas|marianos siaurines salos|mariany polnocne|severni mariany|severne mariany
         eszaki mariana szigetek|νησοι βορειεσ μαριανεσ|quan dao bac mariana
         commonwealth of the northern mariana islands|cnmi|notte mariånas|notte marianas|islas marianas
         northern marianas
        MQ|MTQ|Martinique
         martinica|martiník|martinika|martynika|martinik|мартиник|мартиника|мартиніка|μαρτινίκα|جزر المارتينيك
         מרטיניק|مارتینیک|मार्टीनिक|马提尼克|馬丁尼克|マルティニーク|마르티니크|มาร์ตินีก|μαρτινικα
         matinik|matnik
        MR|MRT|Mauritania
         موريتانيا|𞤥𞤮𞤪𞤼𞤢𞤲𞤭𞥅|muritani|mauritanie|mauretanien|mauritânia|mauritanië|máritanía|mauritaania|mauritānija
         mauritanija|mauretania|mauritánie|mauritánia|mavretanija|mauretanija|мауританија|мавритания|мавританія
         μαυριτανία|moritanya|mauritània|מאוריטניה|موریتانی|मॉरिटानिया|毛里塔尼亚|茅利塔尼亞|モーリタニア|모리타니|มอริเตเนีย|maritania
         μαυριτανια
         الجمهورية الإسلامية الموريتانية|الجمهورية الاسلامية الموريتانية|gànnaar|gannaar|mooritani
         république islamique de mauritanie|republique islamique de mauritanie|islamic republic of mauritania
        MS|MSR|Montserrat
         montserrata|montseratas|монсерат|монтсерат|монтсеррат|μονσεράτ|مونتسرات|מונסראט|मोंटसेरात|蒙特塞拉特|蒙哲臘|モントセラト
         몬트세라트|มอนต์เซอร์รัต|μονσερατ
        MT|MLT|Malta
         malte|малта|málta|мальта|μάλτα|مالطا|מלטה|مالت|माल्टा|马耳他|馬爾他|マルタ|몰타|มอลตา|μαλτα
         repubblika ta' malta|republic of malta|ir-repubblika ta' malta
        MU|MUS|Mauritius
         maurice|moris|mauricio|maurício|máritíus|maurīcija|mauricijus|mauricius|maurícius|маурицијус|мавриций
         маврикій|маврикий|μαυρίκιοσ|maurici|موريشيوس|מאוריציוס|موریس|मॉरीशस|毛里求斯|模里西斯|モーリシャス|모리셔스|มอริเชียส|maritius
         mauricija|мавриции|маврикіи|маврикии|μαυρικιοσ
         île maurice|ile maurice|république de maurice|republique de maurice|republic of mauritius|mauritius island
        MV|MDV|Maldives
         ދިވެހި ރާއްޖެ|malediven|maldivas|maldive|maldiven|maldiverna|maldiverne|maldivene|malediivit|maldíveyjar
         maldiivid|maldīvija|maldyvai|malediwy|maledivy|maldivy|maldivi|малдиви|maldív-szigetek|мальдіви|мальдивы
         μαλδίβεσ|maldivler|جزر المالديف|האיים המלדיביים|مالدیو|मालदीव|马尔代夫|馬爾地夫|モルディブ|몰디브|มัลดีฟส์|maladewa
         maldiveyjar|maldivija|maldiv szigetek|μαλδιβεσ
         ދިވެހިރާއްޖޭގެ ޖުމްހޫރިއްޔާ|dhivehi raajje|dhivehi raajjeyge jumhooriyyaa|maldive islands|the maldives
         republic of maldives|ރާއްޖެ
        MW|MWI|Malawi
         malaui|malaví|malāvija|malavis|malavi|малави|малаві|μαλάουι|ملاوي|מלאווי|مالاوی|मलावी|马拉维|馬拉威|マラウイ|말라위
         มาลาวี|malavija|μαλαουι
         dziko la malaŵi|dziko la malawi|malaŵi|republic of malawi
        MX|MEX|Mexico
         méxico|mexiko|mexique|messico|meksiko|mexíkó|mehhiko|meksika|meksyk|mehika|мексико|mexikó|mexic|мексика
         μεξικό|mèxic|المكسيك|מקסיקו|مکزیک|मेक्सिको|墨西哥|メキシコ|멕시코|เม็กซิโก|estados unidos mexicanos|μεξικο
         méjico|mejico|united mexican states|mēxihco|mexihco|república mexicana|republica mexicana|méx
        MY|MYS|Malaysia
         مليسيا|மலேசியா|马来西亚|馬來西亞|malaisie|malasia|malásia|maleisië|malesia|malasía|malaisia|malaizija|malezja
         malajsie|malajzia|malezija|малезија|малайзия|малайзія|μαλαισία|malezya|malàisia|ماليزيا|מלזיה|مالزی|मलेशिया
         マレーシア|말레이시아|มาเลเซีย|maleisie|малаизия|малаизія|μαλαισια
         persekutuan malaysia|semenanjung malaysia|malaya|west malaysia|east malaysia
        MZ|MOZ|Mozambique
         umozambiki|moçambique|omosambikhi|mosambik|mozambico|mósambík|mosambiik|mozambika|mozambikas|mozambik
         мозамбик|mozambic|мозамбік|μοζαμβίκη|moçambic|موزمبيق|מוזמביק|موزامبیک|मोज़ांबिक|莫桑比克|莫三比克|モザンビーク|모잠비크|โมซัมบิก
         mocambique|μοζαμβικη|mocambic
         república de moçambique|republica de mocambique|republic of mozambique|msumbiji
        NA|NAM|Namibia
         namibië|namibiab|namibie|namíbia|namibía|namiibia|namībija|namibija|намибија|намибия|намібія|ναμίμπια
         namibya|ناميبيا|נמיביה|نامیبیا|नामीबिया|纳米比亚|納米比亞|ナミビア|나미비아|นามิเบีย|ναμιμπια
         republic of namibia|republiek van namibië|republiek van namibie|south west africa
        NC|NCL|New Caledonia
         nouvelle-calédonie|neukaledonien|nueva caledonia|nuova caledonia|nova caledônia|nieuw-caledonië
         nya kaledonien|ny kaledonien|ny-caledonia|uusi-kaledonia|nýja-kaledónía|uus-kaledoonia|jaunkaledonija
         naujoji kaledonija|nowa kaledonia|nová kaledonie|nová kaledónia|nova kaledonija|нова каледонија
         új-kaledónia|noua caledonie|нова каледония|нова каледонія|новая каледония|νέα καληδονία|yeni kaledonya
         nova caledònia|كاليدونيا الجديدة|קלדוניה החדשה|کالدونیای جدید|न्यू कैलेडोनिया|新喀里多尼亚|新喀里多尼亞|ニューカレドニア|뉴칼레도니아
         นิวแคลิโดเนีย|kaledonia baru|nouvelle caledonie|nova caledonia|nieuw caledonie|nyja kaledonia|nova kaledonie
         nova kaledonia|uj kaledonia|νεα καληδονια
         kanaky|kanaky nouvelle-calédonie|kanaky nouvelle caledonie
        NE|NER|Niger
         nižer|𞤲𞤭𞥅𞤶𞤫𞤪|nijeer|nijar|níger|nigēra|nigeris|нигер|нігер|νίγηρασ|nijer|النيجر|ניז ר|نیجر|नाइजर|尼日尔|尼日
         ニジェール|니제르|ไนเจอร์|nizer|nigera|νιγηρασ
         république du niger|republique du niger|republic of the niger|republic of niger
        NF|NFK|Norfolk Island
         norfolkinsel|île norfolk|isla norfolk|isola norfolk|ilha norfolk|norfolk|norfolkön|norfolkøya
         norfolkinsaari|norfolkeyja|norfolkas sala|norfolko sala|norfolški otok|otok norfolk|острво норфок
         norfolk-sziget|insula norfolk|остров норфолк|острів норфолк|о-в норфолк|νήσοσ νόρφολκ|norfolk adasi
         illa norfolk|جزيرة نورفولك|האי נורפוק|جزیرهٔ نورفولک|नॉरफ़ॉक द्वीप|诺福克岛|諾福克島|ノーフォーク島|노퍽섬|đảo norfolk|เกาะนอร์ฟอล์ก
         kepulauan norfolk|ile norfolk|norfolkon|norfolkoya|norfolski otok|νησοσ νορφολκ|جزیره نورفولک|dao norfolk
        NG|NGA|Nigeria
         𞤲𞤢𞤶𞤫𞤪𞤭𞤴𞤢𞥄|nijeriyaa|nijeriya|naịjịrịa|naijíria|nàìjíríà|nigéria|nígería|nigeeria|nigērija|nigerija|nigérie
         нигерија|нигерия|нігерія|νιγηρία|nijerya|nigèria|نيجيريا|ניגריה|نیجریه|नाइजीरिया|尼日利亚|奈及利亞|ナイジェリア|나이지리아
         ไนจีเรีย|naijiria|nigerie|νιγηρια
         najeriya|nàíjíríà|naìjíríyà|naijiriya|naijíríyà|federal republic of nigeria|naigeria|naija
        NI|NIC|Nicaragua
         nicarágua|níkaragva|nikaragva|nikaragua|никарагва|никарагуа|нікарагуа|νικαράγουα|نيكاراغوا|ניקרגואה
         نیکاراگوئه|निकारागुआ|尼加拉瓜|ニカラグア|니카라과|นิการากัว|νικαραγουα|نیکاراگويه
         república de nicaragua|republica de nicaragua|republic of nicaragua
        NL|NLD|Netherlands
         the netherlands|holland|kingdom of the netherlands|nederlân|nedderlannen|nederland|niederlande|pays-bas
         países bajos|paesi bassi|países baixos|nederländerna|nederlandene|alankomaat|nīderlande|nyderlandai
         holandia|nizozemsko|holandsko|nizozemska|холандија|hollandia|țările de jos|нидерландия|нідерланди
         нидерланды|κάτω χώρεσ|hollanda|països baixos|هولندا|הולנד|هلند|नीदरलैंड|荷兰|荷蘭|オランダ|네덜란드|hà lan|เนเธอร์แลนด์
         belanda|hollande|holanda|olanda|hollanti|голландия|koninkrijk der nederlanden|nederlan|paises bajos
         paises baixos|nederlanderna|niderlande|tarile de jos|κατω χωρεσ|paisos baixos|ha lan
         nederlanden|nl - nederland|the netherlands nl
        NO|NOR|Norway
         norge|noreg|norga|norwegen|norvège|noruega|norvegia|noorwegen|norja|noregur|norra|norvēģija|norvegija
         norwegia|norsko|nórsko|norveška|норвешка|norvégia|норвегия|норвегія|νορβηγία|norveç|النرويج|נורווגיה|نروژ
         नॉर्वे|挪威|ノルウェー|노르웨이|na uy|นอร์เวย์|norvege|norveska|νορβηγια|norvec
         kongeriket norge|kongeriket noreg|norgga gonagasriika|kingdom of norway|vuodna|nöörje|noorje|norge/noreg
         norge noreg
        NP|NPL|Nepal
         नेपाल|népal|nepāla|nepalas|nepál|непал|νεπάλ|نيبال|נפאל|نپال|尼泊尔|尼泊爾|ネパール|네팔|เนปาล|nepala|νεπαλ
         सङ्घीय लोकतान्त्रिक गणतन्त्र नेपाल|नेपाल अधिराज्य|nepāl|federal democratic republic of nepal|नेपाः
        NR|NRU|Nauru
         nárú|науру|ναουρού|ناورو|נאורו|نائورو|नाउरु|瑙鲁|諾魯|ナウル|나우루|นาอูรู|naru|ναουρου|نايورو
         naoero|repubrikin naoero|republic of nauru|pleasant island
        NU|NIU|Niue
         niujė|ниуе|ніуе|ниуэ|νιούε|نيوي|ניווה|نیوئه|नीयू|纽埃|紐埃島|ニウエ|니우에|นีอูเอ|niuje|νιουε|نیويه
         niuē|niue fekai
        NZ|NZL|New Zealand
         aotearoa|neuseeland|nouvelle-zélande|nueva zelanda|nuova zelanda|nova zelândia|nieuw-zeeland|nya zeeland
         uusi-seelanti|nýja-sjáland|uus-meremaa|jaunzēlande|naujoji zelandija|nowa zelandia|nový zéland
         nova zelandija|novi zeland|нови зеланд|új-zéland|noua zeelandă|нова зеландия|нова зеландія|новая зеландия
         νέα ζηλανδία|yeni zelanda|nova zelanda|نيوزيلندا|ניו זילנד|نیوزیلند|न्यूज़ीलैंड|新西兰|紐西蘭|ニュージーランド|뉴질랜드|นิวซีแลนด์
         selandia baru|nouvelle zelande|nova zelandia|nyja sjaland|jaunzelande|novy zeland|uj zeland|noua zeelanda
         νεα ζηλανδια
         aotearoa new zealand|new zealand/aotearoa|new zealand aotearoa|aotearoa / new zealand|niu tireni|nu tirani
        OM|OMN|Oman
         عُمان|omán|omã|óman|omaan|omāna|omanas|оман|ομάν|umman|עומאן|عمان|ओमान|阿曼|オマーン|오만|โอมาน|oma|omana|ομαν
         سلطنة عمان|سلطنة عُمان|عمان سلطنة|sultanate of oman|saltanat uman
        PA|PAN|Panama
         panamá|панама|παναμάσ|panamà|بنما|פנמה|پاناما|पनामा|巴拿马|巴拿馬|パナマ|파나마|ปานามา|παναμασ
         república de panamá|republica de panama|republic of panama
        PE|PER|Peru
         perú|pérou|perù|peruu|перу|περού|بيرو|פרו|پرو|पेरू|秘鲁|秘魯|ペルー|페루|เปรู|perou|περου
         república del perú|republica del peru|piruw|piruw suyu|republic of peru|piruw ripuwlika
        PF|PYF|French Polynesia
         tahiti|polynésie française|französisch-polynesien|polinesia francesa|polinesia francese
         polinésia francesa|frans-polynesië|franska polynesien|fransk polynesien|fransk polynesia
         ranskan polynesia|franska pólýnesía|prantsuse polüneesia|francijas polinēzija|prancūzijos polinezija
         polinezja francuska|francouzská polynésie|francúzska polynézia|francoska polinezija|francuska polinezija
         француска полинезија|francia polinézia|polinezia franceză|френска полинезия|французька полінезія
         французская полинезия|γαλλική πολυνησία|fransiz polinezyasi|polinèsia francesa|بولينيزيا الفرنسية
         פולינזיה הצרפתית|پلینزی فرانسه|फ़्रेंच पोलिनेशिया|法属波利尼西亚|法屬玻里尼西亞|仏領ポリネシア|프랑스령 폴리네시아|polynesia thuộc pháp
         เฟรนช์โปลินีเซีย|polinesia prancis|polynesie francaise|franzosisch polynesien|frans polynesie
         franska polynesia|prantsuse poluneesia|francijas polinezija|prancuzijos polinezija|francouzska polynesie
         francuzska polynezia|francia polinezia|polinezia franceza|γαλλικη πολυνησια|polynesia thuoc phap
         pōrīnetia farāni|porinetia farani|polynésie|polynesie
        PG|PNG|Papua New Guinea
         papua-neuguinea|papouasie-nouvelle-guinée|papúa nueva guinea|papua nuova guinea|papua-nova guiné
         papoea-nieuw-guinea|papua nya guinea|papua ny guinea|papua-uusi-guinea|papúa nýja-gínea|paapua uus-guinea
         papua-jaungvineja|papua naujoji gvinėja|papua-nowa gwinea|papua-nová guinea|papua nova gvineja
         папуа нова гвинеја|pápua új-guinea|papua-noua guinee|папуа-нова гвинея|папуа-нова гвінея
         папуа - новая гвинея|παπούα νέα γουινέα|papua yeni gine|papua nova guinea|بابوا غينيا الجديدة
         פפואה גינאה החדשה|پاپوا گینهٔ نو|पापुआ न्यू गिनी|巴布亚新几内亚|巴布亞紐幾內亞|パプアニューギニア|파푸아뉴기니|ปาปัวนิวกินี|papua nugini
         papouasie nouvelle guinee|papua nueva guinea|papua nova guine|papua nyja ginea|papua naujoji gvineja
         papua uj guinea|παπουα νεα γουινεα|پاپوا گینه نو
         papua niugini|independen stet bilong papua niugini
        PH|PHL|Philippines
         the philippines|pilipinas|filipinas|philippinen|filippine|filipijnen|filippinerna|filippinerne
         filippinene|filippiinit|filippseyjar|filipiinid|filipīnas|filipinai|filipiny|filipíny|filipini|филипини
         fülöp-szigetek|filipine|філіппіни|филиппины|φιλιππίνεσ|filipinler|filipines|الفلبين|הפיליפינים|فیلیپین
         फ़िलिपींस|菲律宾|菲律賓|フィリピン|필리핀|ฟิลิปปินส์|filipina|fulop szigetek|φιλιππινεσ
         republika ng pilipinas|republic of the philippines|phils|philipines|philippine islands|pilipinas philippines
        PK|PAK|Pakistan
         پاکستان|پاڪستان|pakistán|paquistão|pakistāna|pakistanas|pákistán|пакистан|pakisztán|πακιστάν|باكستان
         פקיסטן|पाकिस्तान|巴基斯坦|パキスタン|파키스탄|ปากีสถาน|paquistao|pakistana|pakisztan|πακισταν
         اسلامی جمہوریہ پاکستان|pākistān|islamic republic of pakistan|پاکستان pakistan|ਪਾਕਿਸਤਾਨ
        PL|POL|Poland
         polska|pōli|polen|pologne|polonia|polônia|puola|pólland|poola|polija|lenkija|polsko|poľsko|poljska|пољска
         lengyelország|полша|польща|польша|πολωνία|polonya|polònia|بولندا|פולין|لهستان|पोलैंड|波兰|波蘭|ポーランド|폴란드|ba lan
         โปแลนด์|polandia|rzeczpospolita polska|poli|polland|lengyelorszag|πολωνια
         rp polska|republic of poland|pòlskô
        PM|SPM|Saint Pierre and Miquelon
         st pierre & miquelon|saint pierre & miquelon|st pierre and miquelon|saint-pierre-et-miquelon
         st pierre und miquelon|san pedro y miquelón|saint-pierre e miquelon|são pedro e miquelão
         saint-pierre en miquelon|s t pierre och miquelon|saint pierre og miquelon|saint-pierre ja miquelon
         sankti pierre og miquelon|senpjēra un mikelona|sen pjeras ir mikelonas|saint-pierre i miquelon
         saint-pierre a miquelon|saint pierre in miquelon|sveti petar i mikelon|сен пјер и микелон
         saint-pierre és miquelon|saint-pierre și miquelon|сен пиер и микелон|сен-п'єр і мікелон
         сен-пьер и микелон|σεν πιερ και μικελόν|saint pierre ve miquelon|سان بيير ومكويلون|סנט פייר ומיקלון
         سن پیر و میکلن|सेंट पिएरे और मिक्वेलान|圣皮埃尔和密克隆群岛|聖皮埃與密克隆群島|サンピエール島 ミクロン島|생피에르 미클롱|saint pierre và miquelon
         แซงปีแยร์และมีเกอลง|saint pierre dan miquelon|san pedro y miquelon|sao pedro e miquelao|senpjera un mikelona
         saint pierre es miquelon|saint pierre si miquelon|σεν πιερ και μικελον|saint pierre va miquelon
        PN|PCN|Pitcairn
         pitcairn islands|pitcairninseln|îles pitcairn|islas pitcairn|isole pitcairn|ilhas pitcairn
         pitcairneilanden|pitcairnöarna|pitcairnøyene|pitcairn-eyjar|pitcairni saared|pitkērnas salas
         pitkerno salos|pitcairnovy ostrovy|pitcairnove ostrovy|pitcairnovi otoci|питкерн|pitcairn-szigetek
         insulele pitcairn|острови питкерн|острови піткерн|о-ва питкэрн|νήσοι πίτκερν|pitcairn adalari
         illes pitcairn|جزر بيتكيرن|איי פיטקרן|جزایر پیتکرن|पिटकैर्न द्वीपसमूह|皮特凯恩群岛|皮特肯群島|ピトケアン諸島|핏케언 제도
         quần đảo pitcairn|หมู่เกาะพิตแคร์น|kepulauan pitcairn|iles pitcairn|pitcairnoarna|pitcairnoyene
         pitkernas salas|νησοι πιτκερν|quan dao pitcairn
        PR|PRI|Puerto Rico
         porto rico|púertó ríkó|puertoriko|puerto rikas|portoryko|portoriko|порторико|пуерто рико|пуэрто-рико
         πουέρτο ρίκο|بورتوريكو|פוארטו ריקו|پورتوریکو|पोर्टो रिको|波多黎各|プエルトリコ|푸에르토리코|เปอร์โตริโก|πουερτο ρικο
         estado libre asociado de puerto rico|borinquen|borinquén|commonwealth of puerto rico
        PS|PSE|Palestine
         palästina|palestina|palestyna|فلسطين|παλαιστίνη|παλαιστινη|палестина
         state of palestine|palestinian territories|الأراضي الفلسطينية|palästinensische autonomiegebiete
         territoires palestiniens|territorios palestinos|territori palestinesi|territórios palestinos
         palestijnse gebieden|palestinska territorierna|de palæstinensiske områder|det palestinske området
         palestiinalaisalue|heimastjórnarsvæði palestínumanna|palestiina alad|palestīnas teritorijas
         palestinos teritorija|terytoria palestyńskie|palestinská území|palestínske územia|palestinsko ozemlje
         palestinsko područje|палестинске територије|palesztin terület|teritoriile palestiniene
         палестински територии|палестинські території|палестинские территории|παλαιστινιακά εδάφη
         filistin bölgeleri|territoris palestins|השטחים הפלסטיניים|سرزمینهای فلسطینی|फ़िलिस्तीनी क्षेत्र|巴勒斯坦领土|巴勒斯坦自治區
         パレスチナ自治区|팔레스타인 지구|lãnh thổ palestine|ดินแดนปาเลสไตน์|wilayah palestina|الاراضي الفلسطينية
         palastinensische autonomiegebiete|de palaestinensiske omrader|det palestinske omradet
         heimastjornarsvaedi palestinumanna|palestinas teritorijas|terytoria palestynskie|palestinska uzemi
         palestinske uzemia|palestinsko podrucje|palesztin terulet|палестинські територіі|παλαιστινιακα εδαφη
         filistin bolgeleri|lanh tho palestine
         دولة فلسطين|السلطة الفلسطينية|filasṭīn|filastin|falasteen|palestinian authority|palestinian territory
         palestinian territory occupied|occupied palestinian territory|west bank|gaza strip|הרשות הפלסטינית|פלסטין
         الضفة الغربية|قطاع غزة|فلسطين المحتلة|palastina
        PT|PRT|Portugal
         portuguese republic|portogallo|portugali|portúgal|portugāle|portugalija|portugalia|portugalsko
         portugalska|португалија|portugália|португалия|португалія|πορτογαλία|portekiz|البرتغال|פורטוגל|پرتغال|पुर्तगाल
         葡萄牙|ポルトガル|포르투갈|bồ đào nha|โปรตุเกส|república portuguesa|portugale|πορτογαλια|bo dao nha
         republica portuguesa
         pertual|açores|acores|açores portugal|acores portugal
        PW|PLW|Palau
         palaos|palá|belau|палау|παλάου|بالاو|פלאו|پالائو|पलाऊ|帕劳|帛琉|パラオ|팔라우|ปาเลา|pala|παλαου|پالايو
         beluu er a belau|republic of palau
        PY|PRY|Paraguay
         paraguai|paragvæ|paragvaja|paragvajus|paragwaj|paraguaj|paragvaj|парагвај|парагвай|παραγουάη|باراغواي
         פרגוואי|پاراگوئه|पराग्वे|巴拉圭|パラグアイ|파라과이|ปารากวัย|paragvae|парагваи|παραγουαη|پاراگويه
         paraguái|tetã paraguái|teta paraguai|república del paraguay|republica del paraguay|republic of paraguay
        QA|QAT|Qatar
         قطر|katar|catar|katara|kataras|катар|κατάρ|קטאר|क़तर|卡塔尔|卡達|カタール|카타르|กาตาร์|καταρ
         دولة قطر|state of qatar
        RE|REU|Réunion
         la réunion|reunión|riunione|reunião|reinjona|reunjonas|reunion|реинион|реюнион|реюньйон|реюньон|ρεϊνιόν
         illa de la reunió|روينيون|ראוניון|رئونیون|रियूनियन|留尼汪|留尼旺|レユニオン|레위니옹|เรอูนียง|la reunion|reuniao|реюньион
         ρεινιον|illa de la reunio|ريونیون
         île de la réunion|ile de la reunion|la rényon|la renyon|larénion|larenion|reunion island|ile de la réunion
         département de la réunion|departement de la reunion
        RO|ROU|Romania
         românia|rumänien|roumanie|rumanía|romênia|roemenië|rumænien|rúmenía|rumeenia|rumānija|rumunija|rumunia
         rumunsko|romunija|rumunjska|румунија|románia|румъния|румунія|румыния|ρουμανία|romanya|رومانيا|רומניה
         رومانی|रोमानिया|罗马尼亚|羅馬尼亞|ルーマニア|루마니아|โรมาเนีย|rumania|rumanien|romenia|roemenie|rumaenien|rumenia|rumanija
         ρουμανια
         romînia|rominia|roumania
        RS|SRB|Serbia
         србија|srbija|serbien|serbie|sérvia|servië|serbía|serbija|srbsko|szerbia|сърбия|сербія|сербия|σερβία
         sirbistan|sèrbia|صربيا|סרביה|صربستان|सर्बिया|塞尔维亚|塞爾維亞|セルビア|세르비아|เซอร์เบีย|servia|servie|σερβια
         република србија|republika srbija|republic of serbia|rs srbija
        RU|RUS|Russia
         russian federation|росси|раҫҫей|рузонь мастор|уӕрӕсе|россия|арассыыйа|russland|russie|rusia|rússia
         rusland|ryssland|venäjä|rússland|venemaa|krievija|rusija|rosja|rusko|русија|oroszország|русия|росія|ρωσία
         rusya|روسيا|רוסיה|روسیه|रूस|俄罗斯|俄羅斯|ロシア|러시아|รัสเซีย|российская федерация|рф|раҫҫеи|арассыыиа|venaja
         oroszorszag|ρωσια|россииская федерация
         rossiya|rossija|rossiia|rossiyskaya federatsiya|russian fed|russische föderation|russische foderation|рәсәй
         рәсәи|россия рф|fédération de russie|federation de russie|federación rusa|federacion rusa|россія
        RW|RWA|Rwanda
         u rwanda|ruanda|rúanda|руанда|ρουάντα|رواندا|רואנדה|रवांडा|卢旺达|盧安達|ルワンダ|르완다|รวันดา|ρουαντα
         repubulika y'u rwanda|république rwandaise|republique rwandaise|republic of rwanda
        SA|SAU|Saudi Arabia
         السعودية|saudi
         ksa|kingdom of saudi arabia|المملكة العربية السعودية|saudi-arabien|arabie saoudite|arabia saudí
         arabia saudita|arábia saudita|saoedi-arabië|sádi-arabía|saudi araabia|saūda arābija|saudo arabija
         arabia saudyjska|saúdská arábie|saudská arábia|saudova arabija|saudijska arabija|саудијска арабија
         szaúd-arábia|arabia saudită|саудитска арабия|саудівська аравія|саудовская аравия|σαουδική αραβία
         suudi arabistan|aràbia saudí|ערב הסעודית|عربستان سعودی|सऊदी अरब|沙特阿拉伯|沙烏地阿拉伯|サウジアラビア|사우디아라비아|ả rập xê-út
         ซาอุดีอาระเบีย|arab saudi|arabia saudi|saoedi arabie|sadi arabia|sauda arabija|saudska arabie|saudska arabia
         szaud arabia|σαουδικη αραβια|a rap xe ut
         السعوديه|المملكه العربيه السعوديه|as saudiyah|saudia
        SB|SLB|Solomon Islands
         salomonen|îles salomon|islas salomón|isole salomone|ilhas salomão|salomonseilanden|salomonöarna
         salomonøerne|salomonøyene|salomonsaaret|salómonseyjar|saalomoni saared|zālamana salas|saliamono salos
         wyspy salomona|šalamounovy ostrovy|šalamúnove ostrovy|salomonovi otoki|salomonovi otoci|соломонска острва
         salamon-szigetek|insulele solomon|соломонови острови|соломонові острови|соломоновы о-ва|νήσοι σολομώντοσ
         solomon adalari|illes salomó|جزر سليمان|איי שלמה|جزایر سلیمان|सोलोमन द्वीपसमूह|所罗门群岛|索羅門群島|ソロモン諸島|솔로몬 제도
         quần đảo solomon|หมู่เกาะโซโลมอน|kepulauan solomon|iles salomon|islas salomon|ilhas salomao|salomonoarna
         salomonoerne|salomonoyene|salomonseyjar|zalamana salas|salamounovy ostrovy|salamunove ostrovy
         νησοι σολομωντοσ|illes salomo|quan dao solomon
         solomon aelan|solomons
        SC|SYC|Seychelles
         seychellen|seicheles|seychellerna|seychellerne|seychellene|seychellit|seychelles-eyjar|seišellid
         seišelu salas|seišeliai|seszele|seychely|sejšeli|сејшели|seychelle-szigetek|сейшели|сейшельські острови
         сейшельские о-ва|σεϋχέλλεσ|seyşeller|سيشل|איי סיישל|سیشل|सेशेल्स|塞舌尔|塞席爾|セーシェル|세이셸|เซเชลส์|seisellid
         seiselu salas|seiseliai|sejseli|сеишели|сеишельські острови|сеишельские о ва|σευχελλεσ|seyseller
         sesel|repiblik sesel|république des seychelles|republique des seychelles|republic of seychelles
        SD|SDN|Sudan
         السودان|soudan|sudán|sudão|soedan|súdan|sudaan|sudāna|sudanas|súdán|судан|szudán|σουδάν|סודן|سودان|सूडान|苏丹
         蘇丹|スーダン|수단|ซูดาน|sudao|sudana|szudan|σουδαν
         جمهورية السودان|republic of the sudan|republic of sudan|as-sudan
        SE|SWE|Sweden
         ruoŧŧa|sverige|schweden|suède|suecia|svezia|suécia|zweden|ruotsi|svíþjóð|rootsi|zviedrija|švedija|szwecja
         švédsko|švedska|шведска|svédország|suedia|швеция|швеція|σουηδία|isveç|suècia|السويد|שוודיה|سوئد|स्वीडन|瑞典
         スウェーデン|스웨덴|thụy điển|สวีเดน|swedia|ruotta|suede|svithjod|svedija|svedsko|svedska|svedorszag|σουηδια|isvec
         سويد|thuy dien
         konungariket sverige|kingdom of sweden|ruotti
        SG|SGP|Singapore
         singapura|சிங்கப்பூர்|新加坡|singapur|singapour|singapúr|singapūra|singapūras|сингапур|szingapúr|сінгапур
         σιγκαπούρη|سنغافورة|סינגפור|سنگاپور|सिंगापुर|シンガポール|싱가포르|สิงคโปร์|singapuras|szingapur|σιγκαπουρη
         新加坡共和国|republik singapura|சிங்கப்பூர் குடியரசு|republic of singapore|星加坡|狮城
        SH|SHN|Saint Helena
         saint helena ascension and tristan da cunha|st helena|saint helena ascension & tristan da cunha
         st helena ascension and tristan da cunha|st helena ascension & tristan da cunha|sainte-hélène|santa elena
         sant'elena|santa helena|sint-helena|sankti helena|sv helēnas sala|šv elenos sala|wyspa świętej heleny
         svatá helena|svätá helena|sveta helena|света јелена|szent ilona|sfânta elena|света елена
         острів святої єлени|о-в св елены|αγία ελένη|سانت هيلينا|סנט הלנה|سنت هلن|सेंट हेलेना|圣赫勒拿|聖赫勒拿島|セントヘレナ|세인트헬레나
         เซนต์เฮเลนา|sainte helene|sv helenas sala|sv elenos sala|wyspa swietej heleny|svata helena|sfanta elena
         острів святоі єлени|αγια ελενη
         tristan da cunha
        SI|SVN|Slovenia
         slovenija|slowenien|slovénie|eslovenia|eslovênia|slovenië|slovenien|slóvenía|sloveenia|slovēnija
         slovėnija|słowenia|slovinsko|словенија|szlovénia|словения|словенія|σλοβενία|slovenya|eslovènia|سلوفينيا
         סלובניה|اسلوونی|स्लोवेनिया|斯洛文尼亚|斯洛維尼亞|スロベニア|슬로베니아|สโลวีเนีย|slovenie|slowenia|szlovenia|σλοβενια
         republika slovenija|republic of slovenia|rs slovenija
        SJ|SJM|Svalbard and Jan Mayen
         svalbard|svalbard & jan mayen|svalbard og jan mayen|spitzbergen und jan mayen|svalbard et jan mayen
         svalbard y jan mayen|svalbard e jan mayen|spitsbergen en jan mayen|svalbard och jan mayen
         huippuvuoret ja jan mayen|svalbarði og jan mayen|svalbard ja jan mayen|svalbāra un jana majena sala
         svalbardas ir janas majenas|svalbard i jan mayen|špicberky a jan mayen|svalbard a jan mayen
         svalbard in jan mayen|свалбард и јан мајен|svalbard és jan mayen|svalbard și jan mayen
         свалбард и ян майен|шпіцберген та ян-маєн|шпицберген и ян-майен|σβάλμπαρντ και γιαν μαγιέν
         svalbard ve jan mayen|سفالبارد وجان ماين|סבאלברד ויאן מאיין|سوالبارد و یان ماین|स्वालबार्ड और जान मायेन|斯瓦尔巴和扬马延
         挪威屬斯瓦巴及尖棉|スバールバル諸島 ヤンマイエン島|스발바르제도-얀마웬섬|svalbard và jan mayen|สฟาลบาร์และยานไมเอน
         kepulauan svalbard dan jan mayen|svalbardi og jan mayen|svalbara un jana majena sala
         spicberky a jan mayen|svalbard es jan mayen|svalbard si jan mayen|свалбард и ян маиен
         шпицберген и ян маиен|σβαλμπαρντ και γιαν μαγιεν|svalbard va jan mayen
        SK|SVK|Slovakia
         slovak republic|slovensko|slowakei|slovaquie|eslovaquia|slovacchia|eslováquia|slowakije|slovakien
         slovakiet|slóvakía|slovakkia|slovākija|slovakija|słowacja|slovaška|slovačka|словачка|szlovákia|slovacia
         словакия|словаччина|σλοβακία|slovakya|eslovàquia|سلوفاكيا|סלובקיה|اسلواکی|स्लोवाकिया|斯洛伐克|スロバキア|슬로바키아|สโลวะเกีย
         slovenská republika|slowakische republik|slowacja|slovaska|slovacka|szlovakia|σλοβακια
         slovenska republika
         slovak rep
        SL|SLE|Sierra Leone
         𞤧𞤢𞤪𞤢𞤤𞤮𞤲|seraa liyon|sierra leona|serra leoa|síerra leóne|sjerraleone|siera leonė|sijera leone
         сијера леоне|сиера леоне|сьєрра-леоне|сьерра-леоне|σιέρα λεόνε|سيراليون|סיירה לאון|سیرالئون|सिएरा लियोन|塞拉利昂
         獅子山共和國|シエラレオネ|시에라리온|เซียร์ราลีโอน|siera leone|σιερα λεονε|سیراليون
         republic of sierra leone
        SM|SMR|San Marino
         saint-marin|san marínó|sanmarīno|san marinas|san maríno|сан марино|άγιοσ μαρίνοσ|سان مارينو|סן מרינו
         سانمارینو|सैन मेरीनो|圣马力诺|聖馬利諾|サンマリノ|산마리노|ซานมาริโน|αγιοσ μαρινοσ
         serenissima repubblica di san marino|repubblica di san marino|republic of san marino|san maràn|san maran
         san marein|rep san marino|rep di san marino
        SN|SEN|Senegal
         𞤧𞤫𞤲𞤫𞤺𞤢𞥄𞤤|senegaal|sénégal|senegāla|senegalas|сенегал|szenegál|σενεγάλη|السنغال|סנגל|سنگال|सेनेगल|塞内加尔|塞內加爾
         セネガル|세네갈|เซเนกัล|senegala|szenegal|σενεγαλη
         république du sénégal|republique du senegal|réewum senegaal|reewum senegaal|republic of senegal
        SO|SOM|Somalia
         الصومال|soomaaliya|somalie|somália|somalië|sómalía|somaalia|somālija|somalis|somálsko|somalija|сомалија
         szomália|сомалия|сомалі|сомали|σομαλία|somali|somàlia|סומליה|سومالی|सोमालिया|索马里|索馬利亞|ソマリア|소말리아|โซมาเลีย
         somalsko|szomalia|σομαλια
         jamhuuriyadda federaalka soomaaliya|جمهورية الصومال الفيدرالية|federal republic of somalia|somaliland
         soomaaliland|jamhuuriyadda soomaaliya|somali republic
        SR|SUR|Suriname
         surinam|súrínam|surinama|surinamas|суринам|σουρινάμ|سورينام|סורינאם|سورینام|सूरीनाम|苏里南|蘇利南|スリナム|수리남|ซูรินาเม
         σουριναμ
         republiek suriname|sranankondre|republic of suriname
        SS|SSD|South Sudan
         جنوب السودان|südsudan|soudan du sud|sudán del sur|sud sudan|sudão do sul|zuid-soedan|sydsudan|sør-sudan
         etelä-sudan|suður-súdan|lõuna-sudaan|dienvidsudāna|pietų sudanas|sudan południowy|jižní súdán|južný sudán
         južni sudan|јужни судан|dél-szudán|sudanul de sud|южен судан|південний судан|южный судан|νότιο σουδάν
         güney sudan|sudan del sud|דרום סודן|سودان جنوبی|दक्षिण सूडान|南苏丹|南蘇丹|南スーダン|남수단|nam sudan|ซูดานใต้|sudan selatan
         sudan del sur|sudao do sul|sor sudan|etela sudan|sudur sudan|louna sudaan|dienvidsudana|pietu sudanas
         sudan poludniowy|jizni sudan|juzny sudan|juzni sudan|del szudan|південнии судан|южныи судан|νοτιο σουδαν
         guney sudan
         republic of south sudan|paguot thudän|paguot thudan|junub as-sudan|s sudan
        ST|STP|São Tomé and Príncipe
         são tomé & príncipe|são tomé e príncipe|são tomé und príncipe|sao tomé-et-principe|santo tomé y príncipe
         sao tomé en principe|são tomé och príncipe|são tomé og príncipe|são tomé ja príncipe|saó tóme og prinsípe
         santome un prinsipi|san tomė ir prinsipė|wyspy świętego tomasza i książęca|svatý tomáš a princův ostrov
         svätý tomáš a princov ostrov|sao tome in principe|sveti toma i princip|сао томе и принципе
         são tomé és príncipe|são tomé și príncipe|сао томе и принсипи|сан-томе і принсіпі|сан-томе и принсипи
         σάο τομέ και πρίνσιπε|sao tome ve principe|são tomé i príncipe|ساو تومي وبرينسيبي|סאו טומה ופרינסיפה
         سائوتومه و پرینسیپ|साओ टोम और प्रिंसिपे|圣多美和普林西比|聖多美普林西比|サントメ プリンシペ|상투메 프린시페|são tomé và príncipe|เซาตูเมและปรินซิปี
         sao tome dan principe|sao tome and principe|sao tome & principe|sao tome e principe|sao tome und principe
         sao tome et principe|santo tome y principe|sao tome en principe|sao tome och principe
         sao tome og principe|sao tome ja principe|sao tome og prinsipe|san tome ir prinsipe
         wyspy swietego tomasza i ksiazeca|svaty tomas a princuv ostrov|svaty tomas a princov ostrov
         sao tome es principe|sao tome si principe|σαο τομε και πρινσιπε|sao tome i principe|سايوتومه و پرینسیپ
         sao tome va principe
         república democrática de são tomé e príncipe|republica democratica de sao tome e principe|são tomé|sao tome
         s tomé e príncipe|s tome e principe|democratic republic of são tomé and príncipe
         democratic republic of sao tome and principe
        SV|SLV|El Salvador
         salvador|salvadora|salvadoras|salwador|salvádor|салвадор|сальвадор|ελ σαλβαδόρ|السلفادور|אל סלבדור
         السالوادور|अल सल्वाडोर|萨尔瓦多|薩爾瓦多|エルサルバドル|엘살바도르|เอลซัลวาดอร์|ελ σαλβαδορ
         república de el salvador|republica de el salvador|republic of el salvador|cuzcatlán|cuzcatlan
        SX|SXM|Sint Maarten
         saint-martin partie néerlandaise|sintmārtena|sint martenas|svatý martin nizozemsko|svätý martin hol
         свети мартин холандија|синт мартен|сінт-мартен|άγιοσ μαρτίνοσ ολλανδικό τμήμα|سانت مارتن|סנט מארטן
         سنت مارتن|सिंट मार्टिन|荷属圣马丁|荷屬聖馬丁|シント マールテン|신트마르턴|ซินต์มาร์เทน|saint martin partie neerlandaise|sintmartena
         svaty martin nizozemsko|svaty martin hol|αγιοσ μαρτινοσ ολλανδικο τμημα
         st maarten|sint maarten dutch part
        SY|SYR|Syria
         syrian arab republic|سوريا|syrie|ܣܘܪܝܐ|syrien|siria|síria|syrië|syyria|sýrland|süüria|sīrija|sirija|sýrie
         sýria|сирија|szíria|сирия|сирія|συρία|suriye|סוריה|سوریه|सीरिया|叙利亚|敘利亞|シリア|시리아|ซีเรีย|suriah|syrland|suuria
         sziria|συρια
         سورية|الجمهورية العربية السورية|sūriyā|sûriyê|سوريه|sûrîye
        SZ|SWZ|Eswatini
         swaziland|esuatini|essuatíni|esvatíní|svaasimaa|svatini|svazilandas|esvatini|свазиленд|szváziföld
         есватини|есватіні|эсватини|εσουατίνι|إسواتيني|אסוואטיני|اسواتینی|एस्वाटिनी|斯威士兰|史瓦帝尼|エスワティニ|에스와티니|เอสวาตีนี
         essuatini|szvazifold|εσουατινι|اسواتيني
         umbuso weswatini|kingdom of eswatini|kingdom of swaziland|kangwane
        TC|TCA|Turks and Caicos
         turks and caicos islands|turks & caicos islands|turks & caicos|islas turcas y caicos
         turks- und caicosinseln|îles turques-et-caïques|isole turks e caicos|ilhas turcas e caicos
         turks- en caicoseilanden|turks- och caicosöarna|turks- og caicosøerne|turks- og caicosøyene
         turks- ja caicossaaret|turks- og caicoseyjar|turks ja caicos|tērksas un kaikosas salas
         terkso ir kaikoso salos|turks i caicos|turks a caicos|otoki turks in caicos|otoci turks i caicos
         острва туркс и каикос|turks- és caicos-szigetek|insulele turks și caicos|острови търкс и кайкос
         острови теркс і кайкос|тёркс и кайкос|νήσοι τερκσ και κάικοσ|turks ve caicos adalari|illes turks i caicos
         جزر توركس وكايكوس|איי טרקס וקייקוס|جزایر تورکس و کایکوس|तुर्क और कैकोज़ द्वीपसमूह|特克斯和凯科斯群岛|土克斯及開科斯群島|タークス カイコス諸島
         터크스 케이커스 제도|quần đảo turks và caicos|หมู่เกาะเติกส์และหมู่เกาะเคคอส|kepulauan turks dan caicos
         iles turques et caiques|turks och caicosoarna|turks og caicosoerne|turks og caicosoyene
         terksas un kaikosas salas|turks es caicos szigetek|insulele turks si caicos|острови търкс и каикос
         острови теркс і каикос|теркс и каикос|νησοι τερκσ και καικοσ|quan dao turks va caicos
        TD|TCD|Chad
         تشاد|tchad|tschad|ciad|chade|tsjaad|tsjad|tšad|tšaad|čada|čadas|czad|čad|чад|csád|τσαντ|çad|txad|צ אד|چاد
         चाड|乍得|查德|チャド|차드|ชาด|tsad|tsaad|cada|cadas|cad|csad
         جمهورية تشاد|république du tchad|republique du tchad|republic of chad
        TF|ATF|French Southern Territories
         französische süd- und antarktisgebiete|terres australes françaises|territorios australes franceses
         terre australi francesi|territórios franceses do sul|franse gebieden in de zuidelijke indische oceaan
         franska sydterritorierna|de franske besiddelser i det sydlige indiske ocean og antarktis
         de franske sørterritorier|ranskan eteläiset ja antarktiset alueet|frönsku suðlægu landsvæðin
         prantsuse lõunaalad|francijas dienvidjūru teritorija|prancūzijos pietų sritys
         francuskie terytoria południowe i antarktyczne|francouzská jižní území
         francúzske južné a antarktické územia|francosko južno ozemlje|francuski južni teritoriji
         француске јужне територије|francia déli területek|teritoriile australe și antarctice franceze
         френски южни територии|французькі південні території|французские южные территории|γαλλικά νότια εδάφη
         fransiz güney topraklari|terres australs antàrtiques franceses|الأقاليم الجنوبية الفرنسية
         הטריטוריות הדרומיות של צרפת|سرزمینهای جنوبی فرانسه|फ़्रांसीसी दक्षिणी क्षेत्र|法属南部领地|法屬南部屬地|仏領極南諸島|프랑스령 남방 지역
         lãnh thổ phía nam thuộc pháp|เฟรนช์เซาเทิร์นเทร์ริทอรีส์|wilayah selatan prancis
         franzosische sud und antarktisgebiete|terres australes francaises|territorios franceses do sul
         de franske sorterritorier|ranskan etelaiset ja antarktiset alueet|fronsku sudlaegu landsvaedin
         prantsuse lounaalad|francijas dienvidjuru teritorija|prancuzijos pietu sritys
         francuskie terytoria poludniowe i antarktyczne|francouzska jizni uzemi
         francuzske juzne a antarkticke uzemia|francosko juzno ozemlje|francuski juzni teritoriji
         francia deli teruletek|teritoriile australe si antarctice franceze|французькі південні територіі
         γαλλικα νοτια εδαφη|fransiz guney topraklari|terres australs antartiques franceses
         الاقاليم الجنوبية الفرنسية|lanh tho phia nam thuoc phap
         taaf|terres australes et antarctiques françaises|terres australes et antarctiques francaises
        TG|TGO|Togo
         togo nutome|tógó|togas|того|τόγκο|توغو|טוגו|توگو|टोगो|多哥|トーゴ|토고|โตโก|τογκο
         république togolaise|republique togolaise|togolese republic
        TH|THA|Thailand
         ไทย|thaïlande|tailandia|thailandia|tailândia|thaimaa|taíland|tai|taizeme|tailandas|tajlandia|thajsko
         tajska|tajland|тајланд|thaiföld|thailanda|тайланд|таїланд|таиланд|ταϊλάνδη|tayland|tailàndia|تايلاند
         תאילנד|تایلند|थाईलैंड|泰国|泰國|タイ|태국|thái lan|thailande|tailand|thaifold|таіланд|ταιλανδη|thai lan
         ประเทศไทย|เมืองไทย|ราชอาณาจักรไทย|ปท ไทย|prathet thai|mueang thai|muang thai|ratcha-anachak thai|siam|สยาม
         kingdom of thailand
        TJ|TJK|Tajikistan
         тоҷикистон|tadschikistan|tadjikistan|tayikistán|tagikistan|tadjiquistão|tadzjikistan|tadsjikistan
         tadžikistan|tadsíkistan|tadžikistāna|tadžikija|tadżykistan|tádžikistán|таџикистан|tádzsikisztán
         таджикистан|τατζικιστάν|tacikistan|طاجيكستان|טג יקיסטן|تاجیکستان|ताजिकिस्तान|塔吉克斯坦|塔吉克|タジキスタン|타지키스탄|ทาจิกิสถาน
         tayikistan|tadjiquistao|tadzikistan|tadsikistan|tadzikistana|tadzikija|tadzykistan|tadzsikisztan
         τατζικισταν
         ҷумҳурии тоҷикистон|республика таджикистан|tojikiston|tadzhikistan|republic of tajikistan
        TK|TKL|Tokelau
         tokelauöarna|tókelá|токелау|τοκελάου|توكيلاو|טוקלאו|توکلائو|तोकेलाउ|托克劳|托克勞群島|トケラウ|토켈라우|โตเกเลา|tokelauoarna
         tokela|τοκελαου|توکلايو
        TL|TLS|Timor-Leste
         east timor|timor oriental|timor est|oost-timor|östtimor|øst-timor|itä-timor|tímor-leste|ida-timor
         austrumtimora|rytų timoras|timor wschodni|východní timor|východný timor|тимор-лесте источни тимор
         kelet-timor|тимор лесте|тимор-лешті|восточный тимор|τιμόρ-λέστε|تيمور - ليشتي|טימור-לסטה|تیمور-لسته
         तिमोर-लेस्त|东帝汶|東帝汶|東ティモール|동티모르|ติมอร์-เลสเต|osttimor|ita timor|rytu timoras|vychodni timor|vychodny timor
         восточныи тимор|τιμορ λεστε
         timor lorosa'e|timór-leste|república democrática de timor-leste|republica democratica de timor leste
         repúblika demokrátika timór-leste|republika demokratika timor leste|democratic republic of timor-leste
        TM|TKM|Turkmenistan
         türkmenistan|turkménistan|turkmenistán|turcomenistão|túrkmenistan|turkmenistāna|turkmėnistanas|turkménsko
         туркменистан|türkmenisztán|туркменістан|τουρκμενιστάν|تركمانستان|טורקמניסטן|ترکمنستان|तुर्कमेनिस्तान|土库曼斯坦|土庫曼
         トルクメニスタン|투르크메니스탄|เติร์กเมนิสถาน|turcomenistao|turkmenistana|turkmenistanas|turkmensko|turkmenisztan
         τουρκμενισταν
         туркмения|türkmenistan respublikasy|turkmenistan respublikasy|turkmenia|түркменистан
        TN|TUN|Tunisia
         تونس|tunisie|tunesien|túnez|tunísia|tunesië|tunisien|túnis|tuneesia|tunisija|tunisas|tunezja|tunisko
         tunizija|tunis|тунис|tunézia|туніс|τυνησία|tunus|תוניסיה|ट्यूनीशिया|突尼斯|突尼西亞|チュニジア|튀니지|ตูนิเซีย|tunez|tunesie
         tunezia|τυνησια
         الجمهورية التونسية|république tunisienne|republique tunisienne|tunisian republic|ⵜⵓⵏⴻⵙ|tounes
        TO|TON|Tonga
         тонга|τόνγκα|تونغا|טונגה|تونگا|टोंगा|汤加|東加|トンガ|통가|ตองกา|τονγκα
         pule'anga fakatu'i 'o tonga|pule'anga tonga|kingdom of tonga
        TR|TUR|Turkey
         türkiye|republic of turkey|republic of türkiye|tirkîye|türkei|turquie|turquía|turchia|turquia|turkije
         turkiet|tyrkiet|tyrkia|turkki|tyrkland|türgi|turcija|turkija|turcja|turecko|turčija|turska|турска
         törökország|turcia|турция|туреччина|τουρκία|تركيا|טורקיה|ترکیه|तुर्किये|土耳其|トルコ|튀르키예|thổ nhĩ kỳ|ตุรกี|turki
         türkiye cumhuriyeti|turkiye|republic of turkiye|tirkiye|turkei|turgi|torokorszag|τουρκια|tho nhi ky
         turkiye cumhuriyeti
         türkiye c|turkiye c|tr türkiye|tr turkiye|türkiye - tr|turkiye tr
        TT|TTO|Trinidad and Tobago
         trinidad|tobago|trinidad & tobago|trinidad y tobago|trinidad und tobago|trinité-et-tobago
         trinidad e tobago|trinidad en tobago|trinidad och tobago|trinidad og tobago|trinidad ja tobago
         trínidad og tóbagó|trinidāda un tobāgo|trinidadas ir tobagas|trynidad i tobago|trinidad a tobago
         trinidad in tobago|trinidad i tobago|тринидад и тобаго|trinidad és tobago|trinidad și tobago
         тринідад і тобаго|τρινιντάντ και τομπάγκο|trinidad ve tobago|ترينيداد وتوباغو|טרינידד וטובגו
         ترینیداد و توباگو|त्रिनिदाद और टोबैगो|特立尼达和多巴哥|千里達及托巴哥|トリニダード トバゴ|트리니다드 토바고|trinidad và tobago|ตรินิแดดและโตเบโก
         trinidad dan tobago|trinite et tobago|trinidada un tobago|trinidad es tobago|trinidad si tobago
         τρινινταντ και τομπαγκο|trinidad va tobago
         trinbago|republic of trinidad and tobago|t&t|trinidad/tobago|trinidad tobago
        TV|TUV|Tuvalu
         túvalú|тувалу|τουβαλού|توفالو|טובאלו|تووالو|तुवालू|图瓦卢|吐瓦魯|ツバル|투발루|ตูวาลู|τουβαλου
         ellice islands
        TW|TWN|Taiwan
         taiwan republic of china|republic of china|chinese taipei|台灣|taïwan|taiwán|taívan|taivāna|taivanas|tajwan
         tchaj-wan|tajvan|тајван|тайван|тайвань|ταϊβάν|tayvan|تايوان|טייוואן|تایوان|ताइवान|台湾|대만|đài loan|ไต้หวัน|中華民國
         臺灣|taivan|taivana|таиван|таивань|ταιβαν|dai loan
         中华民国|台灣 中華民國|taiwan r o c|roc taiwan|republic of china taiwan|tâi-oân|tai oan|táiwān|taiwan province of china
         中華臺北|台灣省
        TZ|TZA|Tanzania
         united republic of tanzania|tadhania|hutanzania|taansanía|tansania|tansaniya|tanzanie|tanzânia|tansanía
         tansaania|tanzānija|tanzanija|tanzánia|танзанија|танзания|танзанія|τανζανία|tanzanya|tanzània|تنزانيا
         טנזניה|تانزانیا|तंज़ानिया|坦桑尼亚|坦尚尼亞|タンザニア|탄자니아|แทนซาเนีย|taansania|τανζανια
         jamhuri ya muungano wa tanzania|tanzania united republic of|tanganyika
        UA|UKR|Ukraine
         украина|україна|אוקראַינע|ucrania|ucraina|ucrânia|oekraïne|ukraina|úkraína|ukrajina|украјина|ukrajna
         украйна|ουκρανία|ukrayna|ucraïna|أوكرانيا|אוקראינה|اوکراین|यूक्रेन|乌克兰|烏克蘭|ウクライナ|우크라이나|ยูเครน|украіна|אוקראינע
         oekraine|ουκρανια|اوكرانيا
         ukrayina|ukraïna|the ukraine
        UG|UGA|Uganda
         yuganda|ouganda|oeganda|úganda|уганда|ουγκάντα|أوغندا|אוגנדה|اوگاندا|युगांडा|乌干达|烏干達|ウガンダ|우간다|ยูกันดา|ουγκαντα
         اوغندا
         jamhuri ya uganda|republic of uganda
        UM|UMI|U.S. Outlying Islands
         united states minor outlying islands|amerikanische überseeinseln|îles mineures éloignées des é -u
         islas menores alejadas de ee uu|isole minori esterne degli stati uniti|ilhas menores distantes dos eua
         kleine afgelegen eilanden van de verenigde staten|usa s yttre öar|amerikanske oversøiske øer
         usas ytre øyer|yhdysvaltain erillissaaret|smáeyjar bandaríkjanna|ühendriikide hajasaared
         asv mazās aizjūras salas|jungtinių valstijų mažosios tolimosios salos|dalekie wyspy stanów zjednoczonych
         menší odlehlé ostrovy usa|menšie odľahlé ostrovy usa|stranski zunanji otoki združenih držav
         mali udaljeni otoci sad-a|удаљена острва сад|az usa lakatlan külbirtokai|insulele îndepărtate ale s u a
         отдалечени острови на сащ|віддалені острови сша|внешние малые о-ва сша|απομακρυσμένεσ νησίδεσ ηπα
         abd küçük harici adalari|illes menors allunyades dels estats units|جزر الولايات المتحدة النائية
         האיים המרוחקים הקטנים של ארה ב|جزایر دورافتادهٔ ایالات متحده|यू एस दूरस्थ द्वीपसमूह|美国本土外小岛屿|美國本土外小島嶼|合衆国領有小離島
         미국령 해외 제도|các tiểu đảo xa của hoa kỳ|หมู่เกาะรอบนอกของสหรัฐอเมริกา|kepulauan terluar as
         amerikanische uberseeinseln|iles mineures eloignees des e u|usa s yttre oar|amerikanske oversoiske oer
         usas ytre oyer|smaeyjar bandarikjanna|uhendriikide hajasaared|asv mazas aizjuras salas
         jungtiniu valstiju mazosios tolimosios salos|dalekie wyspy stanow zjednoczonych|mensi odlehle ostrovy usa
         mensie odlahle ostrovy usa|stranski zunanji otoki zdruzenih drzav|az usa lakatlan kulbirtokai
         insulele indepartate ale s u a|απομακρυσμενεσ νησιδεσ ηπα|abd kucuk harici adalari
         جزر الولايات المتحدة النايية|جزایر دورافتاده ایالات متحده|cac tieu dao xa cua hoa ky
        US|USA|United States
         united states of america|the united states|the united states of america|america|u s of a|ꮜꮚ ꭲᏻꮎꮅꮝꮤꮕ ꮝꭶꮪꭹ
         estados unidos|'amelika hui pū 'ia|mílahaŋska tȟamákȟočhe|vereinigte staaten|états-unis|stati uniti
         verenigde staten|yhdysvallat|bandaríkin|ameerika ühendriigid|amerikas savienotās valstis
         jungtinės valstijos|stany zjednoczone|spojené státy|spojené štáty|združene države amerike
         sjedinjene američke države|сједињене државе|egyesült államok|statele unite ale americii|съединени щати
         сполучені штати|соединенные штаты америки|ηνωμένεσ πολιτείεσ|amerika birleşik devletleri|estats units
         الولايات المتحدة|ארצות הברית|ایالات متحده|संयुक्त राज्य अमेरिका|美国|美國|アメリカ合衆国|미국|hoa kỳ|สหรัฐอเมริกา|amerika serikat
         ee uu|estados unidos de américa|estados unidos da américa|eua|états-unis d'amérique
         vereinigte staaten von amerika|stati uniti d'america|verenigde staten van amerika
         stany zjednoczone ameryki|сша|соединённые штаты америки|アメリカ|美利坚合众国|amelika hui pu ia
         milahaŋska thamakhoche|etats unis|bandarikin|ameerika uhendriigid|amerikas savienotas valstis
         jungtines valstijos|spojene staty|zdruzene drzave amerike|sjedinjene americke drzave|egyesult allamok
         ηνωμενεσ πολιτειεσ|amerika birlesik devletleri|hoa ky|estados unidos de america|estados unidos da america
         etats unis damerique
         estados unidos de norteamérica|estados unidos de norteamerica|etats-unis d'amérique|united states us
         united states usa|u s of america|united states of america usa|amerikas förenta stater|amerikas forenta stater
        UY|URY|Uruguay
         uruguai|úrúgvæ|urugvaja|urugvajus|urugwaj|uruguaj|urugvaj|уругвај|уругвай|ουρουγουάη|أورغواي|אורוגוואי
         اروگوئه|उरूग्वे|乌拉圭|烏拉圭|ウルグアイ|우루과이|อุรุกวัย|urugvae|уругваи|ουρουγουαη|اورغواي|اروگويه
         república oriental del uruguay|republica oriental del uruguay|oriental republic of uruguay
        UZ|UZB|Uzbekistan
         ўзбекистон|o'zbekiston|usbekistan|ouzbékistan|uzbekistán|uzbequistão|oezbekistan|úsbekistan|uzbekistāna
         uzbekistanas|узбекистан|üzbegisztán|ουζμπεκιστάν|özbekistan|أوزبكستان|אוזבקיסטן|ازبکستان|उज़्बेकिस्तान|乌兹别克斯坦
         烏茲別克|ウズベキスタン|우즈베키스탄|อุซเบกิสถาน|узбекистон|ouzbekistan|uzbequistao|uzbekistana|uzbegisztan|ουζμπεκισταν
         ozbekistan|اوزبكستان
         o'zbekiston respublikasi|ўзбекистон республикаси|узбекистон республикаси|республика узбекистан|uzbekiston
         republic of uzbekistan|өзбекстан|ózbekstan|ozbekstan
        VA|VAT|Vatican City
         vatican|holy see|vatican city state|città del vaticano|vatikanstadt|état de la cité du vatican
         ciudad del vaticano|cidade do vaticano|vaticaanstad|vatikanstaten|vatikaani|vatíkanið|vatikan|vatikāns
         vatikano miesto valstybė|watykan|vatikán|ватикан|statul cetății vaticanului|βατικανό|ciutat del vaticà
         الفاتيكان|הוותיקן|واتیکان|वेटिकन सिटी|梵蒂冈|梵蒂岡|バチカン市国|바티칸 시국|thành vatican|นครวาติกัน|citta del vaticano
         etat de la cite du vatican|vatikanid|vatikans|vatikano miesto valstybe|statul cetatii vaticanului
         βατικανο|ciutat del vatica|thanh vatican
         stato della città del vaticano|stato della citta del vaticano|status civitatis vaticanae|civitas vaticana
         santa sede|sancta sedes|città del vaticano scv|citta del vaticano scv|holy see vatican city state|saint-siège
         saint siege
        VC|VCT|Saint Vincent and the Grenadines
         saint vincent|st vincent & grenadines|saint vincent & the grenadines|st vincent and the grenadines
         st vincent & the grenadines|st vincent|saint vincent & grenadines|saint vincent and grenadines
         st vincent and grenadines|san vicente y las granadinas|st vincent und die grenadinen
         saint-vincent-et-les grenadines|saint vincent e grenadine|são vicente e granadinas
         saint vincent en de grenadines|s t vincent och grenadinerna|saint vincent og grenadinerne
         st vincent og grenadinene|saint vincent ja grenadiinit|sankti vinsent og grenadíneyjar
         saint vincent ja grenadiinid|sentvinsenta un grenadīnas|šventasis vincentas ir grenadinai
         saint vincent i grenadyny|svatý vincenc a grenadiny|svätý vincent a grenadíny|saint vincent in grenadine
         sveti vincent i grenadini|сент винсент и гренадини|saint vincent és a grenadine-szigetek
         saint vincent și grenadinele|сейнт винсънт и гренадини|сент-вінсент і гренадіни|сент-винсент и гренадины
         άγιοσ βικέντιοσ και γρεναδίνεσ|saint vincent ve grenadinler|saint vincent i les grenadines
         سانت فنسنت وجزر غرينادين|סנט וינסנט והגרנדינים|سنت وینسنت و گرنادین|सेंट विंसेंट और ग्रेनाडाइंस|圣文森特和格林纳丁斯|聖文森及格瑞那丁
         セントビンセント及びグレナディーン諸島|세인트빈센트그레나딘|st vincent và grenadines|เซนต์วินเซนต์และเกรนาดีนส์|saint vincent dan grenadine
         sao vicente e granadinas|sankti vinsent og grenadineyjar|sentvinsenta un grenadinas
         sventasis vincentas ir grenadinai|svaty vincenc a grenadiny|svaty vincent a grenadiny
         saint vincent es a grenadine szigetek|saint vincent si grenadinele|сеинт винсънт и гренадини
         αγιοσ βικεντιοσ και γρεναδινεσ|st vincent va grenadines
        VE|VEN|Venezuela
         bolivarian republic of venezuela|wenesuera|venesúela|venecuēla|venesuela|wenezuela|венецуела|венесуела
         венесуэла|βενεζουέλα|veneçuela|فنزويلا|ונצואלה|ونزوئلا|वेनेज़ुएला|委内瑞拉|委內瑞拉|ベネズエラ|베네수엘라|เวเนซุเอลา|venecuela
         βενεζουελα|ونزويلا
         república bolivariana de venezuela|republica bolivariana de venezuela|venezuela bolivarian republic of
         rep bol de venezuela|república de venezuela|republica de venezuela|venezuela rb
        VG|VGB|British Virgin Islands
         virgin islands british|bvi|islas vírgenes británicas|britische jungferninseln|îles vierges britanniques
         isole vergini britanniche|ilhas virgens britânicas|britse maagdeneilanden|brittiska jungfruöarna
         de britiske jomfruøer|de britiske jomfruøyene|brittiläiset neitsytsaaret|bresku jómfrúaeyjar
         briti neitsisaared|britu virdžīnas|didžiosios britanijos mergelių salos|brytyjskie wyspy dziewicze
         britské panenské ostrovy|britanski deviški otoki|britanski djevičanski otoci|британска девичанска острва
         brit virgin-szigetek|insulele virgine britanice|британски вирджински острови
         британські віргінські острови|виргинские о-ва великобритания|βρετανικέσ παρθένεσ νήσοι
         britanya virjin adalari|illes verges britàniques|جزر فيرجن البريطانية|איי הבתולה הבריטיים
         جزایر ویرجین بریتانیا|ब्रिटिश वर्जिन द्वीपसमूह|英属维尔京群岛|英屬維京群島|英領ヴァージン諸島|영국령 버진아일랜드|quần đảo virgin thuộc anh
         หมู่เกาะบริติชเวอร์จิน|kepulauan virgin britania raya|islas virgenes britanicas|iles vierges britanniques
         ilhas virgens britanicas|brittiska jungfruoarna|de britiske jomfruoer|de britiske jomfruoyene
         brittilaiset neitsytsaaret|bresku jomfruaeyjar|britu virdzinas|didziosios britanijos mergeliu salos
         britske panenske ostrovy|britanski deviski otoki|britanski djevicanski otoci|βρετανικεσ παρθενεσ νησοι
         illes verges britaniques|quan dao virgin thuoc anh
         virgin islands uk
        VI|VIR|U.S. Virgin Islands
         virgin islands u s|usvi|islas vírgenes de ee uu|amerikanische jungferninseln|îles vierges des états-unis
         isole vergini americane|ilhas virgens americanas|amerikaanse maagdeneilanden|amerikanska jungfruöarna
         de amerikanske jomfruøer|de amerikanske jomfruøyene|yhdysvaltain neitsytsaaret|bandarísku jómfrúaeyjar
         usa neitsisaared|asv virdžīnas|jungtinių valstijų mergelių salos|wyspy dziewicze stanów zjednoczonych
         americké panenské ostrovy|ameriški deviški otoki|američki djevičanski otoci|америчка девичанска острва
         amerikai virgin-szigetek|insulele virgine americane|американски вирджински острови|віргінські острови сша
         виргинские о-ва сша|αμερικανικέσ παρθένεσ νήσοι|abd virjin adalari|illes verges dels estats units
         جزر فيرجن الأمريكية|איי הבתולה של ארצות הברית|جزایر ویرجین ایالات متحده|यू एस वर्जिन द्वीपसमूह|美属维尔京群岛|美屬維京群島
         米領ヴァージン諸島|미국령 버진아일랜드|quần đảo virgin thuộc hoa kỳ|หมู่เกาะเวอร์จินของสหรัฐอเมริกา
         kepulauan virgin amerika serikat|islas virgenes de ee uu|iles vierges des etats unis
         amerikanska jungfruoarna|de amerikanske jomfruoer|de amerikanske jomfruoyene|bandarisku jomfruaeyjar
         asv virdzinas|jungtiniu valstiju mergeliu salos|wyspy dziewicze stanow zjednoczonych
         americke panenske ostrovy|ameriski deviski otoki|americki djevicanski otoci|αμερικανικεσ παρθενεσ νησοι
         جزر فيرجن الامريكية|quan dao virgin thuoc hoa ky
         virgin islands of the united states
        VN|VNM|Vietnam
         việt nam|viêt nam|vietnã|víetnam|vjetnama|vietnamas|wietnam|vijetnam|вијетнам|vietnám|виетнам|в'єтнам
         вьетнам|βιετνάμ|فيتنام|וייטנאם|ویتنام|वियतनाम|越南|ベトナム|베트남|เวียดนาม|vietna|βιετναμ
         cộng hòa xã hội chủ nghĩa việt nam|cong hoa xa hoi chu nghia viet nam|chxhcn việt nam|chxhcn viet nam
         nước việt nam|nuoc viet nam|socialist republic of vietnam|s r vietnam
        VU|VUT|Vanuatu
         vanúatú|вануату|βανουάτου|فانواتو|ונואטו|وانواتو|वनुआतू|瓦努阿图|萬那杜|バヌアツ|바누아투|วานูอาตู|βανουατου
         ripablik blong vanuatu|république de vanuatu|republique de vanuatu|republic of vanuatu|new hebrides
         nouvelles-hébrides|nouvelles hebrides
        WF|WLF|Wallis and Futuna
         wallis & futuna|wallis-et-futuna|wallis und futuna|wallis y futuna|wallis e futuna|wallis en futuna
         wallis- och futunaöarna|wallis og futuna|wallis ja futuna|wallis- og fútúnaeyjar|volisa un futunas salas
         volisas ir futūna|wallis i futuna|wallis a futuna|wallis in futuna|валис и футуна|wallis és futuna
         wallis și futuna|уолис и футуна|уолліс і футуна|уоллис и футуна|γουάλισ και φουτούνα|wallis ve futuna
         جزر والس وفوتونا|איי ווליס ופוטונה|والیس و فوتونا|वालिस और फ़्यूचूना|瓦利斯和富图纳|瓦利斯群島和富圖那群島|ウォリス フツナ|왈리스-푸투나 제도
         wallis và futuna|วาลลิสและฟุตูนา|kepulauan wallis dan futuna|wallis och futunaoarna|wallis og futunaeyjar
         volisas ir futuna|wallis es futuna|wallis si futuna|γουαλισ και φουτουνα|wallis va futuna
         'uvea mo futuna
        WS|WSM|Samoa
         samóa|самоа|szamoa|σαμόα|ساموا|סמואה|ساموآ|समोआ|萨摩亚|薩摩亞|サモア|사모아|ซามัว|σαμοα
         sāmoa|malo sa'oloto tuto'atasi o sāmoa|malo saoloto tutoatasi o samoa|western samoa|samoa i sisifo
         independent state of samoa
        XK|XKX|Kosovo
         kosovë|косово|kósóvó|kosova|kosovas|kosowo|koszovó|κοσσυφοπέδιο|كوسوفو|קוסובו|کوزوو|कोसोवो|科索沃|コソボ|코소보
         โคโซโว|kosove|koszovo|κοσσυφοπεδιο
         republika e kosovës|republika e kosoves|република косово|косово и метохија|kosovo i metohija
         republic of kosovo|republika kosovo
        YE|YEM|Yemen
         اليمن|jemen|yémen|iêmen|jeemen|jemena|jemenas|јемен|йемен|ємен|υεμένη|iemen|תימן|یمن|यमन|也门|葉門|イエメン|예멘
         เยเมน|yaman|иемен|υεμενη
         الجمهورية اليمنية|al-yaman|republic of yemen|الجمهوريه اليمنيه
        YT|MYT|Mayotte
         majota|majotas|majotta|мајот|майот|майотта|μαγιότ|مايوت|מאיוט|مایوت|मायोते|马约特|馬約特島|マヨット|마요트|มายอต|маиот
         маиотта|μαγιοτ
         maoré|département de mayotte|departement de mayotte
        ZA|ZAF|South Africa
         republic of south africa|rsa|suid-afrika|afrika borwa|aforika borwa|emzantsi afrika|iningizimu afrika
         südafrika|afrique du sud|sudáfrica|sudafrica|áfrica do sul|zuid-afrika|sydafrika|sør-afrika|etelä-afrikka
         suður-afríka|lõuna-aafrika vabariik|dienvidāfrikas republika|pietų afrika|republika południowej afryki
         jihoafrická republika|južná afrika|južnoafriška republika|južnoafrička republika|јужноафричка република
         dél-afrikai köztársaság|africa de sud|южна африка|південно-африканська республіка
         южно-африканская республика|νότια αφρική|güney afrika|sud-àfrica|جنوب أفريقيا|דרום אפריקה|افریقای جنوبی
         दक्षिण अफ़्रीका|南非|南アフリカ|남아프리카|nam phi|แอฟริกาใต้|afrika selatan|sudafrika|africa do sul|sor afrika|etela afrikka
         sudur afrika|louna aafrika vabariik|dienvidafrikas republika|pietu afrika|republika poludniowej afryki
         jihoafricka republika|juzna afrika|juznoafriska republika|juznoafricka republika|del afrikai koztarsasag
         νοτια αφρικη|guney afrika|جنوب افريقيا
         republiek van suid-afrika|iriphabhuliki yaseningizimu afrika|umzantsi afrika|iriphabliki yomzantsi afrika
         rephaboliki ya afrika-borwa|afrika dzonga|afurika tshipembe|isewula afrika|mzansi|s africa
         republic south africa|south africa rsa|afrika kwakhe
        ZM|ZMB|Zambia
         sambia|zambie|zâmbia|sambía|zambija|замбија|замбия|замбія|ζάμπια|zambiya|zàmbia|زامبيا|זמביה|زامبیا|ज़ाम्बिया
         赞比亚|尚比亞|ザンビア|잠비아|แซมเบีย|ζαμπια
         republic of zambia
        ZW|ZWE|Zimbabwe
         simbabwe|zimbabue|zimbábue|simbabve|zimbabve|zimbabvė|зимбабве|зімбабве|ζιμπάμπουε|zimbàbue|زيمبابوي
         זימבבואה|زیمبابوه|ज़िम्बाब्वे|津巴布韦|辛巴威|ジンバブエ|짐바브웨|ซิมบับเว|ζιμπαμπουε
         republic of zimbabwe|nyika yezimbabwe|zimbabwe rhodesia|izimbabwe|rhodesia
        """
}
