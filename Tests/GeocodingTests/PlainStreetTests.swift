import Testing

@testable import Geocoding

struct PlainStreetTests {
    private let words =
        [
            "12", "7", "1234567", "5th", "Main", "High", "street", "ROAD", "Highway", "Calle", "Juni", "May", "Unit",
            "Apt",
            "floor", "eg", "bis", "de", "Elm", "x", "A", "Q7", "Straße", "Avenue", "court", "house", "No", "st",
            "Block",
            "12a", "25", "Soi", "county", "km", "",
        ] + ["", "Mannerheimintie", "rue", "Box", "PO", "c/o"] + [
            "République", "Świat", "Å", "1ª", "º", "Mayo", "août", "étage", "piętro", "di", "of", "la", "Ɛ", "½", "N°",
            "Bundesstraße", "Cité", "ĳ", "ŉ", "×", "÷",
        ]

    @Test func `a plain street gives the same parts as the full parser, in every country`() {
        var random = SystemRandomNumberGenerator()
        var plain = 0
        for _ in 0..<20_000 {
            let street = (0..<Int.random(in: 1...5, using: &random)).map { _ in words.randomElement() ?? "" }
                .joined(separator: " ")
            guard let quick = AddressParts(plain: street) else { continue }
            plain += 1
            for country in ["US", "DE", "FI", "GB", "AU", "AT", "CO", ""] {
                #expect(quick == AddressParts(reading: street, in: Country(country)), "\(street) in \(country)")
            }
        }
        // Enough plain streets for a meaningful test.
        #expect(plain > 100)
    }

    @Test(arguments: [
        "12 Main Street", "Hauptstrasse 5", "Mannerheimintie 12", "221 Baker Street", "Cité 9",
        "Nowy Świat 7",
    ])
    func `the usual spellings of streets are plain`(_ street: String) {
        #expect(AddressParts(plain: street) != nil)
    }
}
