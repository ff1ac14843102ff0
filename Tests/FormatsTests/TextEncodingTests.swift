import Testing

@testable import Formats

struct TextEncodingTests {
    private static let rows = [["name", "city"], ["Zoë “Zo” Ångström", "Köln – €"], ["Ada", "Ely"]]
    private static let text = rows.map { $0.joined(separator: ";") }.joined(separator: "\r\n")

    @Test(arguments: [1, 2, 3, 100, 1 << 18])
    func `a file reads the same in every encoding`(chunkSize: Int) throws {
        for bytes in [
            Array(Self.text.utf8), [0xEF, 0xBB, 0xBF] + Array(Self.text.utf8), Self.windows1252(Self.text),
            [0xFF, 0xFE] + Self.utf16(Self.text, isBigEndian: false),
            [0xFE, 0xFF] + Self.utf16(Self.text, isBigEndian: true),
        ] {
            let records = try read(bytes, chunkSize: chunkSize)
            #expect(records == zip(1..., Self.rows).map { .fields(line: $0, $1) })
        }
    }

    @Test func `UTF-16 without a byte order mark is read when it is named`() throws {
        for isBigEndian in [false, true] {
            let bytes = Self.utf16("name,note\nאבא,👩‍👩‍👧", isBigEndian: isBigEndian)

            #expect(try read(bytes, encoding: .utf16).last == .fields(line: 2, ["אבא", "👩‍👩‍👧"]))
        }
    }

    @Test func `an unpaired UTF-16 surrogate is replaced alone`() throws {
        let bytes = Self.utf16("a,b\n1,2", isBigEndian: true) + [0xD8, 0x3D, 0x00, 0x33, 0x00]

        #expect(try read(bytes, encoding: .utf16).last == .fields(line: 2, ["1", "2\u{FFFD}3\u{FFFD}"]))
    }

    @Test func `one bad byte among valid UTF-8 does not make a file Windows-1252`() throws {
        let bytes = Array("a,b\n".utf8) + [0xE9, 0x0A] + Array("é,ü\n".utf8)

        let records = try read(bytes)
        #expect(records.last == .fields(line: 3, ["é", "ü"]))
        #expect(records[1].isRefused)
    }

    @Test func `the first non-ASCII byte may be far into the file`() throws {
        let ascii = String(repeating: "Ada,Ely\n", count: 100_000)

        #expect(
            try read(Self.windows1252("a,b\n" + ascii + "Zoë,Köln")).last == .fields(line: 100_002, ["Zoë", "Köln"]))
        #expect(try read("a,b\n" + ascii + "Zoë,Köln").last == .fields(line: 100_002, ["Zoë", "Köln"]))
    }

    @Test func `a character cut off by the end of the sample is not bad`() throws {
        // A bad byte, a good character, and the first half of another.
        let bytes: [UInt8] = [0xE9, 0x41, 0xC3, 0xA9, 0xC3]

        #expect(UTF8Evidence(bytes, isWhole: false).isUTF8)
        #expect(!UTF8Evidence(bytes, isWhole: true).isUTF8)
    }

    @Test func `a file named as Windows-1252 is not tested for UTF-8`() throws {
        #expect(try read(Array("Ã©".utf8), encoding: .windows1252) == [.fields(line: 1, ["Ãƒ\u{C2}©"])])
    }

    /// Rows as a shop would have them, and the encodings in which its programs write them.
    static let tables: [(text: String, encodings: [String])] = [
        (
            "Imię;Ulica;Miasto\nZofia Wójcik;Świętojańska 4;Łódź\nJerzy Dąbrowski;Żółkiewskiego 12;Gdańsk",
            ["windows-1250", "iso-8859-2", "ibm852"]
        ),
        (
            "Jméno;Ulice;Město\nJiří Dvořák;Žižkova 8;České Budějovice\nLenka Nováková;Na Příkopě 3;Plzeň",
            ["windows-1250", "iso-8859-2", "ibm852"]
        ),
        (
            "Név;Utca;Város\nErdős Jenő;Petőfi Sándor út 12;Győr\nSzűcs Ágnes;Dózsa György tér 1;Hódmezővásárhely",
            ["windows-1250", "iso-8859-2", "ibm852"]
        ),
        (
            "Имя;Улица;Город\nИван Петров;Невский проспект, 28;Санкт-Петербург\nОльга Юрьева;ул. Ленина, 5;Тверь",
            ["windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic"]
        ),
        (
            "Ім'я;Вулиця;Місто\nОлена Їжакевич;вул. Шевченка, 7;Київ\nІгор Єфименко;вул. Лесі Українки, 2;Чернігів",
            ["windows-1251", "koi8-u"]
        ),
        (
            "Όνομα;Οδός;Πόλη\nΓιώργος Παππάς;Ερμού 15;Αθήνα\nΕλένη Ιωάννου;Τσιμισκή 40;Θεσσαλονίκη",
            ["windows-1253", "iso-8859-7"]
        ),
        (
            "Adı;Sokak;Şehir\nAyşe Yılmaz;Bağdat Caddesi 101;İstanbul\nOğuz Çağlar;Işıklar Sokağı 7;Eskişehir",
            ["windows-1254", "iso-8859-9"]
        ),
        ("שם;רחוב;עיר\nדוד כהן;הרצל 12;תל אביב\nשרה לוי;ויצמן 3;חיפה", ["windows-1255", "iso-8859-8"]),
        (
            "الاسم;الشارع;المدينة\nأحمد علي;شارع التحرير 5;القاهرة\nفاطمة حسن;شارع الملك 9;الرياض",
            ["windows-1256", "iso-8859-6"]
        ),
        (
            "Vardas;Gatvė;Miestas\nRūta Žukauskienė;Gedimino pr. 9;Šiauliai\nJonas Kęsgaila;Vytauto g. 3;Panevėžys",
            ["windows-1257", "iso-8859-13"]
        ),
        ("ชื่อ;ถนน;เมือง\nสมชาย ใจดี;ถนนสุขุมวิท 21;กรุงเทพฯ\nมาลี สุขใจ;ถนนนิมมาน 5;เชียงใหม่", ["windows-874"]),
        ("名前;住所;市区町村\n佐藤花子;本町１丁目２番３号;札幌市\n鈴木タロウ;中央通り4-5;横浜市", ["shift_jis", "euc-jp"]),
        ("이름;주소;도시\n김민수;세종대로 110;서울특별시\n이영희;해운대로 570;부산광역시", ["euc-kr"]),
        ("姓名;街道;城市\n王小明;建国门外大街1号;北京市\n李娜;南京东路20号;上海市", ["gb18030"]),
        ("姓名;街道;城市\n陳大文;信義路五段7號;台北市\n林美玲;中山路100號;高雄市", ["big5"]),
        (
            "Name;Straße;Ort\nJürgen Groß;Königsallee 5;Köln\nBärbel Schröder;Große Straße 12;Osnabrück",
            ["windows-1252", "macintosh", "ibm850"]
        ),
        (
            "Nom;Rue;Ville\nHélène Lefèvre;Rue de la Liberté 3;Besançon\nFrançois Bénard;Allée des Chênes 8;Orléans",
            ["windows-1252", "macintosh", "ibm850"]
        ),
        (
            "Nome;Rua;Cidade\nJoão Gonçalves;Rua São Tomé 14;São Luís\nConceição Araújo;Av. Brasília 3;Florianópolis",
            ["windows-1252", "macintosh"]
        ),
        (
            "Namn;Gata;Ort\nÅsa Sjöström;Södra Vägen 4;Malmö\nBjörn Hägglund;Storgatan 1;Västerås",
            ["windows-1252", "macintosh"]
        ),
    ]

    @Test(arguments: tables.indices)
    func `the encoding is guessed from the letters`(table: Int) throws {
        let (text, encodings) = Self.tables[table]
        for name in encodings {
            let encoding = try #require(TextEncoding(rawValue: name))
            let bytes = FileEncoding(encoding).bytes(of: text.utf8)
            try #require(encoding.text(of: bytes) == text, "\(name) lacks a letter")
            let guess = EncodingGuess.encoding(of: bytes)
            #expect(guess.text(of: bytes) == text, "\(name) was taken for \(guess.rawValue)")
        }
    }

    @Test(arguments: TextEncoding.allCases.dropFirst())
    func `every encoding can be read and written in pieces`(encoding: TextEncoding) throws {
        let letters = (0x80...0x5FFF).compactMap { Unicode.Scalar($0) }.filter { letter in
            let bytes = FileEncoding(encoding).bytes(of: String(letter).utf8)
            return bytes != [0x3F] && encoding.text(of: bytes).unicodeScalars.elementsEqual([letter])
        }
        #expect(letters.count >= 40)
        let text = String(String.UnicodeScalarView(letters))
        var conversion = TextConversion(from: encoding)
        var read: [UInt8] = []
        for byte in FileEncoding(encoding).bytes(of: text.utf8) { read += conversion.convert([byte]) }
        read += conversion.convert([], isLast: true)
        #expect(String(decoding: read, as: UTF8.self) == text)
    }

    @Test func `a byte without a meaning survives a copy`() {
        let bytes: [UInt8] = [0x41, 0x81, 0x8D, 0xE9]
        let text = TextEncoding.windows1252.text(of: bytes)
        #expect(FileEncoding.windows1252.bytes(of: text.utf8) == bytes)
    }

    @Test func `progress ends at the end of the file`() throws {
        for bytes in [Self.windows1252(Self.text), [0xFF, 0xFE] + Self.utf16(Self.text, isBigEndian: false)] {
            var reader = CSVReader(bytes, chunkSize: 7)
            while try reader.next() != nil {}

            #expect(reader.bytesRead == bytes.count)
        }
    }

    static func windows1252(_ text: String) -> [UInt8] { FileEncoding.windows1252.bytes(of: text.utf8) }

    static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
}

extension CSVRecord {
    fileprivate var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
