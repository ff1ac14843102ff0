#!/usr/bin/env python3
"""Makes contacts.csv: a thousand friends who don't exist, for `make demo`.

usage: make-contacts.py

Towns and postcodes are drawn from sql/seed, all else is made up here. The same seed data make the same bytes. Stops
if an address that should be found is not in the seed data, or one that should not be is.
"""

import csv
import gzip
import pathlib
import random
import re
import unicodedata
from collections import Counter, defaultdict

HERE = pathlib.Path(__file__).resolve().parent
SEED = HERE.parent.parent / "sql" / "seed"
CONTACTS = 1000
HEADING = ["id", "Name"] + [
    f"Address {number} - {field}"
    for number in (1, 2)
    for field in ("Type", "Street", "City", "Region", "Postal Code", "Country")
]
dice = random.Random(20261121)

# Men's names, women's names, family names (`man's|woman's` where they differ), and what stands between given name and
# family name. A leading `<` puts the family first.
NAMES = {
    "english": ("Alfie Barnaby Cedric Desmond Edgar Fergus Gilbert Horace Jasper Rupert Silas Wilfred",
                "Agatha Beatrix Cordelia Dorothea Edith Flora Harriet Ivy Mabel Nell Opal Winifred",
                "Applewhite Bramblecombe Cattermole Dunnock Fernsby Gillyflower Harkaway Larkspur Merriweather "
                "Nettlefold Oakshott Pennyfeather Quillfeather Thistlewood Underhay Wrenfield", " "),
    "german": ("Anselm Bruno Detlef Emil Gernot Hannes Jörg Knut Lüder Moritz Raimund Süleyman",
               "Annegret Bärbel Cäcilie Elfriede Frieda Gesine Heike Käthe Lotte Mechthild Silke Ursel",
               "Bärenklau Dünnebier Fröhlingsdorf Großkreuzer Haselwurz Kühnapfel Löwenzahn Mühlenbrink Nußbickel "
               "Pfefferkorn Rübsamer Schönewolke Tausendschön Übelhör Weißdornig Zwiebelfisch", " "),
    "french": ("Anatole Benoît Cyprien Édouard Félicien Gaétan Hippolyte Jérôme Loïc Noël Rémi Théophile",
               "Adélaïde Bérénice Clémence Delphine Éloïse Françoise Gaëlle Héloïse Inès Mélusine Océane Zoé",
               "Beauséjourné Châtelgrain Désiré-Lune Églantier Framboisier Grandchêne Hautecloche Jolivent "
               "Lécureuil Mésangeau Noisetier Papillonneau Rossignoleau Sansouci Tournesolier", " "),
    "spanish": ("Álvaro Benicio Ceferino Darío Efraín Gonzalo Íñigo Joaquín Nicolás Ramón",
                "Ángela Belén Concepción Dolores Encarnación Inés Lucía María Noemí Rocío",
                "Abedules Brañanueva Cañizales Domínguez-Roble Espinareda Fontaclara Golondrínez Jilguérez Limonar "
                "Muñozábal Peñaflorida Quiñonero Romerales Zarzamora", " "),
    "portuguese": ("Afonso Baltazar César Estêvão Fábio Gonçalo João Simão Tomé",
                   "Antónia Conceição Dália Graça Inácia Leonor Marília Olímpia Tânia",
                   "Andorinha Cerejeirão Figueiró-Mor Girassol Laranjal Magnólio Nespereira Oliveirinha Pirilampo "
                   "Rouxinol Trovão", " "),
    "italian": ("Amedeo Brando Cosimo Donato Ettore Fulvio Nicolò Ottavio Rocco",
                "Assunta Benedetta Carlotta Desirée Fiammetta Ginevra Letizia Ornella Zaira",
                "Acquachiara Biancospino Cantalupini Finocchiari Girasoli Lumacarelli Melograni Nocciolini "
                "Passerotti Ranocchi Trifogliari", " "),
    "dutch": ("Bastiaan Coen Diederik Floris Gijs Joost Kees Maarten Siebe",
              "Aaltje Babette Doortje Femke Geertje Hiltje Jorien Loes Zoë",
              "van den Appelboom Bloemkens de Distelvink Eikelaar van der Fluitekruid Grasduiner Kievitsoog "
              "Lepelaarts Molenvliet-Zoet Roggebloem ter Zonnewijk", " "),
    "nordic": ("Åke Björn Eyvind Gøran Håkon Jörgen Øystein Søren Þórir Väinö",
               "Åsa Birgitte Gyða Hjördís Kjærsti Märta Päivi Sólveig Sölvi Ylva",
               "Björkängen Blåbärsson Fjærestrand Græsløkke Hägerlund Lærkevang Mäntykäpy Myrbråten Rönnbärsdal "
               "Skogsstjärna Sølvpilsen Tähtilehto", " "),
    "polish": ("Bożydar Cezary Grzegorz Jędrzej Łukasz Mścisław Sławomir Wacław Zdzisław",
               "Błażeja Danuta Elżbieta Grażyna Jadźka Łucja Małgorzata Świętosława Żaneta",
               "Bocianowski|Bocianowska Chrząszczyk Dębosz Gżegżółka Jaskółecki|Jaskółecka Krzywożółw "
               "Łąkotny|Łąkotna Mglisty|Mglista Źródlański|Źródlańska Żołędziak", " "),
    "czech": ("Bořivoj Čeněk Dušan Ctirad Jiří Květoslav Řehoř Šimon Žibřid",
              "Alžběta Božena Dobromila Květuše Ludmila Růžena Šárka Vlasta Žofie",
              "Bělopták|Běloptáková Čermáčkův Dřevíčko|Dřevíčková Hříbek|Hříbková Křepelčík|Křepelčíková "
              "Měsíček|Měsíčková Ořechový|Ořechová Řeřicha|Řeřichová Skřivánkovec|Skřivánkovcová", " "),
    "hungarian": ("Ágoston Bálint Csongor Győző Kálmán Lőrinc Ödön Vencel",
                  "Ágota Boróka Csenge Emőke Gyöngyi Hajnalka Ildikó Tünde",
                  "Árvalányi Borsikafű Csillagos Diófa Gesztenyés Harangvirág Körtvélyesi Őszirózsa Zúgó", "< "),
    "turkish": ("Bülent Çağrı Doğukan Görkem İlker Kağan Özgür Şahin",
                "Ayşegül Çiğdem Elif Gülşen İpek Müjde Nilüfer Şükran",
                "Ağaçdelen Böğürtlen Çınarlı Gökkuşağı İncirdibi Kırlangıçoğlu Papatyalı Şimşekkaya Yıldızdağ", " "),
    "greek": ("Αχιλλέας Δαμιανός Ευάγγελος Θρασύβουλος Ιάσονας Λεωνίδας Νεκτάριος Ορέστης Φώτης",
              "Αγλαΐα Βασιλική Δέσποινα Ευφροσύνη Ιφιγένεια Καλλιόπη Μελπομένη Πηνελόπη Χρυσάνθη",
              "Αμυγδαλίδης|Αμυγδαλίδη Γλαροπούλης|Γλαροπούλη Ελαιώνης|Ελαιώνη Θυμαρίδης|Θυμαρίδη "
              "Κυπαρισσάς|Κυπαρισσά Λεμονίδης|Λεμονίδη Μελισσουργάκος|Μελισσουργάκου Πορτοκαλάκος|Πορτοκαλάκου "
              "Ροδακινίδης|Ροδακινίδη Χελιδονάς|Χελιδονά", " "),
    "russian": ("Аркадий Богдан Вениамин Глеб Евлампий Захар Иннокентий Матвей Савелий Тимофей",
                "Агафья Василиса Глафира Ефросинья Зинаида Лукерья Пелагея Серафима Ульяна Фёкла",
                "Берёзкин-Лесной|Берёзкина-Лесная Воробейников|Воробейникова Грибоедкин|Грибоедкина "
                "Ежевичный|Ежевичная Журавушкин|Журавушкина Звёздочкин|Звёздочкина Кузнечиков|Кузнечикова "
                "Облачный|Облачная Подсолнухов|Подсолнухова Снегирёвский|Снегирёвская", " "),
    "ukrainian": ("Богдан Всеволод Гордій Єлисей Зиновій Любомир Остап Яромир",
                  "Віра Ганна Дзвенислава Євдокія Їлина Люба Соломія Ярина",
                  "Барвінченко Вишнегай Горобчук Джмелик Калиноцвіт Лелеченко Переберизирка Соняшничук", " "),
    "arabic": ("أنس باسل جابر رائد زياد سامر طارق عاصم فادي نزار",
               "أروى بسمة جمانة ديمة رنا سلمى شهد عبير ليان هالة",
               "البستاني-الأخضر الريحاني الزيتوني السنونو الغيومي الفراشي القمري المرجاني النجماوي الياسميني", " "),
    "hebrew": ("אביתר ברק גלעד דרור זוהר יפתח נחשון עידו צור רועי",
               "אביגיל בת־שבע גפן הדס ורד יסמין נועה עינת צופיה שקד",
               "אלמוגי ארזיאל בן־רימון דוכיפת חרצית כוכבאור סביון עפרוני רקפתי שקדיה", " "),
    "japanese": ("航平 健吾 悠斗 誠一郎 大吉 直樹 陸 和馬", "花梨 千尋 美月 小雪 桜子 彩乃 弥生 琴音",
                 "雨宮川 柿木坂 風見野 月ヶ岡 星野谷 鶴之瀬 花咲山 緑沢 雪原 若葉台", "< "),
    "chinese": ("云帆 志远 明轩 浩宇 子墨 文博 思齐 晨曦", "雨桐 诗涵 梦琪 晓雯 雪莹 若兰 月华 佳怡",
                "欧阳 上官 司徒 慕容 诸葛 端木 夏侯 令狐 皇甫 南宫", "<"),
    "korean": ("가람 도담 마루 보람 새벽 한결 해솔 태오", "나래 다솜 미르 별하 슬아 아라 초롱 하늘",
               "남궁 독고 사공 선우 제갈 황보 서문 동방", "<"),
    "hindi": ("अर्णव ईशान कार्तिक गगन तेजस निखिल प्रणव वेदांत", "अनन्या ईशिता काव्या गौरी तृषा नंदिनी पल्लवी मीरा",
              "आम्रवाल कमलकर गुलमोहरे चंदनवाला तारामंडल नीलगगन बादलकर मोरपंखी", " "),
}

# Real houses that are open to the public, in the towns of points.csv.gz: museums, embassies, theatres, churches.
PUBLIC_HOUSES = """Städtle 43|Vaduz|9490|LI;Städtle 32|Vaduz|9490|LI;Landstr. 19|Schaan|9494|LI
Kaivokatu 2|Helsinki|00100|FI;Mannerheiminaukio 2|Helsinki|00100|FI;Snellmaninkatu 2|Helsinki|00170|FI
Yrjönk. 27|Helsinki|00100|FI;Töölönlahdenkatu 4|Helsinki|00100|FI;Unioninkatu 36|HELSINKI|00170|FI
Fabianinkatu 35|Helsinki||FI;Lönnrotinkatu 6|Helsinki|00120|FI;Simonkatu 7|Helsinki|00100|FI
Unioninkatu 29|Helsinki|00170|FI;Unioninkatu 31|Helsinki|00170|FI;Pohjoisesplanadi 2|Helsinki|00130|FI
Mannerheimintie 3|Helsinki|FI-00100|FI;Aleksanterinkatu 7|Helsinki|00100|FI;Eteläesplanadi 16|Helsinki|00130|FI
Bulevardi 5|Helsinki|00120|FI;Bulevardi 14|Helsinki||FI;Erottajankatu 19|Helsinki|00130|FI
Yrjönkatu 16|Helsinki|00120|FI;Pohjoisesplanadi 27, 2. krs|Helsinki|00100|FI
Annankatu 18|Helsinki|00120|FI"""

# A country as its people write it, and other spellings that mean the same; the names of its people; its towns; its
# streets (`#` is the number). Towns with a `@` have no postcodes in the seed data. The number is a share of the friends.
COUNTRIES = {
    "US": (100, "United States|USA|U.S.A.|US|United States of America|usa", "english english spanish chinese",
           "Portland/OR Denver/CO Austin/TX Boston/MA Seattle/WA Chicago/IL Madison/WI Savannah/GA Burlington/VT "
           "Minneapolis/MN Santa_Fe/NM Springfield/IL Brooklyn/NY San_Francisco/CA Ann_Arbor/MI Honolulu/HI",
           "# Foghorn-Lantern Ave|# Whistling Badger Rd.|# Three Kettles Ln|# Marmalade Ct., Apt. 4|# Old Pretzel Turnpike|"
           "# Sleepy Otter Blvd|# Half-Moon Biscuit St.|# Quilted Heron Dr|# Thunderpickle Way"),
    "GB": (75, "United Kingdom|UK|U.K.|Great Britain|GB|united kingdom", "english english hindi greek",
           "EC1/London E8/London SE15/London M4/Manchester BS3/Bristol LS6/Leeds G12/Glasgow EH6/Edinburgh CF11/Cardiff "
           "BT9/Belfast NE2/Newcastle_upon_Tyne OX4/Oxford YO1/York BN2/Brighton",
           "# Teasel-and-Thimble Lane|# Crumpet Hollow|Flat 3, # Owlbarrow Mews|# King Cuthwulf's Parade|"
           "# Marrowfat Gardens|# Bittern-on-Stilts Row|# Gooseberry Wynd"),
    "DE": (95, "Deutschland|Germany|DE|DEUTSCHLAND|Allemagne", "german german german turkish",
           "Berlin Hamburg München Köln Leipzig Dresden Bremen Freiburg_im_Breisgau Osnabrück Göttingen Lübeck Erfurt "
           "Nürnberg Tübingen Görlitz",
           "Siebenschläferstraße #|Mondkälbchengasse #|Kaffeemühlenweg #|Am Pustekuchen #|Heinzelmännerstieg #|"
           "Quittenjungferngasse #|Straße der Ungelesenen Bücher #|Nachteulen-Allee #"),
    "FR": (65, "France|FR|Frankreich|FRANCE", "french french arabic", "Paris Lyon Marseille Nantes Lille Strasbourg "
           "Bordeaux Rennes Toulouse Grenoble Dijon Besançon Orléans",
           "# rue du Hibou-Distrait|# bis, impasse des Trois-Parapluies|# avenue de l'Escargot-Ponctuel|"
           "# quai des Brumes-Sucrées|# place de la Théière|# chemin du Renard-Musicien"),
    "ES": (45, "España|Spain|ES|Espagne", "spanish", "Madrid Barcelona Valencia Sevilla Bilbao Granada Málaga Salamanca "
           "Cádiz", "Calle del Búho Dormilón, #|Plaza de los Siete Paraguas, #|Avda. de la Tortuga Veloz, #|"
           "Paseo del Limonero Azul, #|Travesía de la Cigüeña-Coja, #"),
    "IT": (45, "Italia|Italy|IT|Italien", "italian", "Roma Milano Torino Bologna Firenze Napoli Genova Palermo Verona",
           "Via della Lumaca Gentile, #|Piazza dei Tre Gufi, #|Vicolo dell'Ombrello Rosso, #|"
           "Via del Grillo-Pensieroso, #|Corso della Nuvola, #"),
    "NL": (35, "Nederland|Netherlands|The Netherlands|NL|Holland", "dutch", "Amsterdam Utrecht Rotterdam Groningen "
           "Leeuwarden Haarlem Maastricht", "Kabouterkade #|Slaperige-Otterstraat #|Theepotsteeg #|Dubbele Regenboog #|"
           "Pannenkoekengracht #-B"),
    "BE": (25, "België|Belgium|Belgique|BE", "dutch french", "Gent Antwerpen Brugge Leuven Mechelen",
           "Wafelijzerstraat #|Drie-Uilenplein #|Kikkerkoorlaan #|Rue du Cornet-Volant, #"),
    "AT": (30, "Österreich|Austria|AT|Autriche", "german", "Wien Graz Linz Salzburg Klagenfurt",
           "Marillenkobelgasse #|Murmeltierstiege #/5|Zum Langen Löffel #|Schlagobersweg #/12"),
    "CH": (30, "Schweiz|Switzerland|Suisse|CH|Svizzera", "german french italian", "Zürich Bern Basel Luzern Lausanne "
           "Genève Lugano", "Alphornzipfel #|Murmeligässli #|Chemin de la Marmotte-Rêveuse #|Via del Formaggio Blu #"),
    "SE": (30, "Sverige|Sweden|SE|Schweden", "nordic", "Stockholm Göteborg Malmö Uppsala Umeå",
           "Älgkalvsgränd #|Kanelbulletorget #|Sömniga Grävlingens väg #|Norrskensträtan #"),
    "NO": (20, "Norge|Norway|NO|Norwegen", "nordic", "Oslo Bergen Trondheim Tromsø", "Søvnige Måkes vei #|"
           "Brunostsmuget #|Trollungebakken #"),
    "DK": (20, "Danmark|Denmark|DK|Dänemark", "nordic", "Aarhus_C Odense_C Aalborg Roskilde Vejle",
           "Kanelsnegleplads #|Ærteblomstgyden #|Den Skæve Paraplys Vej #"),
    "FI": (25, "Suomi|Finland|FI|Finnland", "nordic", "Helsinki Tampere Turku Oulu Jyväskylä", "Pöllönpesänkuja #|"
           "Sauvakävelijänpolku # B 12|Revontulitorppa #"),
    "PL": (35, "Polska|Poland|PL|Polen", "polish", "Warszawa Kraków Gdańsk Wrocław Łódź Poznań", "ul. Śpiącej Żółwicy #|"
           "ul. Trzech Jeżyków #/4|al. Księżycowych Pierogów #|pl. Zgubionej Rękawiczki #"),
    "CZ": (30, "Česko|Czechia|Czech Republic|CZ|Tschechien", "czech", "Praha Liberec Plzeň Ostrava",
           "Ospalého Ježka #|Třešňových Knedlíků #/12|Za Modrým Deštníkem #"),
    "HU": (25, "Magyarország|Hungary|HU|Ungarn", "hungarian", "Budapest Szeged Debrecen Győr", "Álmos Bagoly utca #.|"
           "Szilvásgombóc köz #.|Három Esernyő tér #."),
    "TR": (20, "Türkiye|Turkey|TR|Türkei", "turkish", "@İstanbul @Ankara @İzmir @Bursa", "Uykucu Baykuş Sokağı No: #|"
           "Üç Şemsiye Caddesi No: #|Mavi Çaydanlık Çıkmazı #"),
    "IE": (20, "Ireland|Éire|IE|Irland", "english", "D08/Dublin T12/Cork H91/Galway V94/Limerick",
           "# Sleeping Badger Terrace|# Teapot Quay|# Three Herons' Boreen"),
    "CA": (35, "Canada|CA|CANADA|Kanada", "english french chinese", "M5V/Toronto/ON H2X/Montréal/QC V6B/Vancouver/BC "
           "B3K/Halifax/NS K1N/Ottawa/ON G1R/Québec/QC T5K/Edmonton/AB",
           "# Maplewhistle Cres.|# Drowsy Moose Rd|# rue du Castor-Bavard|# Butter-Tart Ave"),
    "AU": (30, "Australia|AU|AUSTRALIA|Australien", "english greek", "Melbourne/VIC Sydney/NSW Brisbane/QLD "
           "Hobart/TAS Perth/WA Adelaide/SA", "# Wombat-Waltz Pde|# Lamington St.|Unit 2/# Sleepy Numbat Cl"),
    "NZ": (15, "New Zealand|NZ|Aotearoa|Neuseeland", "english", "@Wellington @Auckland @Dunedin @Christchurch",
           "# Drowsy Kiwi Tce|# Pavlova Rise"),
    "BR": (25, "Brasil|Brazil|BR|Brasilien", "portuguese", "@São_Paulo/SP @Rio_de_Janeiro/RJ @Curitiba/PR @Salvador/BA "
           "@Recife/PE", "Rua do Tucano Sonolento, #|Av. das Sete Goiabas, #|Travessa do Guarda-Chuva, #"),
    "PT": (20, "Portugal|PT|PORTUGAL", "portuguese", "@Lisboa @Porto @Coimbra @Braga", "Rua da Coruja Distraída, # – 2.º Esq.|"
           "Largo dos Três Chapéus, #|Beco do Pastel-Quente, #"),
    "MX": (15, "México|Mexico|MX|Mexiko", "spanish", "@Guadalajara @Puebla @Mérida @Oaxaca", "Calle del Ajolote Feliz #|"
           "Av. de los Tres Tamales #"),
    "GR": (30, "Ελλάδα|Greece|GR|Griechenland", "greek", "@Αθήνα @Θεσσαλονίκη @Πάτρα @Ηράκλειο", "Οδός Νυσταγμένης Κουκουβάγιας #|"
           "Πλατεία Τριών Ομπρελών #|Γαλάζιας Τσαγιέρας #"),
    "RU": (30, "Россия|Russia|RU|Russland", "russian", "@Москва @Санкт-Петербург @Казань @Новосибирск",
           "ул. Сонной Совы, д. #|пер. Трёх Самоваров, д. #, кв. 12|наб. Рыжего Ежа, #"),
    "UA": (20, "Україна|Ukraine|UA|Украина", "ukrainian", "@Київ @Львів @Одеса @Харків", "вул. Сонної Сови, #|"
           "пров. Трьох Вареників, #|пл. Загубленої Рукавички, #"),
    "EG": (20, "مصر|Egypt|EG|Ägypten", "arabic", "@القاهرة @الإسكندرية", "شارع البومة النعسانة #|زقاق المظلات الثلاث #"),
    "LB": (10, "لبنان|Lebanon|LB|Liban", "arabic", "@بيروت @طرابلس", "شارع السلحفاة السريعة #|ساحة الإبريق الأزرق #"),
    "IL": (20, "ישראל|Israel|IL", "hebrew", "@תל_אביב @ירושלים @חיפה", "רחוב הינשוף הישנוני #|סמטת שלוש המטריות #"),
    "JP": (35, "日本|Japan|JP|日本国", "japanese", "@東京 @大阪 @京都 @札幌 @横浜", "眠りふくろう通り#-2-1|三つ傘町#-5|青い急須横丁#"),
    "CN": (30, "中华人民共和国|China|CN|中國|People's Republic of China", "chinese", "@北京 @上海 @广州 @成都", "瞌睡猫头鹰路#号|三把伞胡同#号|蓝茶壶街#号"),
    "KR": (25, "대한민국|South Korea|KR|한국", "korean", "@서울 @부산 @대구 @인천", "졸린부엉이로 #|세우산길 #-3|파란주전자로 #"),
    "IN": (25, "भारत|India|IN|Indien", "hindi english", "@मुंबई @दिल्ली @Bengaluru @Pune", "#, Sleepy Owl Marg|#, Three Umbrellas Rd.|"
           "#, नीली केतली मार्ग"),
    "ZA": (15, "South Africa|ZA|Suid-Afrika|Südafrika", "english dutch", "@Cape_Town @Johannesburg @Durban", "# Dassie's Rest|# Rooibos-Teapot Rd"),
    "IS": (10, "Ísland|Iceland|IS|Island", "nordic", "@Reykjavík @Akureyri", "Syfjuð Lundagata #|Þrjú Regnhlífastræti #"),
}

# Nothing but a town and its country, in its own spelling.
TOWNS_ALONE = """München, Deutschland|Köln, Deutschland|Praha, Česko|東京, 日本|Москва, Россия|Αθήνα, Ελλάδα|القاهرة, مصر
Wien, Österreich|Roma, Italia|København, Danmark|Lisboa, Portugal|Warszawa, Polska|Київ, Україна|서울, 대한민국|北京, 中华人民共和国
תל אביב, ישראל|मुंबई, भारत|Bruxelles, Belgique|Genève, Suisse|Göteborg, Sverige|Firenze, Italia|Venezia, Italia
Sevilla, España|Helsinki, Suomi|București, România|Београд, Србија|София, България|İstanbul, Türkiye|São Paulo, Brasil
Ciudad de México, México|Zürich, Schweiz|Reykjavík, Ísland|Санкт-Петербург, Россия|Θεσσαλονίκη, Ελλάδα|الإسكندرية, مصر
بيروت, لبنان|الدار البيضاء, المغرب|ירושלים, ישראל|大阪, 日本|京都, 日本|上海, 中华人民共和国|부산, 대한민국|台北, 台灣|Torino, Italia
Tallinn, Eesti|Rīga, Latvija|Vilnius, Lietuva|Ljubljana, Slovenija|Zagreb, Hrvatska|Bratislava, Slovensko|Nairobi, Kenya
Hà Nội, Việt Nam|თბილისი, საქართველო|Երևան, Հայաստան|Singapore, Singapore|Bogotá, Colombia""".replace("\n", "|").split("|")
CODES_ALONE = "DE FR US PL SE ES IT CH CZ AT NO FI DK HU BE SK EE LT".split()

# Nobody will ever find these.
NOWHERE = """# Lantern Row|Upper Quibbleton|United Kingdom;Nebelgasse #|Hinterpfuideifel|Deutschland;rue du Vide #|Trifouillis-sur-Brume|France
# Mirage Blvd|Lost Kettle Gulch|USA;Via del Nulla, #|Borgonuvola di Mezzo|Italia;Tågeborgsvej #|Skæveby Overtåge|Danmark
ul. Mglista #|Niebywałowo Górne|Polska;Nikde #|Horní Nicotín|Česko;ул. Туманная, #|Небывалово-Дальнее|Россия;霧の小路#|幻ヶ淵|日本
虚无巷#号|乌有镇|中华人民共和国;شارع السراب #|مدينة السراب البعيدة|مصر;רחוב הערפל #|תל ערפילים עילית|ישראל;Οδός Ομίχλης #|Ανυπαρκτοχώρι|Ελλάδα
# Castle Approach|Strelsau-under-Fog|Grand Duchy of Flembrook;Brugata #|Nifelvik|Kongeriket Skaldmark;Plaza Mayor #|Puerto Quimera|República de Sanfandango
# Harbour Steps|Port Marzipan|Teapot Islands;Hauptplatz #|Knödelstadt|Fürstentum Obergrummel;# Tide St.|Low Nautilus|Atlantean Commonwealth
Csillag utca #|Seholsincsfalva|Magyarország;Smørgyden #|Trolleby Ytterst|Norge;안개길 #|없는마을읍|대한민국;Calle Nada, #|Villanunca del Olvido|España
# Cloud Terrace|Nephelopolis|Cloudcuckooland"""


class Place:
    """An address as its owners know it."""

    def __init__(self, code, country, street="", city="", region="", postcode="", is_real=True):
        self.code, self.country = code, country
        self.street, self.city, self.region, self.postcode = street, city, region, postcode
        self.is_real = is_real

    def fields(self):
        return [self.street, self.city, self.region, self.postcode, self.country]


def rows(name):
    with gzip.open(SEED / name, "rt", encoding="utf-8", newline="\n") as file:
        next(file)
        for line in file:
            yield line.rstrip("\n").split("\t")


def key(text):
    """Good enough to compare the names in this file with those in the seed data."""
    text = unicodedata.normalize("NFKD", text.casefold())
    text = "".join(letter for letter in text if not 0x300 <= ord(letter) < 0x370)
    return " ".join(text.replace("-", " ").replace("'", "").replace("’", "").split())


known_cities = set()
region_codes = {}
region_names = {}
for row in rows("places.tsv.gz"):
    for city in [row[1], *row[2].split("|")]:
        known_cities.add((row[3], key(city)))
        region_codes.setdefault((row[3], key(city)), set()).add(row[4])
    region_names[row[3], row[4]] = row[5]
known_postcodes = set()
postcodes_of = defaultdict(set)
for row in rows("postcodes.tsv.gz"):
    known_postcodes.add((row[0], row[1]))
    postcodes_of[row[0], "", ""].add(row[1])
    state = row[3] if row[0] in ("US", "AU") else ""
    # `Paris 18`, `Graz,03.Bez.:Geidorf` and `Wien, Landstraße` are Paris, Graz and Wien.
    for town in {row[2], re.split(r",| \d", row[2])[0]}:
        postcodes_of[row[0], state, key(town)].add(row[1])

# What postcodes never have there, so that no house has one of these.
MADE_UP = {
    "GB": lambda area: f"{area} {dice.randint(1, 9)}{dice.choice('CIKMOV')}{dice.choice('CKMV')}",
    "CA": lambda area: f"{area} {dice.randint(1, 9)}{dice.choice('DFQU')}{dice.randint(1, 9)}",
    "IE": lambda area: f"{area} {dice.choice('BGJL')}{dice.randint(1, 9)}{dice.choice('BGJL')}{dice.randint(1, 9)}",
    "NL": lambda area: f"{area} {dice.choice('FQUY')}{dice.choice('FQUY')}",
}


def check(place):
    """Stops unless the gazetteer finds what it should, and nothing else."""
    whole = place.postcode
    area = whole.split(" ")[0] if place.code in MADE_UP else whole
    by_postcode = (place.code, area) in known_postcodes
    by_city = (place.code, key(place.city)) in known_cities
    if by_city and place.code in ("US", "CA", "AU") and place.region:
        by_city = place.region in region_codes[place.code, key(place.city)]
    if (by_postcode or by_city) != place.is_real:
        raise SystemExit(f"{place.fields()}: {'not ' if place.is_real else ''}in the seed data")
    if place.postcode and not by_postcode:
        raise SystemExit(f"{place.fields()}: there is no such postcode")
    return place


def house(code):
    """A new house in a country."""
    _, spellings, _, towns, streets = COUNTRIES[code]
    town = dice.choice(towns.split()).replace("_", " ")
    street = dice.choice(streets.split("|")).replace("#", str(dice.randint(1, 189)))
    region = postcode = ""
    if town.startswith("@"):
        town, _, region = town[1:].partition("/")
    elif code in ("GB", "IE", "CA"):
        area, town, *rest = town.split("/")
        region = "".join(rest)
        postcode = MADE_UP[code](area if (code, area) in known_postcodes else nearest(code, area))
    else:
        town, _, region = town.partition("/")
        postcode = dice.choice(sorted(postcodes_of[code, region, key(town)]) or fail(code, town))
        if code in MADE_UP:
            postcode = MADE_UP[code](postcode)
    return check(Place(code, spellings.split("|")[0], street, town, region, postcode))


def nearest(code, area):
    """`EC1` has only `EC1A` and its like."""
    return dice.choice(sorted(known for country, known in known_postcodes if country == code and known[:-1] == area)
                       or fail(code, area))


def fail(code, what):
    raise SystemExit(f"{code}: there is no postcode for {what}")


ISO = {"Česko": "CZ", "대한민국": "KR"}
for code, (_, spellings, *_) in COUNTRIES.items():
    for spelling in spellings.split("|"):
        ISO[spelling] = code
ISO |= {"România": "RO", "Србија": "RS", "България": "BG", "المغرب": "MA", "台灣": "TW", "Eesti": "EE",
        "Latvija": "LV", "Lietuva": "LT", "Slovenija": "SI", "Hrvatska": "HR", "Slovensko": "SK", "Kenya": "KE",
        "Việt Nam": "VN", "საქართველო": "GE", "Հայաստան": "AM", "Singapore": "SG", "Colombia": "CO"}


# How spellings of one address differ.

def wide_digits(text):
    return "".join(chr(ord(letter) + 0xFEE0) if letter in "0123456789" else letter for letter in text)


def extra_spaces(text):
    return dice.choice(["{} ", " {}", "  {}", "{}\u00a0"]).format(text.replace(" ", dice.choice(["  ", " ", "\u00a0"])))


HABITS = [
    lambda text: text,
    str.upper,
    str.lower,
    extra_spaces,
    wide_digits,
    lambda text: unicodedata.normalize("NFD", text),
    lambda text: text.replace("-", "–").replace("'", "’"),
    lambda text: text.replace(", ", ",\n", 1) if dice.random() < 0.5 else text.replace(", ", " "),
    lambda text: text.replace(". ", " ").rstrip("."),
]


def respelt(place):
    """The fields of an address as somebody else writes it. Each way must leave its hash as it is."""
    street, city, region, postcode, country = place.fields()
    habits = dice.sample(HABITS, 2)
    for habit in habits:
        street = habit(street)
    city = dice.choice(habits)(city) if "," not in city else city
    if place.code in COUNTRIES:
        country = dice.choice(COUNTRIES[place.code][1].split("|"))
    if region and dice.random() < 0.5:
        region = dice.choice([region_names[place.code, region], region.lower()])
    if postcode:
        if place.code == "US" and "-" not in postcode and dice.random() < 0.3:
            postcode += f"-{dice.randint(1, 9999):04}"
        postcode = dice.choice([str, str, str.lower, wide_digits, lambda text: text.replace(" ", ""),
                                lambda text: text.replace("-", "–"), lambda text: f" {text} "])(postcode)
    return [street, city, region, postcode, country]


# People.

taken = set()


def person(culture, family=None):
    """A new friend's name, and the family it belongs to."""
    men, women, families, between = NAMES[culture]
    while True:
        own = family or dice.choice(split_families(families))
        is_woman = dice.random() < 0.5
        given = dice.choice((women if is_woman else men).split())
        surname = own.split("|")[-1 if is_woman else 0]
        if between.startswith("<"):
            name = surname + between[1:] + given
        else:
            name = given + between + surname
        if name in taken:
            # A second given name, for lists are short.
            second = dice.choice([other for other in (women if is_woman else men).split() if other != given])
            name = name.replace(given, given + ("" if between == "<" else " ") + second, 1)
        if name not in taken:
            taken.add(name)
            return name, own


def split_families(text):
    """Dutch names come with small words in front."""
    families, small = [], []
    for word in text.split():
        if word[0].islower() and word.isascii():
            small.append(word)
        else:
            families.append(" ".join([*small, word]))
            small = []
    return families


def culture_of(code):
    if dice.random() < 0.12:
        return dice.choice(sorted(NAMES))
    return dice.choice(COUNTRIES[code][2].split())


def some_country():
    return dice.choices(list(COUNTRIES), [country[0] for country in COUNTRIES.values()])[0]


def main():
    friends = []  # of [name, (type, fields), …]

    def add(name, *addresses):
        friends.append([name, *addresses])

    known = set()

    def new_house(code):
        while True:
            place = house(code)
            identity = (place.street, place.city, place.code)
            if identity not in known:
                known.add(identity)
                return place

    for _ in range(82):
        place = new_house(some_country())
        culture, family = culture_of(place.code), None
        for number in range(dice.choices([2, 3, 4, 5], [40, 30, 22, 8])[0]):
            name, family = person(culture, family)
            add(name, ("Home", respelt(place) if number else place.fields()))
    for _ in range(20):
        place = new_house(some_country())
        for number in range(dice.choice([2, 2, 3, 4])):
            add(person(culture_of(place.code))[0], ("Home", respelt(place) if number else place.fields()))

    nowhere = [line.split("|") for line in NOWHERE.replace("\n", ";").split(";")]
    for number, (street, city, country) in enumerate(nowhere):
        place = check(Place(ISO.get(country, "?"), country, street.replace("#", str(dice.randint(1, 60))), city,
                            is_real=False))
        for _ in range(2 if number % 10 == 0 else 1):
            add(person(dice.choice(sorted(NAMES)))[0], ("Home", place.fields()))

    for line in TOWNS_ALONE:
        city, country = line.split(", ")
        place = check(Place(ISO[country], country, city=city))
        code = place.code if place.code in COUNTRIES else "DE"
        for _ in range(dice.choices([1, 2, 3], [80, 14, 6])[0]):
            add(person(culture_of(code))[0], ("Home", place.fields()))
    for _ in range(54):
        code = dice.choice(CODES_ALONE)
        country = next(spelling for spelling, iso in ISO.items() if iso == code)
        place = check(Place(code, country, postcode=dice.choice(sorted(postcodes_of[code, "", ""]))))
        add(person(culture_of(code) if code in COUNTRIES else "czech")[0], ("Home", place.fields()))

    for _ in range(4):
        add(person(dice.choice(sorted(NAMES)))[0])

    offices = [new_house(code) for code in "DE US GB FR JP PL NL SE CA GR IN BR CZ".split()]
    for number in range(12):
        office = offices[number % len(offices)]
        add(person(culture_of(office.code))[0], ("Work", respelt(office)))
    lonely = []
    while len(friends) < CONTACTS:
        place = new_house(some_country())
        fields = respelt(place) if dice.random() < 0.15 else place.fields()
        add(person(culture_of(place.code))[0], ("Home", fields))
        lonely.append(friends[-1])
    public = [line.split("|") for line in PUBLIC_HOUSES.replace("\n", ";").split(";")]
    for number, friend in enumerate(dice.sample(lonely, 60)):
        work = respelt(offices[number % len(offices)])
        if number < len(public):
            street, city, postcode, code = public[number]
            work = (street, city, "", postcode, {"LI": "Liechtenstein", "FI": "Suomi"}[code])
        friend.append(("Work", work))

    dice.shuffle(friends)
    with open(HERE / "contacts.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(HEADING)
        for number, (name, *addresses) in enumerate(friends, 1):
            columns = [column for kind, fields in addresses for column in (kind, *fields)]
            table.writerow([number, name, *columns, *[""] * (len(HEADING) - 2 - len(columns))])
    print(f"{len(friends)} friends, {sum(len(friend) - 1 for friend in friends)} addresses")


main()
