import Geocoding
import Testing

/// A public building and its postal address.
struct PostalExample: Sendable, CustomTestStringConvertible {
    let country: Country
    let placemark: Placemark
    /// Without the line of the country.
    let lines: [String]

    var testDescription: String { country.code }

    /// The same address as a person writes it, with the street as in `lines`.
    var address: Address {
        Address(
            street: placemark.thoroughfare.map { street in lines.first { $0.contains(street) } ?? street } ?? "",
            city: placemark.locality ?? "", region: placemark.administrativeArea ?? "",
            postcode: placemark.postalCode ?? "", country: country.name)
    }

    static let all: [Self] = examples.split(separator: "\n").compactMap(Self.init)

    private init?(line: Substring) {
        let columns = line.split(separator: "=").map { $0.trimmed }
        let parts = columns[0].split(separator: "|", omittingEmptySubsequences: false).map(\.trimmed)
        guard parts.count == 7, columns.count == 2, let country = Country(parts[0]),
            let coordinate = Coordinate(latitude: 1, longitude: 1)
        else { return nil }
        func part(_ index: Int) -> String? { parts[index].isEmpty ? nil : parts[index] }
        self.country = country
        placemark = Placemark(
            coordinate: coordinate, thoroughfare: part(2), subThoroughfare: part(1), locality: part(4),
            subLocality: part(3), administrativeArea: part(5), postalCode: part(6), countryCode: country.code,
            countryName: country.name)
        lines = columns[1].split(separator: ";").map(\.trimmed)
    }

    /// Country | house number | street | neighbourhood | city | region | postcode = the lines.
    private static let examples = """
        AD | 4 | Carrer de la Vall | | Andorra la Vella | | 500 = Carrer de la Vall, 4; AD500 Andorra la Vella
        AE | 1 | Sheikh Mohammed bin Rashid Boulevard | Downtown | Dubai | | = Sheikh Mohammed bin Rashid Boulevard 1; Downtown; Dubai
        AF | 12 | Pashtunistan Watt | | Kabul | | 1001 = Pashtunistan Watt 12; Kabul; 1001
        AO | 5 | Rua da Missão | | Luanda | Luanda | = Rua da Missão 5; Luanda
        AR | 50 | Balcarce | Monserrat | Ciudad Autónoma de Buenos Aires | Buenos Aires | C1064AAB = Balcarce 50; C1064AAB CIUDAD AUTÓNOMA DE BUENOS AIRES; Buenos Aires
        AT | 1 | Ballhausplatz | Innere Stadt | Wien | Wien | 1010 = Ballhausplatz 1; 1010 Wien
        AT | 1 | Ballhausplatz | | Wien | | A-1010 = Ballhausplatz 1; 1010 Wien
        AU | 111 | Bourke Street | | Melbourne | Victoria | 3000 = 111 Bourke Street; MELBOURNE VIC 3000
        AU | 200 | George Street | The Rocks | Sydney | New South Wales | 2000 = 200 George Street; THE ROCKS NSW 2000
        AZ | 4 | İstiqlaliyyət küçəsi | | Bakı | | AZ1001 = İstiqlaliyyət küçəsi 4; AZ1001 Bakı
        BD | 12 | Topkhana Road | Segunbagicha | Dhaka | Dhaka Division | 1000 = 12 Topkhana Road; Segunbagicha; Dhaka - 1000
        BE | 16 | Wetstraat | | Brussel | | 1000 = Wetstraat 16; 1000 BRUSSEL
        BF | 39 | Avenue de la Nation | | Ouagadougou | Centre | = 39 Avenue de la Nation; Ouagadougou
        BG | 1 | bul. Dondukov | | Sofia | | 1000 = bul. Dondukov 1; 1000 Sofia
        BI | 8 | Boulevard de l’Uprona | | Bujumbura | | = 8 Boulevard de l’Uprona; Bujumbura
        BJ | 40 | Avenue Clozel | | Cotonou | Littoral | = 40 Avenue Clozel; Cotonou
        BM | 105 | Front Street | | Hamilton | | hm12 = 105 Front Street; HAMILTON HM 12
        BO | 1480 | Calle Ayacucho | | La Paz | Departamento de La Paz | = Calle Ayacucho 1480; La Paz; Departamento de La Paz
        BR | 100 | Rua Boa Vista | Centro | São Paulo | São Paulo | 01014-000 = Rua Boa Vista, 100; Centro; SÃO PAULO - SP; 01014-000
        BR | 90 | Praça Floriano | Centro | Rio de Janeiro | Rio de Janeiro | 20031050 = Praça Floriano, 90; Centro; RIO DE JANEIRO - RJ; 20031-050
        CA | 111 | Wellington Street | Downtown | Ottawa | Ontario | k1a 0a9 = 111 Wellington Street; OTTAWA ON K1A 0A9
        CA | 500 | Place D’Armes | | Montréal | Québec | h2y2w2 = 500 Place D’Armes; MONTRÉAL QC H2Y 2W2
        CD | 4 | Avenue de la Justice | | Kinshasa | | = 4 Avenue de la Justice; Kinshasa
        CH | 3 | Bundesplatz | | Bern | Bern | 3003 = Bundesplatz 3; 3003 Bern
        CI | 8 | Boulevard de la République | | Abidjan | Lagunes | = 8 Boulevard de la République; Abidjan
        CL | 1000 | Moneda | | Santiago | Región Metropolitana | 8340455 = Moneda 1000; 8340455 Santiago; Región Metropolitana
        CM | 20 | Avenue Kennedy | | Yaoundé | Centre | = 20 Avenue Kennedy; Yaoundé
        CN | 55 | 复兴门内大街 | 西城区 | 北京市 | 北京市 | 100031 = 100031; 北京市西城区复兴门内大街55
        CN | 55 | Fuxingmen Nei Dajie | Xicheng | Beijing | Beijing Shi | 100031 = 55 Fuxingmen Nei Dajie; Xicheng; Beijing; BEIJING SHI, 100031
        CO | 8-68 | Carrera 7 | La Candelaria | Bogotá | Cundinamarca | 111711 = Carrera 7 8-68; La Candelaria; Bogotá, Cundinamarca, 111711
        CU | 1 | Calle 23 | | La Habana | Plaza | 10400 = Calle 23 1; La Habana Plaza; 10400
        CZ | 4 | nábřeží Edvarda Beneše | | Praha 1 | Praha | 118 01 = nábřeží Edvarda Beneše 4; 118 01 Praha 1
        CZ | 1 | Na Příkopě | | Praha 1 | | 11000 = Na Příkopě 1; 110 00 Praha 1
        DE | 1 | Willy-Brandt-Straße | Tiergarten | Berlin | Berlin | 10557 = Willy-Brandt-Straße 1; 10557 Berlin
        DE | 8 | Marienplatz | Altstadt | München | Bayern | D-80331 = Marienplatz 8; 80331 München
        DK | 1 | Christiansborg Slotsplads | | København K | Hovedstaden | 1218 = Christiansborg Slotsplads 1; 1218 København K
        DO | 5 | Avenida México | Gazcue | Santo Domingo | | 10205 = Avenida México 5; Gazcue; 10205 Santo Domingo
        DZ | 16 | Boulevard Zighout Youcef | | Alger | Alger | 16000 = 16 Boulevard Zighout Youcef; 16000 ALGER
        EC | 1000 | García Moreno | | Quito | Pichincha | 170401 = García Moreno 1000; 170401; QUITO
        EG | 15 | Meret Basha | Ismailia | Cairo | Cairo Governorate | 11516 = 15 Meret Basha; Ismailia; Cairo; Cairo Governorate; 11516
        ES | 8 | Plaza de la Marina Española | | Madrid | Madrid | 28071 = Plaza de la Marina Española, 8; 28071 MADRID
        ES | 1 | Plaza Mayor | | Aranda de Duero | Burgos | 09400 = Plaza Mayor, 1; 09400 ARANDA DE DUERO; BURGOS
        ET | 3 | Churchill Avenue | | Addis Ababa | | 1000 = Churchill Avenue 3; 1000 Addis Ababa
        FI | 30 | Mannerheimintie | Etu-Töölö | Helsinki | Uusimaa | 00100 = Mannerheimintie 30; 00100 HELSINKI
        FI | 11 | Pohjoisesplanadi | | Helsinki | Uusimaa | FI-00170 = Pohjoisesplanadi 11; 00170 HELSINKI
        FR | 55 | Rue du Faubourg Saint-Honoré | | Paris | Île-de-France | 75008 = 55 Rue du Faubourg Saint-Honoré; 75008 PARIS
        GB | 10 | Downing Street | Westminster | London | England | sw1a 2aa = 10 Downing Street; LONDON; SW1A 2AA
        GB | 1 | Abbey Road | | London | Greater London | NW89AY = 1 Abbey Road; LONDON; NW8 9AY
        GB | 25 | High Street | | Guildford | Surrey | gu13aj = 25 High Street; GUILDFORD; GU1 3AJ
        GG | 2 | Cornet Street | | St Peter Port | | gy11le = 2 Cornet Street; ST PETER PORT; GY1 1LE
        GH | 6 | Castle Road | | Accra | Greater Accra | GA-031-0287 = 6 Castle Road; Accra; Greater Accra; GA-031-0287
        GN | 2 | Boulevard du Commerce | | Conakry | | 001 = 2 Boulevard du Commerce; 001 Conakry
        GR | 2 | Βασιλίσσης Σοφίας | | Αθήνα | Αττική | 100 21 = Βασιλίσσης Σοφίας 2; 100 21 Αθήνα
        GR | 15 | Ερμού | | Αθήνα | | 10431 = Ερμού 15; 104 31 Αθήνα
        GT | 6-77 | 6a Avenida | Zona 1 | Guatemala | | 01001 = 6a Avenida 6-77; 01001 - Guatemala
        HK | 1 | Tim Mei Avenue | Admiralty | Central | Hong Kong Island | = 1 Tim Mei Avenue; Admiralty; Central; HONG KONG ISLAND
        HK | 1號 | 添美道 | 金鐘 | | 香港島 | = 香港島金鐘添美道1號
        HT | 12 | Rue Pavée | | Port-au-Prince | | HT6110 = 12 Rue Pavée; HT6110 Port-au-Prince
        HT | 3 | Rue Lamarre | | Pétion-Ville | | 6140 = 3 Rue Lamarre; HT6140 Pétion-Ville
        HU | 1-3 | Kossuth Lajos tér | | Budapest | Budapest | 1055 = BUDAPEST; Kossuth Lajos tér 1-3; 1055
        ID | 17 | Jalan Medan Merdeka Utara | Gambir | Jakarta Pusat | DKI Jakarta | 10110 = Jalan Medan Merdeka Utara 17; Gambir; Jakarta Pusat; DKI Jakarta 10110
        IE | 1 | Kildare Street | | Dublin 2 | Dublin | d02 xh98 = 1 Kildare Street; Dublin 2; Dublin; D02 XH98
        IE | 30 | Molesworth Street | | Dublin 2 | | D02AX00 = 30 Molesworth Street; Dublin 2; D02 AX00
        IL | 1 | Kaplan | | Jerusalem | Jerusalem District | 9195016 = Kaplan 1; Jerusalem 9195016
        IN | 118 | Parliament Street | Connaught Place | New Delhi | Delhi | 110001 = 118 Parliament Street; Connaught Place; NEW DELHI 110001; Delhi
        IQ | 14 | Haifa Street | Karkh | Baghdad | Baghdad Governorate | 10011 = Haifa Street 14; Karkh; BAGHDAD, BAGHDAD GOVERNORATE; 10011
        IR | 12 | Khayyam Street | | Tehran | Tehran Province | 11136 = Tehran Province; Tehran; Khayyam Street, 12; 11136
        IR | 3 | Vali Asr Avenue | | Tehran | | 1193653471 = Tehran; Vali Asr Avenue, 3; 11936-53471
        IT | 101 | Piazza Colonna | | Roma | RM | 00187 = Piazza Colonna 101; 00187 ROMA RM
        IT | 1 | Piazza Garibaldi | | Sesto San Giovanni | Città metropolitana di Milano | 20099 = Piazza Garibaldi 1; 20099 SESTO SAN GIOVANNI MI
        IT | 2 | Via Laurin | | Meran | Südtirol | 39012 = Via Laurin 2; 39012 MERAN BZ
        IT | 4 | Via Pallanza | | Milano | Milano | 20147 = Via Pallanza 4; 20147 MILANO MI
        IT | 8 | Corso Roma | | Corsico | Lombardia | 20094 = Corso Roma 8; 20094 CORSICO
        JP | 1-7-1 | Nagatacho | | Chiyoda-ku | Tokyo | 100-0014 = 1-7-1 Nagatacho; Chiyoda-ku, TOKYO 100-0014
        JP | 1-7-1 | 永田町 | | 千代田区 | 東京都 | 100-0014 = 100-0014; 東京都千代田区永田町1-7-1
        JP | 2-3-1 | Otemachi | | Chiyoda-ku | Tokyo | 1000004 = 2-3-1 Otemachi; Chiyoda-ku, TOKYO 100-0004
        KE | 3 | Harambee Avenue | | Nairobi | | 00100 = 3 Harambee Avenue; Nairobi; 00100
        KH | 41 | Russian Federation Boulevard | | Phnom Penh | | 120404 = 41 Russian Federation Boulevard; Phnom Penh 120404
        KP | 7 | Sungri Street | Chung | Pyongyang | | = 7 Sungri Street; Chung; Pyongyang
        KR | 110 | Sejong-daero | Jung-gu | Seoul | | 04524 = 110, Sejong-daero, Jung-gu; Seoul; 04524
        KR | 110 | 세종대로 | 중구 | 서울특별시 | | 04524 = 서울특별시 중구 세종대로 110; 04524
        KY | 12 | Elgin Avenue | | George Town | Grand Cayman | ky11101 = 12 Elgin Avenue; George Town; Grand Cayman KY1-1101
        KZ | 11 | Dostyk Street | | Astana | Astana Region | 010000 = Dostyk Street, 11; Astana; Astana Region; 010000
        LK | 9 | D. R. Wijewardena Mawatha | | Colombo 10 | Western Province | 01000 = 9 D. R. Wijewardena Mawatha; Colombo 10; 01000
        LT | 7 | Gedimino prospektas | | Vilnius | | 01103 = Gedimino prospektas 7; LT-01103 Vilnius
        LV | 21 | Brīvības bulvāris | | Rīga | | 1050 = Brīvības bulvāris 21; Rīga, LV-1050
        MA | 2 | Avenue Mohammed V | Hassan | Rabat | Rabat-Salé | 10000 = 2 Avenue Mohammed V; Hassan; 10000 Rabat
        MD | 134 | Bulevardul Ștefan cel Mare | | Chișinău | | MD2012 = Bulevardul Ștefan cel Mare 134; MD-2012 Chișinău
        MG | 16 | Rue Rainitovo | | Antananarivo | | 101 = 16 Rue Rainitovo; 101 Antananarivo
        ML | 6 | Avenue de la Liberté | | Bamako | | = 6 Avenue de la Liberté; Bamako
        MM | 39 | Bo Aung Kyaw Street | Botahtaung | Yangon | | 11161 = 39 Bo Aung Kyaw Street; Botahtaung; Yangon, 11161
        MT | 52 | Old Theatre Street | | Valletta | | vlt1426 = 52 Old Theatre Street; VALLETTA VLT 1426
        MW | 12 | Glyn Jones Road | | Blantyre | | = 12 Glyn Jones Road; Blantyre
        MX | 2 | Avenida Juárez | Centro | Ciudad de México | CDMX | 06000 = Avenida Juárez 2; Centro; 06000 CIUDAD DE MÉXICO, CDMX
        MY | 1 | Jalan Tun Razak | Titiwangsa | Kuala Lumpur | Wilayah Persekutuan | 50400 = 1 Jalan Tun Razak; Titiwangsa; 50400 KUALA LUMPUR; WILAYAH PERSEKUTUAN
        MZ | 4100 | Avenida Julius Nyerere | | Maputo | Cidade de Maputo | 1100 = Avenida Julius Nyerere 4100; 1100 Maputo; Cidade de Maputo
        NE | 5 | Avenue de la Mairie | | Niamey | | 8001 = 5 Avenue de la Mairie; 8001 Niamey
        NG | 3 | Shehu Shagari Way | Maitama | Abuja | Federal Capital Territory | 900271 = 3 Shehu Shagari Way; Maitama; ABUJA 900271; FEDERAL CAPITAL TERRITORY
        NL | 1A | Binnenhof | | Den Haag | Zuid-Holland | 2513 aa = Binnenhof 1A; 2513 AA DEN HAAG
        NL | 147 | Nieuwezijds Voorburgwal | | Amsterdam | Noord-Holland | 1012rj = Nieuwezijds Voorburgwal 147; 1012 RJ AMSTERDAM
        NO | 22 | Karl Johans gate | | Oslo | Oslo | 0026 = Karl Johans gate 22; 0026 OSLO
        NP | 8 | Durbar Marg | | Kathmandu | Bagmati | 44600 = 8 Durbar Marg; Kathmandu 44600
        NZ | 1 | Molesworth Street | Pipitea | Wellington | | 6011 = 1 Molesworth Street; Pipitea; Wellington 6011
        PE | 100 | Jirón de la Unión | Cercado | Lima | Provincia de Lima | 15001 = Jirón de la Unión 100; Cercado; LIMA 15001; Provincia de Lima
        PH | 7 | Padre Burgos Avenue | Ermita | Manila | Metro Manila | 1000 = 7 Padre Burgos Avenue; Ermita; 1000 MANILA; Metro Manila
        PH | 30 | Ayala Avenue | San Lorenzo | Makati | | 1223 = 30 Ayala Avenue; San Lorenzo; 1223 MAKATI
        PK | 5 | Constitution Avenue | G-5 | Islamabad | | 44000 = 5 Constitution Avenue; G-5; ISLAMABAD-44000
        PL | 4/6/8 | ul. Wiejska | Śródmieście | Warszawa | mazowieckie | 00-902 = ul. Wiejska 4/6/8; 00-902 Warszawa
        PL | 8 | Plac Defilad | | Warszawa | | 00901 = Plac Defilad 8; 00-901 Warszawa
        PR | 1 | Calle Luna | | Ponce | Puerto Rico | 007301234 = 1 Calle Luna; PONCE, PR 00730-1234
        PR | 153 | Calle Fortaleza | Viejo San Juan | San Juan | San Juan | 00901 = 153 Calle Fortaleza; SAN JUAN, PR 00901
        PT | 1 | Rua da Prata | | Lisboa | Lisboa | 1149-002 = Rua da Prata 1; 1149-002 LISBOA
        PT | 2 | Praça do Comércio | | Lisboa | | 1100148 = Praça do Comércio 2; 1100-148 LISBOA
        RO | 1 | Calea Victoriei | | București | Sector 3 | 030023 = Calea Victoriei 1; 030023 București, Sector 3
        RU | 4 | Старая площадь | | Москва | Москва | 103132 = Старая площадь, 4; Москва; 103132
        RW | 9 | KN 3 Avenue | | Kigali | | = 9 KN 3 Avenue; Kigali
        SA | 8228 | King Abdulaziz Road | Al Murabba | Riyadh | Riyadh Province | 12613 = 8228 King Abdulaziz Road; Al Murabba; Riyadh 12613; Riyadh Province
        SD | 4 | Nile Avenue | | Khartoum | Khartoum State | 11111 = 4 Nile Avenue; Khartoum; 11111; Khartoum State
        SE | 1 | Riksgatan | | Stockholm | Stockholms län | 100 12 = Riksgatan 1; 100 12 STOCKHOLM
        SE | 5 | Drottninggatan | | Stockholm | | 11151 = Drottninggatan 5; 111 51 STOCKHOLM
        SG | 1 | Parliament Place | | Singapore | | 178880 = 1 Parliament Place; SINGAPORE 178880
        SI | 3 | Prešernov trg | | Ljubljana | | SI-1000 = Prešernov trg 3; 1000 Ljubljana
        SK | 1 | Hviezdoslavovo námestie | | Bratislava | | 81102 = Hviezdoslavovo námestie 1; 811 02 Bratislava
        SN | 10 | Avenue Léopold Sédar Senghor | | Dakar | Dakar | 10200 = 10 Avenue Léopold Sédar Senghor; 10200 Dakar
        SO | 2 | Via Roma | | Mogadishu | BN | 03040 = 2 Via Roma; MOGADISHU, BN 03040
        SY | 14 | Port Said Street | | Damascus | Damascus Governorate | = Port Said Street 14; Damascus; Damascus Governorate
        TD | 3 | Avenue Félix Éboué | | N’Djamena | | = 3 Avenue Félix Éboué; N’Djamena
        TG | 14 | Rue du Commerce | | Lomé | | = 14 Rue du Commerce; Lomé
        TH | 1 | Na Phra Lan Road | Phra Nakhon | Bangkok | Krung Thep | 10200 = 1 Na Phra Lan Road; Phra Nakhon, Bangkok; KRUNG THEP 10200
        TN | 2 | Avenue Habib Bourguiba | Bab Bhar | Tunis | Tunis | 1000 = 2 Avenue Habib Bourguiba; Bab Bhar; 1000 Tunis
        TR | 1 | Atatürk Bulvarı | Kızılay Mahallesi | Çankaya | Ankara | 06420 = Kızılay Mahallesi; Atatürk Bulvarı 1; 06420 Çankaya/Ankara
        TW | 122 | Chongqing South Road | Zhongzheng District | Taipei | Taiwan Province | 100006 = 122 Chongqing South Road, Zhongzheng District; Taipei, Taiwan Province 100006
        TW | 122號 | 重慶南路一段 | 中正區 | 臺北市 | | 100006 = 100006; 臺北市中正區重慶南路一段122號
        TZ | 1 | Barack Obama Drive | Ilala | Dar es Salaam | | 11101 = 1 Barack Obama Drive; Ilala; 11101 Dar es Salaam
        UA | 12/2 | vul. Hrushevskoho | | Kyiv | Kyiv City | 01008 = vul. Hrushevskoho, 12/2; Kyiv; Kyiv City; 01008
        UG | 16 | Parliament Avenue | | Kampala | Central Region | = 16 Parliament Avenue; Kampala; Central Region
        US | 1600 | Pennsylvania Avenue NW | Foggy Bottom | Washington | District of Columbia | 20500 = 1600 Pennsylvania Avenue NW; WASHINGTON, DC 20500
        US | 1 | Infinite Loop | | Cupertino | California | 950142083 = 1 Infinite Loop; CUPERTINO, CA 95014-2083
        UZ | 2 | Mustaqillik | | Toshkent | Toshkent viloyati | 100029 = Mustaqillik, 2; 100029 TOSHKENT; TOSHKENT VILOYATI
        VE | 12 | Avenida Urdaneta | Altagracia | Caracas | Distrito Capital | 1010 = Avenida Urdaneta 12; Altagracia; CARACAS 1010, DISTRITO CAPITAL
        VI | 5 | Kronprindsens Gade | | Charlotte Amalie | St. Thomas | 00802 = 5 Kronprindsens Gade; CHARLOTTE AMALIE, VI 00802
        VN | 1 | Hùng Vương | Ba Đình | Hà Nội | Thành phố Hà Nội | 11120 = 1 Hùng Vương; Ba Đình; Hà Nội; Thành phố Hà Nội 11120
        YE | 22 | Al-Zubairi Street | Tahrir | Sana’a | Amanat Al Asimah | = Al-Zubairi Street 22; Tahrir; Sana’a; Amanat Al Asimah
        ZA | 120 | Plein Street | Zonnebloem | Cape Town | Western Cape | 8001 = 120 Plein Street; Zonnebloem; CAPE TOWN; 8001
        ZM | 4 | Independence Avenue | | Lusaka | Lusaka Province | 10101 = 4 Independence Avenue; 10101 Lusaka; Lusaka Province
        ZW | 5 | Nelson Mandela Avenue | | Harare | Harare Province | = 5 Nelson Mandela Avenue; Harare
        """
}

extension Substring {
    fileprivate var trimmed: String {
        split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
}
