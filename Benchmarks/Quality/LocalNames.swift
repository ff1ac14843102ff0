/// The local name of a town that has another name in English.
enum LocalNames {
    static func of(_ name: String, in country: String) -> String? { table[country]?[name] }

    private static let table: [String: [String: String]] = {
        var table: [String: [String: String]] = [:]
        for line in lines.split(separator: "\n") {
            let halves = line.split(separator: ":", maxSplits: 1)
            for pair in halves[1].split(separator: ",") {
                let names = pair.split(separator: "=").map { $0.trimmingPrefix(while: \.isWhitespace) }
                table[String(halves[0]), default: [:]][String(names[0])] = String(names[1])
            }
        }
        return table
    }()

    private static let lines = """
        AT: Vienna=Wien
        DE: Munich=München, Cologne=Köln, Nuremberg=Nürnberg, Hanover=Hannover, Brunswick=Braunschweig, Constance=Konstanz
        CH: Geneva=Genève, Zurich=Zürich, Lucerne=Luzern, Basel=Basel, Bern=Bern
        IT: Rome=Roma, Milan=Milano, Turin=Torino, Florence=Firenze, Venice=Venezia, Naples=Napoli, Genoa=Genova, \
        Padua=Padova, Mantua=Mantova, Syracuse=Siracusa, Leghorn=Livorno, Bolzano=Bolzano, Trent=Trento
        ES: Seville=Sevilla, Zaragoza=Zaragoza, Córdoba=Córdoba, Biscay=Bilbao
        PT: Lisbon=Lisboa, Porto=Porto
        PL: Warsaw=Warszawa, Krakow=Kraków, Cracow=Kraków
        CZ: Prague=Praha, Pilsen=Plzeň
        DK: Copenhagen=København, Elsinore=Helsingør
        SE: Gothenburg=Göteborg
        NL: The Hague=Den Haag, Flushing=Vlissingen
        BE: Brussels=Bruxelles, Antwerp=Antwerpen, Ghent=Gent, Bruges=Brugge, Ostend=Oostende, Ypres=Ieper
        RO: Bucharest=București
        RS: Belgrade=Beograd
        GR: Athens=Athína, Thessaloniki=Thessaloníki, Corinth=Kórinthos
        RU: Moscow=Москва, Saint Petersburg=Санкт-Петербург, Novosibirsk=Новосибирск, Kazan=Казань, Samara=Самара
        UA: Kyiv=Київ, Odesa=Одеса, Kharkiv=Харків, Lviv=Львів, Dnipro=Дніпро
        BG: Sofia=София, Plovdiv=Пловдив, Varna=Варна, Burgas=Бургас
        TR: Istanbul=İstanbul, Izmir=İzmir
        JP: Tokyo=東京, Osaka=大阪市, Kyoto=京都市, Nagoya=名古屋市, Sapporo=札幌市, Fukuoka=福岡市, Kobe=神戸市, Sendai=仙台市
        CN: Beijing=北京, Shanghai=上海, Guangzhou=广州, Shenzhen=深圳, Tianjin=天津, Wuhan=武汉, Chengdu=成都
        KR: Seoul=서울, Busan=부산, Incheon=인천, Daegu=대구, Daejeon=대전, Gwangju=광주
        EG: Cairo=القاهرة, Alexandria=الإسكندرية
        SA: Riyadh=الرياض, Jeddah=جدة, Mecca=مكة
        IL: Jerusalem=ירושלים, Tel-Aviv=תל אביב
        """
}
