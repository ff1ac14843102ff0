/// The words that mark the parts of an address, in loose form.
enum AddressWords {
    enum Part {
        case unit, floor, building, houseNumber, careOf, postBox
        /// `#`, which marks a house number or a flat.
        case sign
    }

    struct Mark {
        var part: Part
        var words: [String]
        /// The countries where the word means this; everywhere, if empty.
        var countries: Set<String> = []
        /// True if it counts only at the start of a line.
        var isFirst = false
        var mayStandAlone = false

        /// An address without a country may be in any country.
        func applies(in country: String?) -> Bool {
            guard let country, !countries.isEmpty else { return true }
            return countries.contains(country)
        }
    }

    static let numberSigns: Set = ["#", "no", "nr", "n", "n°", "num", "numero"]

    /// Marks by their first words, the longest first: `house no` goes before `house`.
    static let marks: [String: [Mark]] = {
        var marks: [String: [Mark]] = [:]
        for (part, lines) in table {
            for line in lines.split(whereSeparator: \.isNewline) {
                let fields = line.split(separator: "|", omittingEmptySubsequences: false)
                let countries = Set(fields[1].split(separator: " ").map(String.init))
                for phrase in fields[2].split(separator: ",") {
                    let words = phrase.split(separator: " ").map { $0 == "#" ? "#" : Folding.loose(String($0)) }
                    marks[words[0], default: []].append(
                        Mark(
                            part: part, words: words, countries: countries, isFirst: fields[0].contains("first"),
                            mayStandAlone: fields[0].contains("alone")))
                }
            }
        }
        return marks.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    }()

    /// Behind a number: `2. Stock`, `3. sal`, `2 tr`, `1. th`.
    static let floors = words(
        """
        floor fl stock stockwerk og obergeschoss etage étage etg piano kerros krs våning van vån tr sal tv th mf
        etasje emelet em piętro poschodie patro kat этаж эт piso andar planta verdieping korrus stāvs aukštas
        """)

    /// Floors without a number.
    static let groundFloors = words("eg dg ug rdc erdgeschoss dachgeschoss hochparterre parterre bajo")

    /// First or last in the name of a building.
    static let buildings = words(
        """
        building bldg tower towers house court gebäude haus edificio edifício bâtiment bat résidence residence
        residenza palazzo centre center mall plaza complex estate apartments mansion mansions cottage
        """)

    /// Words that mark a part, but that streets are also named after.
    static let streetNames = words(
        """
        porte puerta torre scala piano haus hus tower planta stock studio escalier escalera level door lot plot house
        top block bloc bl room shop scara entrance
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map { Folding.loose(String($0)) })
    }

    /// Each line: its position in a line, its countries, and the phrases.
    private static let table: [(Part, String)] = [
        (
            .unit,
            """
            ||apt,apartment,appartement,appt,app,apto,apartamento,appartamento,ap,apart,suite,ste,unit,flat,room,rm,door
            ||wohnung,wohneinheit,whg,we,top,tür,zimmer,office,shop,lot,studio,interno,int,interior,depto,dpto
            ||departamento,lakás,ajtó,byt,lokal,lok,mieszkanie,кв,квартира,оф,офис,офіс,kv,kvartira,bt,bst,lgh,lägenhet
            ||leilighet,daire,bus,bte,boîte,porte,puerta,pta,pt,sala,διαμ,διαμέρισμα,דירה,korter,dzīvoklis
            ||butas,stan,wohn nr
            |FI|as,asunto
            |PL|m
            |TR|d,iç kapı
            |BE|box
            """
        ),
        (
            .floor,
            """
            ||floor,fl,level,lvl,piso,étage,etage,stock,stockwerk,planta,andar,piano,kat,etaj,этаж,эт,όροφος,ορ,קומה,krs
            |RO MD|et
            |TR|k
            """
        ),
        (
            .building,
            """
            ||building,bldg,block,bloc,blok,bl,tower,bâtiment,bat,gebäude,haus,torre,edificio,edifício,edif,staircase
            ||stiege,stg,aufgang,escalera,esc,escalier,scala,sc,scara,vchod,entrance,korpus,корпус,корп,к,стр,строение
            ||подъезд,под,вход,бл,hus,opgang,trapp,uppgång,rappu,lépcsőház
            """
        ),
        (
            .houseNumber,
            """
            ||no,nr,n°,num,número,numéro,numer,haus nr,house no,house number,house,hno,h no,plot,plot no,door no,d no
            ||д,дом,dom,буд,будинок,číslo,αριθμός,αρ
            |SG|blk,block
            |PT BR ES MX AR CL PE CO IT|n
            """
        ),
        (
            .careOf,
            """
            ||c/o,care of
            first||attn,attention,z hd,zhd,z h,presso,zu händen
            """
        ),
        (
            .postBox,
            """
            alone||postfach,po box,p o box,post office box,pobox,postbus,postboks,postbox,apartado,apartado postal
            alone||apartado de correos,apdo,apdo correos,casella postale,case postale,caixa postal,casilla,boîte postale
            alone||casilla de correo,casilla postal,postilokero,postafiók,skrytka pocztowa,skr poczt,locked bag
            alone||private bag,posta kutusu,а/я,абонентский ящик,gpo box,poštanski pretinac,poste restante,ταχ θυρίδα
            alone||poštový priečinok
            ||bp,b p,pob,p o b,т д,τ θ,ת ד
            first||box,cs,p k,pk,pb,пк,p b
            first|FI|pl
            first|HU|pf
            first|IT CH FR CA RO MA|cp,c p
            """
        ),
        (.sign, "||#"),
    ]
}
