import Foundation

/// A CSV file of invented people, at addresses that mostly do not exist.
struct MadeUpContacts {
    let count: Int
    /// One of this many people has moved since; nil for none.
    var changed: Int?

    private static let given = [
        "Aino", "Bruno", "Chloé", "Dmitri", "Elif", "Frida", "Giulia", "Håkon", "Ines", "Jürgen",
    ]
    private static let family = [
        "Virtanen", "Müller", "Lefèvre", "Novák", "Rossi", "Smith", "García", "Yılmaz", "Okafor",
    ]
    private static let streets = [
        "Aleksanterinkatu", "Hauptstraße", "rue de la République", "High Street", "Via Garibaldi", "Calle Mayor",
        "Nowy Świat", "Storgatan", "Elm Avenue", "Bahnhofstrasse", "Rua Augusta", "Main Street",
    ]
    private static let towns = [
        ("Helsinki", "00", "Finland"), ("Berlin", "10", "Deutschland"), ("Lyon", "69", "France"), ("Leeds", "LS", "UK"),
        ("Torino", "10", "Italia"), ("Sevilla", "41", "España"), ("Warszawa", "02", "Polska"),
        ("Uppsala", "75", "Sweden"),
        ("Reno", "89", "US"), ("Zürich", "80", "CH"), ("Porto", "40", "Portugal"), ("Boise", "83", "United States"),
    ]

    func write(to path: String) throws {
        try Data().write(to: URL(filePath: path))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        var piece = "ID,Name,Street,City,Postal code,Country,Label\n"
        for number in 0..<count {
            line(number, to: &piece)
            if piece.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(piece.utf8))
                piece = ""
            }
        }
        try file.write(contentsOf: Data(piece.utf8))
    }

    private func line(_ number: Int, to text: inout String) {
        // Spreads numbers over all combinations without repeating one.
        let mixed = number &* 2_654_435_761 & 0x7FFF_FFFF
        // One in ten lives at the address of another.
        let home = mixed % 10 == 0 ? mixed / 10 % (count / 20 + 1) : mixed
        let moved = changed.map { number % $0 == 0 } ?? false
        let town = Self.towns[home % Self.towns.count]
        let street = Self.streets[home / 7 % Self.streets.count]
        text += "c-\(number),\(Self.given[mixed % 10]) \(Self.family[mixed / 10 % 9]),\(street) \(home % 997 + 1)"
        text += moved ? " B" : ""
        text += ",\(town.0) \(home / 997 % 400),\(town.1)\(100 + home / 13 % 900),\(town.2),home\n"
    }
}
