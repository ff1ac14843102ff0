/// Abbreviations in streets and towns, by language: the data of ``LooseKey``.
///
/// In loose form. Different kinds of streets never share a line: `Hamilton Street` is not `Hamilton Avenue`. In a
/// spelling `_` is a space: `V.le` is folded to `v le`.
enum LooseWords {
    /// Returns the languages in which addresses of a country are written. If two languages have an entry for a word,
    /// the first one decides.
    static func languages(of country: String?) -> [String] {
        country.flatMap { languagesByCountry[$0] } ?? ["en", "de", "fr", "es", "it", "pt", "nl"]
    }

    private static let languagesByCountry: [String: [String]] = {
        var languages: [String: [String]] = [:]
        for line in countries.split(separator: "\n") {
            let halves = line.split(separator: "|")
            for country in halves[1].split(separator: " ") {
                languages[String(country)] = halves[0].split(separator: " ").map(String.init)
            }
        }
        return languages
    }()

    private static let countries = """
        en|GB IE AU NZ PH SG GI JM TT BB GH NG KE UG TZ ZM ZW GG JE IM MT BM KY FJ
        en es|US PR
        en in|IN PK BD LK
        en fr|CA
        de en|DE AT LI
        de fr it|CH
        nl fr de|BE
        fr de|LU
        fr|FR MC SN CI CM MA DZ TN GP MQ RE GF YT NC PF HT
        es|ES AR CL PE UY PY BO EC VE MX CU DO GT HN NI SV CR PA AD
        co es|CO
        it de|IT
        it|SM VA
        pt|PT BR AO MZ CV
        nl|NL SR CW AW
        sv|SE AX
        da|DK FO GL
        nb|NO SJ
        fi sv|FI
        et|EE
        lv|LV
        lt|LT
        pl|PL
        cs|CZ SK
        hu|HU
        ro|RO MD
        ru|RU BY KZ KG
        uk ru|UA
        bg|BG MK
        hr|HR RS BA ME SI XK
        el|GR CY
        tr|TR
        id|ID MY BN
        vi|VN
        th en|TH
        he|IL
        ar|EG SA AE QA KW BH OM JO LB SY IQ YE LY SD
        ja|JP
        """

    /// The lines of the table, split into fields, by language.
    static let lines: [String: [[String]]] = Dictionary(
        grouping: table.split(separator: "\n").map {
            $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        },
        by: \.[0])

    /// Each line: the language, the position where a word counts, its meaning, and its other spellings.
    ///
    /// - `word`: anywhere. `first`, `last`: only there.
    /// - `title`: only before a name, in streets and towns. `St Mary St` has a saint and a street.
    /// - `town`: only in towns.
    /// - `drop`: has no meaning.
    /// - `end`: as the end of a longer word. `dot`: the same, with a full stop behind it.
    static let table = """
        en|word|street|str strt
        en|word|road|rd
        en|word|avenue|ave av aven avn avnue
        en|word|boulevard|blvd boul blv bvd boulv
        en|word|drive|drv driv
        en|word|lane|ln la
        en|word|court|ct crt
        en|word|place|pl
        en|word|square|sq sqr squ
        en|word|terrace|ter terr tce
        en|word|parkway|pkwy pky parkwy pkway
        en|word|highway|hwy hiway hway highwy
        en|word|circle|cir circ crcl
        en|word|crescent|cres cresc cr
        en|word|close|cl
        en|word|way|wy
        en|word|trail|trl
        en|word|gardens|gdns gdn gardns
        en|word|garden|gardn
        en|word|grove|gr gro grv
        en|word|alley|aly ally
        en|word|expressway|expy expwy exp
        en|word|freeway|fwy frwy
        en|word|turnpike|tpke tnpk
        en|word|heights|hts
        en|word|hill|hl
        en|word|hills|hls
        en|word|junction|jct jctn
        en|word|landing|lndg
        en|word|meadows|mdws
        en|word|park|pk prk
        en|word|plaza|plz plza
        en|word|point|pt
        en|word|ridge|rdg
        en|word|river|riv rvr
        en|word|route|rte
        en|word|station|stn sta
        en|word|springs|spgs spngs
        en|word|valley|vly
        en|word|view|vw
        en|word|village|vlg vill
        en|word|bridge|brg bdg
        en|word|center|centre ctr cntr
        en|word|creek|crk
        en|word|crossing|xing crossg
        en|word|estate|est
        en|word|estates|ests
        en|word|extension|ext
        en|word|forest|frst
        en|word|gate|gte
        en|word|green|grn
        en|word|harbor|harbour hbr
        en|word|island|isl
        en|word|lake|lk
        en|word|manor|mnr
        en|word|mountain|mtn mntn
        en|word|orchard|orch
        en|word|parade|pde
        en|word|quay|qy
        en|word|esplanade|esp
        en|word|beach|bch
        en|word|north|n nth
        en|word|south|s sth
        en|word|east|e
        en|word|west|w
        en|word|northeast|ne n_e north_east
        en|word|northwest|nw n_w north_west
        en|word|southeast|se s_e south_east
        en|word|southwest|sw s_w south_west
        en|word|and|&
        en|word|1|first
        en|word|2|second
        en|word|3|third
        en|word|4|fourth
        en|word|5|fifth
        en|word|6|sixth
        en|word|7|seventh
        en|word|8|eighth
        en|word|9|ninth
        en|word|10|tenth
        en|word|11|eleventh
        en|word|12|twelfth
        en|word|13|thirteenth
        en|word|14|fourteenth
        en|word|15|fifteenth
        en|word|16|sixteenth
        en|word|17|seventeenth
        en|word|18|eighteenth
        en|word|19|nineteenth
        en|word|20|twentieth
        en|last|street|st
        en|last|drive|dr
        en|title|saint|st snt
        en|title|doctor|dr
        en|title|mount|mt mnt
        en|title|fort|ft
        en|title|general|gen
        en|title|captain|capt
        en|title|president|pres
        en|title|martin luther king|mlk m_l_k
        de|word|strasse|str
        de|word|platz|pl plz
        de|word|allee|all
        de|word|und|& u
        de|word|gasse|g gs
        de|end|strasse|str
        de|dot|platz|pl
        de|dot|gasse|g
        de|dot|weg|w
        de|dot|allee|all
        de|title|sankt|st skt sct saint
        de|title|doktor|dr
        de|title|professor|prof
        de|title|general|gen
        de|title|prinz|pr
        de|title|kaiser|ks
        de|title|burgermeister|bgm bgmstr buergermstr buergermeister
        de|title|johann|joh
        de|title|friedrich|friedr fr
        de|title|unterer|unt
        de|title|oberer|ob
        de|title|grosse|gr
        de|title|kleine|kl
        de|title|alte|a
        de|title|neue|n
        fr|first|rue|r
        fr|word|avenue|av ave
        fr|word|boulevard|bd blvd bvd boul bld
        fr|word|place|pl
        fr|word|square|sq
        fr|word|impasse|imp
        fr|word|allee|all
        fr|word|allees|alls
        fr|word|chemin|ch chem che
        fr|word|route|rte
        fr|word|passage|pass pas psg
        fr|word|faubourg|fg fbg fbrg
        fr|word|residence|res
        fr|word|lotissement|lot
        fr|word|quartier|qrt qua
        fr|word|promenade|prom
        fr|word|esplanade|esp
        fr|word|rond point|rpt
        fr|word|montee|mte
        fr|last|est|e
        fr|last|ouest|o
        fr|last|nord|n
        fr|last|sud|s
        fr|word|et|&
        fr|title|saint|st
        fr|title|sainte|ste
        fr|title|docteur|dr
        fr|title|general|gal gen
        fr|title|marechal|mal
        fr|title|professeur|prof pr
        fr|title|president|pdt pres
        fr|title|colonel|col
        fr|title|commandant|cdt
        fr|title|capitaine|cne cap
        fr|title|lieutenant|lt
        fr|title|notre dame|n_d nd
        fr|title|jean|j
        fr|word|1|premier premiere
        es|first|calle|c cl carrer cll
        es|word|avenida|av avda avd ave avinguda avgda av_da
        es|word|plaza|pza pl plz plza placa pca
        es|word|paseo|po p_o pso passeig pg pgo
        es|word|carretera|ctra carr crta
        es|word|camino|cno cmno cami
        es|word|travesia|trav trva trvia
        es|word|ronda|rda
        es|word|glorieta|gta
        es|word|bulevar|blvd bulev boulevard bvar
        es|word|urbanizacion|urb
        es|word|poligono|pol pgno polig
        es|word|pasaje|pje psje ptge
        es|word|calzada|calz czda
        es|word|privada|priv
        es|word|prolongacion|prol
        es|word|circuito|cto
        es|word|callejon|cjon cllon
        es|word|barrio|bo
        es|word|colonia|col
        es|word|autopista|autop
        es|word|norte|nte
        es|word|oriente|ote
        es|word|poniente|pte
        es|last|norte|n
        es|last|sur|s
        es|last|este|e
        es|last|oeste|o
        es|title|general|gral gen
        es|title|presidente|pdte pte
        es|title|doctor|dr
        es|title|doctora|dra
        es|title|santa|sta
        es|title|santo|sto
        es|title|san|s
        es|title|nuestra senora|ntra_sra n_s nsra
        es|title|maria|ma
        es|title|francisco|fco
        es|title|don|d
        es|title|padre|p
        es|title|capitan|cap
        es|title|comandante|cmdte cte
        es|title|coronel|cnel
        es|title|licenciado|lic
        es|title|ingeniero|ing
        es|title|profesor|prof
        es|title|almirante|alm
        es|word|1|primera 1ra 1era primero 1ro
        es|word|2|segunda 2da segundo 2do
        es|word|3|tercera 3ra tercero 3ro
        es|word|4|cuarta 4ta cuarto 4to
        es|word|5|quinta 5ta quinto 5to
        es|word|6|sexta 6ta sexto 6to
        es|word|7|septima 7ma septimo 7mo
        es|word|8|octava 8va octavo 8vo
        es|word|9|novena 9na noveno 9no
        es|word|10|decima 10ma decimo 10mo
        co|word|calle|cl cll c clle
        co|word|carrera|cra kr cr kra k
        co|word|diagonal|dg diag
        co|word|transversal|tv transv tr
        co|word|avenida|av avda ak ac
        it|first|via|v
        it|word|viale|v_le vle
        it|word|piazza|p_za p_zza pza pzza p
        it|word|piazzale|p_le ple
        it|word|piazzetta|p_tta ptta
        it|word|corso|c_so cso
        it|word|largo|l_go lgo
        it|word|vicolo|v_lo vlo vic
        it|word|strada|str
        it|word|strada statale|s_s ss
        it|word|strada provinciale|s_p sp
        it|word|circonvallazione|circ_ne circ cnv
        it|word|contrada|c_da cda
        it|word|localita|loc
        it|word|frazione|fraz
        it|word|traversa|trav
        it|word|fratelli|f_lli flli
        it|title|san|s santo sant
        it|title|santa|s_ta sta
        it|title|generale|gen
        it|title|dottor|dott dr
        it|title|professor|prof
        it|title|monsignor|mons
        it|title|giuseppe|g_ppe
        it|title|giovanni|g_nni giov
        it|title|capitano|cap
        it|title|colonnello|col
        pt|first|rua|r
        pt|word|avenida|av avda
        pt|word|travessa|tv trav
        pt|word|praca|pc pca
        pt|word|largo|lgo lg
        pt|word|alameda|al alam
        pt|word|estrada|estr est
        pt|word|rodovia|rod
        pt|word|jardim|jd
        pt|word|parque|pq
        pt|word|beco|bc
        pt|word|ladeira|lad
        pt|word|vila|vl
        pt|word|calcada|calc cc
        pt|word|quinta|qta
        pt|word|urbanizacao|urb
        pt|word|loteamento|lot
        pt|title|doutor|dr
        pt|title|doutora|dra
        pt|title|professor|prof
        pt|title|engenheiro|eng
        pt|title|coronel|cel
        pt|title|general|gen gal
        pt|title|presidente|pres
        pt|title|senador|sen
        pt|title|deputado|dep
        pt|title|marechal|mal mar
        pt|title|brigadeiro|brig
        pt|title|almirante|alm
        pt|title|comendador|com
        pt|title|conselheiro|cons
        pt|title|visconde|visc
        pt|title|capitao|cap
        pt|title|major|maj
        pt|title|tenente|ten
        pt|title|santa|sta
        pt|title|santo|sto
        pt|title|sao|s
        pt|title|dom|d
        pt|title|padre|pe
        pt|title|nossa senhora|n_sra n_s nsa_sra
        nl|word|straat|str
        nl|word|laan|ln
        nl|word|plein|pln pl
        nl|word|gracht|gr
        nl|word|singel|sgl
        nl|end|straat|str
        nl|dot|laan|ln
        nl|dot|plein|pln pl
        nl|dot|gracht|gr
        nl|dot|weg|wg
        nl|dot|kade|kd
        nl|title|burgemeester|burg
        nl|title|sint|st
        nl|title|dokter|dr
        nl|title|professor|prof
        nl|title|meester|mr
        nl|title|generaal|gen
        nl|title|dominee|ds
        nl|title|ingenieur|ir
        nl|word|van der|v_d
        nl|word|van den|v_den
        nl|word|van|v
        nl|word|1|1e eerste
        nl|word|2|2e tweede
        nl|word|3|3e derde
        sv|dot|gatan|g
        sv|dot|vagen|v
        sv|title|sankt|s:t st s_t
        sv|title|sankta|s:ta sta s_ta
        sv|word|stora|st
        sv|title|norra|n
        sv|title|sodra|s
        sv|title|ostra|o
        sv|title|vastra|v
        sv|title|lilla|l
        da|dot|gade|g
        da|dot|vej|v
        da|word|alle|all
        da|word|plads|pl
        da|title|sankt|skt st sct
        da|title|store|st
        da|title|norre|nr
        da|title|sonder|sdr
        da|title|vester|v
        da|title|oster|o
        nb|word|gate|gt
        nb|end|gate|gt
        nb|dot|gate|g
        nb|dot|veien|vn
        nb|dot|vei|v
        nb|dot|plass|pl
        nb|word|plass|pl
        nb|word|vei|v
        nb|title|sankt|st
        nb|title|doktor|dr
        nb|title|professor|prof
        fi|dot|katu|k
        fi|dot|tie|t
        fi|title|pohjoinen|pohj
        fi|title|etelainen|etel
        et|word|tanav|tn tan
        et|word|puiestee|pst
        et|word|maantee|mnt
        lv|word|iela|ie
        lv|word|bulvaris|bulv
        lv|word|prospekts|prosp
        lt|drop||g gatve
        lt|word|prospektas|pr
        lt|word|plentas|pl
        lt|word|aleja|al
        pl|drop||ul ulica
        pl|word|aleja|al
        pl|word|aleje|alje
        pl|word|osiedle|os
        pl|word|plac|pl
        pl|word|skwer|skw
        pl|word|rondo|rd
        pl|title|generala|gen
        pl|title|ksiedza|ks
        pl|title|swietego|sw swietej
        pl|title|marszalka|marsz
        pl|title|doktora|dr
        pl|title|profesora|prof
        pl|title|biskupa|bp
        pl|title|pulkownika|plk
        pl|title|kardynala|kard
        cs|drop||ul ulice ulica
        cs|word|namesti|nam namestie
        cs|word|trida|tr
        cs|word|nabrezi|nabr
        cs|word|sidliste|sidl
        cs|last||c cp
        cs|title|svateho|sv
        cs|title|generala|gen
        cs|title|doktora|dr
        hu|word|utca|u
        hu|word|korut|krt
        hu|word|sugarut|sgt
        hu|word|setany|stny
        hu|word|lakotelep|ltp
        hu|title|szent|szt
        hu|title|doktor|dr
        ro|word|strada|str
        ro|word|bulevardul|bd bdul b_dul bld blvd bulevard
        ro|word|soseaua|sos
        ro|word|calea|cal
        ro|word|piata|pta p_ta
        ro|word|aleea|al
        ro|word|intrarea|intr
        ro|title|sfantul|sf
        ro|title|general|gen gral
        ro|title|doctor|dr
        ro|title|profesor|prof
        ru|drop||ул улица ул-ца им имени
        ru|word|проспект|пр просп пр_т пр_кт
        ru|word|проезд|пр_д пр_зд
        ru|word|переулок|пер
        ru|word|площадь|пл
        ru|word|набережная|наб
        ru|word|шоссе|ш
        ru|word|бульвар|бул б_р
        ru|word|аллея|ал
        ru|word|тупик|туп
        uk|drop||вул вулиця
        uk|word|проспект|пр просп пр_т
        uk|word|провулок|пров
        uk|word|площа|пл
        uk|word|набережна|наб
        uk|word|шосе|ш
        uk|word|бульвар|бул бульв б_р
        bg|drop||ул улица
        bg|word|булевард|бул
        bg|word|площад|пл
        bg|word|жилищен комплекс|жк ж_к
        bg|title|свети|св
        hr|drop||ul ulica улица ул
        hr|word|bulevar|bul
        hr|word|trg|tg
        hr|word|cesta|c
        hr|title|sveti|sv
        hr|title|doktora|dr
        el|drop||οδοσ
        el|word|λεωφοροσ|λεωφ λ
        el|word|πλατεια|πλ πλατ
        el|title|αγιου|αγ αγιασ αγιοσ αγια
        tr|word|caddesi|cad cd cadde
        tr|word|sokak|sok sk sokagi skk
        tr|word|bulvari|blv bulv bulvar bul
        tr|word|mahallesi|mah mh mahalle
        tr|word|apartmani|apt
        id|word|jalan|jl jln
        id|word|lorong|lrg lor
        id|word|gang|gg
        id|word|taman|tmn
        id|word|kampung|kg kpg
        id|word|lebuh|lbh
        id|title|doktor|dr
        id|title|jenderal|jend jen
        vi|first|duong|d
        th|first|ถนน|ถ
        th|first|ซอย|ซ
        th|word|road|rd thanon th
        he|first|רחוב|רח
        he|first|שדרות|שד
        ar|first|شارع|ش
        in|word|nagar|ngr
        in|word|marg|mg
        in|word|colony|col
        en|town|saint|st
        en|town|north|n
        en|town|south|s
        en|town|east|e
        en|town|west|w
        en|town|fort|ft
        en|town|mount|mt
        en|town|port|pt
        en|town|upon|u
        en|town|springs|spgs
        en|town|heights|hts
        en|town|beach|bch
        en|town|junction|jct
        en|town|park|pk
        fr|town|saint|st
        fr|town|sainte|ste
        fr|town|sur|s
        de|town|sankt|st skt
        es|town|san|s
        es|town|santa|sta
        es|town|puerto|pto
        pt|town|sao|s
        it|town|san|s
        """
}
