import Geocoding
import Testing

@testable import Formats

struct CSVPropertyTests {
    private static let pieces = [
        "\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", " ", "a", "Ely", "é", "👩‍👩‍👧", "שלום", "\u{202E}عنوان",
        "\u{FEFF}",
    ]

    @Test func `written records read back equal`() throws {
        let folder = try Folder()
        var random = SeededRandom(seed: 1)
        let places = (0..<500).map { number in
            let texts = (0..<8).map { _ in text(using: &random) }
            return ContactPlace(
                id: number, sourceKey: texts[0], name: texts[1], label: texts[2],
                address: Address(
                    street: texts[3], city: texts[4], region: texts[5], postcode: texts[6], country: texts[7]),
                status: .waiting)
        }
        var writer = try TablePlaceWriter(CSVTableWriter(to: OutputFile(path: folder.file("a.csv"))))
        for place in places { try writer.write(place) }
        try writer.finish().commit()

        let records = try read(folder.bytes(of: "a.csv")).dropFirst()
        #expect(records.count == places.count)
        for (record, place) in zip(records, places) {
            let address = place.address
            let texts = [
                place.sourceKey, place.name, place.label, address.street, address.city, address.region,
                address.postcode, address.country, "waiting", "", "", "", "", "", "", "", "", "", "", "", "", "",
            ]
            // Compares bytes, because Swift's strings are equal if they are canonically equivalent.
            try #require(record.fields.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
        }
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("  @SUM(A1)", "'  @SUM(A1)"), ("+358 9", "'+358 9"), ("-1", "'-1"), ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"), ("\u{FF1D}1", "'\u{FF1D}1"), ("a=1", "a=1"), ("'=1", "'=1"), ("", ""),
    ])
    func `on request, no text is a formula and numbers stay numbers`(text: String, cell: String) throws {
        let folder = try Folder()
        let place = ContactPlace(
            id: 1, sourceKey: "k", name: text, label: "", address: Address(street: "", city: "Ely", country: ""),
            status: .located, coordinate: Coordinate(latitude: -1.5, longitude: -2.5))
        var writer = try TablePlaceWriter(CSVTableWriter(to: OutputFile(path: folder.file("a.csv")), isSafe: true))
        try writer.write(place)
        try writer.finish().commit()
        let record = try #require(try read(folder.bytes(of: "a.csv")).last)
        #expect(record.fields[1] == cell)
        #expect(record.fields.contains("-1.5"))
    }

    @Test func `chunks of any size give the same records`() throws {
        var random = SeededRandom(seed: 2)
        for _ in 0..<300 {
            let bytes = garbage(using: &random)
            let whole = try read(bytes)
            for chunkSize in [1, 2, 3, 7, 64] {
                try #require(try read(bytes, chunkSize: chunkSize) == whole, "\(bytes)")
            }
        }
    }

    @Test func `any bytes can be read`() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<2_000 {
            let bytes = garbage(using: &random)
            let lines = try read(bytes).map(\.line)
            try #require(zip(lines, lines.dropFirst()).allSatisfy(<), "\(bytes)")

            guard var contacts = try? ContactsCSV(CSVReader(Array("name,city,id\n".utf8) + bytes)) else { continue }
            while try contacts.next() != nil {}
            #expect(contacts.bytesRead == contacts.totalSize)
        }
    }

    private func text(using random: inout SeededRandom) -> String {
        (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in Self.pieces.randomElement(using: &random) }
            .joined()
    }

    /// Mostly text, with a few invalid bytes.
    private func garbage(using random: inout SeededRandom) -> [UInt8] {
        (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in
            Int.random(in: 0..<8, using: &random) == 0
                ? [UInt8.random(in: .min ... .max, using: &random)]
                : Array((Self.pieces.randomElement(using: &random) ?? "").utf8)
        }
    }
}

/// SplitMix64: the same numbers in every run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension CSVRecord {
    fileprivate var line: Int {
        switch self {
        case .fields(let line, _), .refused(let line, _): line
        }
    }

    fileprivate var fields: [String] {
        if case .fields(_, let fields) = self { fields } else { [] }
    }
}
