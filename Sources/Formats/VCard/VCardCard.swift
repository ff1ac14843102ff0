/// One card: its properties that contain names and addresses.
struct VCardCard {
    /// The physical line and the byte where it begins.
    let line: Int
    let start: Int
    /// The byte offset of its END:VCARD.
    private(set) var end = 0
    private(set) var properties: [VCardProperty] = []
    /// The reason why it can't be read.
    var problem: String?
    private var size = 0

    /// The limit for the kept bytes of one card.
    private static let mostBytes = 1 << 20

    init(at line: VCardLine) {
        self.line = line.number
        start = line.start
    }

    mutating func add(_ property: VCardProperty) {
        size += property.line.bytes.count
        if size <= Self.mostBytes {
            properties.append(property)
        } else {
            problem = "it has more than 1 MiB of names and addresses"
        }
    }

    mutating func close(at line: VCardLine) {
        end = line.start
    }

    /// The version, by default 3.0.
    var version: String {
        first("VERSION").map { String(decoding: $0.value, as: UTF8.self).trimmed } ?? "3.0"
    }

    /// True for the groups of Apple and of vCard 4: they list other cards and have no address.
    var isGroup: Bool {
        ["KIND", "X-ADDRESSBOOKSERVER-KIND"].contains { name in
            all(name).contains { String(decoding: $0.value, as: UTF8.self).trimmed.lowercased() == "group" }
        }
    }

    func all(_ name: String) -> [VCardProperty] { properties.filter { $0.name.word == name } }

    func first(_ name: String) -> VCardProperty? { properties.first { $0.name.word == name } }
}
