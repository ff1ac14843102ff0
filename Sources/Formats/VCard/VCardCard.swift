/// One card: its properties with names and addresses.
struct VCardCard {
    /// Where it begins: the physical line, and the byte.
    let line: Int
    let start: Int
    /// The byte at which its END:VCARD stands.
    private(set) var end = 0
    private(set) var properties: [VCardProperty] = []
    /// Why it can't be read.
    var problem: String?
    private var size = 0

    /// Of what is kept of one card.
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

    /// 3.0 where a card does not say.
    var version: String {
        first("VERSION").map { String(decoding: $0.value, as: UTF8.self).trimmed } ?? "3.0"
    }

    /// Apple's groups and those of vCard 4 list others and live nowhere.
    var isGroup: Bool {
        ["KIND", "X-ADDRESSBOOKSERVER-KIND"].contains { name in
            all(name).contains { String(decoding: $0.value, as: UTF8.self).trimmed.lowercased() == "group" }
        }
    }

    func all(_ name: String) -> [VCardProperty] { properties.filter { $0.name.word == name } }

    func first(_ name: String) -> VCardProperty? { properties.first { $0.name.word == name } }
}
