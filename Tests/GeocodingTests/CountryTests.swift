import CWords
import Foundation
import Testing

@testable import Geocoding

struct CountryTests {
    @Test(arguments: [
        "FI": ["fi", "FIN", "Finland", "Suomi", " suomi ", "Finnland", "Финляндия", "フィンランド"],
        "US": ["US", "U.S.", "USA", "U.S.A.", "u s a", "The  United States of America", "EE. UU.", "США"],
        "GB": ["UK", "U.K.", "Great Britain", "England", "Scotland", "Wales", "Northern Ireland", "Royaume-Uni"],
        "CH": ["Schweiz", "Suisse", "Svizzera", "Svizra", "SUISSE", "スイス"],
        "DE": ["Deutschland", "DEU", "Allemagne", "Bundesrepublik Deutschland"],
        "JP": ["日本", "Japan", "Nippon", "JPN"],
        "RU": ["Россия", "россия", "Russian Federation", "Russie"],
        "NL": ["Holland", "Nederland", "The Netherlands", "Pays-Bas", "Pays Bas"],
        "CZ": ["Czechia", "Czech Republic", "Česko", "Cesko", "Česká republika"],
        "CI": ["Ivory Coast", "Côte d’Ivoire", "Cote d'Ivoire", "COTE D IVOIRE"],
        "GE": ["Georgia", "საქართველო", "GEO"],
        "AT": ["Áo", "Österreich", "Osterreich", "A\u{301}o"],
        "AO": ["AO", "Angola"],
        "BE": ["Belgique", "Belgien", "Bỉ"],
        "GW": ["Guinea-Bissau", "Guinea Bissau"],
        "TR": ["Türkiye", "Turkey", "TURKIYE", "Türki\u{307}ye"],
        "KR": ["대한민국", "South Korea", "Republic of Korea", "Korea, Republic of"],
        "VA": ["Vatican", "Holy See"],
        "XK": ["Kosovo", "Republika e Kosovës"],
        "AL": ["Shqipëria", "Shqipëri", "Republika e Shqipërisë"],
        "MN": ["Монгол улс", "Монгол", "Mongol Uls"],
        "TH": ["ประเทศไทย", "ไทย", "ราชอาณาจักรไทย"],
        "LA": ["ສປປລາວ", "ສປປ ລາວ", "ລາວ", "ປະເທດລາວ"],
        "BY": ["Weißrussland", "Беларусь", "Рэспубліка Беларусь"],
        "IN": ["भारत", "இந்தியா", "ভারত", "భారతదేశం"],
        "KH": ["កម្ពុជា", "ប្រទេសកម្ពុជា"],
        "MM": ["မြန်မာ", "မြန်မာနိုင်ငံ"],
        "UZ": ["Oʻzbekiston", "O‘zbekiston Respublikasi", "Ўзбекистон"],
        "ET": ["ኢትዮጵያ", "Itoophiyaa"],
        "SA": ["المملكة العربية السعودية", "السعودية", "KSA"],
        "ZA": ["iNingizimu Afrika", "Suid-Afrika", "RSA"],
    ])
    func `a country is found by all its names`(code: String, spellings: [String]) {
        for spelling in spellings {
            #expect(Country(spelling)?.code == code, "\(spelling)")
        }
    }

    @Test(arguments: ["", " ", "Atlantis", "XX", "Europe", "12", "Korea"])
    func `a text that is not a country gives none`(spelling: String) {
        #expect(Country(spelling) == nil)
    }

    /// These spellings help to find a place, and leave hashes as they are.
    @Test(arguments: [
        "KR": ["Korea", "Korea (South)", "South Korea (KR)", "Korea, Rep."],
        "GB": ["United Kingdom (UK)", "Gt. Britain"],
        "CZ": ["Czech Rep."], "CN": ["P.R. China", "Mainland China"], "TW": ["Taiwan, ROC"], "CI": ["Elefántcsontpart"],
        "HK": ["Hong Kong SAR"], "BO": ["Bolivia (Plurinational State of)"], "CD": ["Congo, Dem. Rep."],
    ])
    func `an address means a country by further names`(code: String, spellings: [String]) {
        for spelling in spellings { #expect(Country.meant(by: spelling)?.code == code, "\(spelling)") }
    }

    @Test func `every country is found by its codes and its English name`() {
        #expect(Country.all.count == 250)
        for country in Country.all {
            #expect(Country(country.code) == country)
            #expect(Country(country.name) == country)
        }
    }

    /// ISO 3166-1: each country's code of two letters and that of three.
    private static let codes = """
        ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB
        BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR
        BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR
        CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK
        FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS
        GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN
        ISISL ITITA JEJEY JMJAM JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO
        LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
        MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER
        NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM
        PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP
        SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF
        TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY
        UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
        """

    @Test func `the codes are those of ISO 3166, and Kosovo's`() {
        var expected = Dictionary(
            uniqueKeysWithValues: Self.codes.split { $0 == " " || $0 == "\n" }.map {
                ("\($0.prefix(2))", "\($0.dropFirst(2))")
            })
        expected["XK"] = "XKX"
        #expect(Country.all.map(\.code).sorted() == expected.keys.sorted())
        for (two, three) in expected {
            #expect(Country(two)?.code == two)
            #expect(Country(three)?.code == two, "\(three)")
        }
    }

    @Test(arguments: [
        "en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "fi", "cs", "hu", "tr", "el", "ru", "uk", "ja", "ko",
    ])
    func `a country's localized name in Foundation means that country or nothing`(language: String) {
        // The two Congos share their short name.
        let shared: Set<String> = ["CD", "CG"]
        let locale = Locale(identifier: language)
        var known = 0
        for country in Country.all where !shared.contains(country.code) {
            guard let name = locale.localizedString(forRegionCode: country.code), name != country.code else { continue }
            known += 1
            let found = Country(name)?.code
            #expect(found == nil || found == country.code, "\(name) is \(country.code)")
        }
        #expect(known > 200)
    }

    @Test func `every name in the table is in canonical form and means one country`() {
        let rows = words_countries().rows.filter { $0[0].hasPrefix(" ") }
        let names = rows.flatMap { $0.map { $0.trimmingPrefix(" ") } }.map(String.init)
        #expect(names.count > 7_500)
        for name in names where !Folding.canonical(name).utf8.elementsEqual(name.utf8) { Issue.record("\(name)") }

        let headings = Country.all.flatMap { [$0.code, $0.name] }.map(Folding.canonical)
        let keys = (names + headings).map { SpellingKey($0.utf8) }
        #expect(Set(keys).count == keys.count)
    }

    @Test func `a name shared by several countries means the English one, or none`() {
        #expect(Country("Guinea")?.code == "GN")
        #expect(Country("Dominica")?.code == "DM")
        #expect(Country("Niger")?.code == "NE")
        #expect(Country("Kongo") == nil)
    }
}
