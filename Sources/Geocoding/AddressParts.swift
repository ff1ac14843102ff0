/// The street lines of an address, split into the parts that matter for geocoding.
///
/// Geocoders know streets and house numbers. Most find nothing at all if the text also contains a flat, a floor or a
/// person, so these must be recognized and left out. Every part is as it was written, and blank if it is missing.
public struct AddressParts: Hashable, Sendable {
    /// The street without its house number.
    public var street = ""
    /// `12`, `12a`, `12-14`, `12/3`.
    public var houseNumber = ""
    /// True if the house number was written before the street.
    public var isNumberFirst = false
    /// The flat, suite or room, without the word for it.
    public var unit = ""
    public var floor = ""
    /// The number of a block, tower or staircase, or a building's name.
    public var building = ""
    /// The addressee, if another person lives there (`c/o`).
    public var careOf = ""
    public var postBox = ""
    /// Lines that are none of the above, such as the name of a company.
    public var rest: [String] = []
    /// The text behind a `#`, until its meaning is known.
    private var hashed = ""

    /// The street with its house number, in the order in which they were written.
    public var streetLine: String {
        (isNumberFirst ? [houseNumber, street] : [street, houseNumber]).filter { !$0.isEmpty }.joined(separator: " ")
    }

    public init() {}

    /// Reads the street of `address` as people write it in its country.
    public init(_ address: Address) {
        self.init(address.street, in: Country(address.country))
    }

    /// Reads the lines of `street`. Commas separate lines too.
    public init(_ street: String, in country: Country? = nil) {
        if let plain = AddressParts(plain: street) {
            self = plain
        } else {
            self.init(reading: street, in: country)
        }
    }

    /// Reads a street of any form.
    init(reading street: String, in country: Country?) {
        self.init()
        let order = HouseNumberOrder(in: country)
        var segments = street.split { $0.isNewline || $0 == "," || $0 == ";" }.map(StreetTokens.init)
        for index in segments.indices {
            takeMarked(from: &segments[index], in: country?.code)
        }
        takeStreet(from: segments.filter { !$0.isEmpty }, order: order)
        divideNumber(in: country?.code)
    }
}

extension AddressParts {
    /// Extracts parts that are marked by a word before or behind them: `Apt 4`, `2. Stock`, `PO Box 12`.
    private mutating func takeMarked(from tokens: inout StreetTokens, in country: String?) {
        var position = 0
        while position < tokens.count {
            if let match = tokens.marked(at: position, in: country, isHouseKnown: !houseNumber.isEmpty) {
                add(match.value, to: match.part)
                tokens.removeSubrange(position..<match.end)
            } else {
                position += 1
            }
        }
    }

    private mutating func add(_ value: String, to part: AddressWords.Part) {
        switch part {
        case .unit: unit.append(word: value)
        case .floor: floor.append(word: value)
        case .building: building.append(word: value)
        case .houseNumber: houseNumber.append(word: value)
        case .careOf: careOf.append(word: value)
        case .postBox: postBox.append(word: value)
        case .sign: hashed.append(word: value)
        }
    }

    /// Finds the one segment with the street, and assigns all others to their parts.
    private mutating func takeStreet(from segments: [StreetTokens], order: HouseNumberOrder) {
        let readings = segments.map { houseNumber.isEmpty ? order.split($0) : StreetReading(name: $0) }
        let chosen = Self.street(among: readings)
        var others = Array(segments.indices)
        if let chosen {
            take(readings[chosen])
            others.removeAll { $0 == chosen }
            // `Calle de Alcalá, 48` and `12, rue de Rivoli`
            let neighbours = [chosen + 1, chosen - 1].filter(segments.indices.contains)
            if houseNumber.isEmpty, hashed.isEmpty, let number = neighbours.first(where: { readings[$0].isNumber }) {
                houseNumber = readings[number].number
                isNumberFirst = number < chosen
                others.removeAll { $0 == number }
            }
        }
        takeSign()
        for other in others { takeOther(segments[other]) }
    }

    private static func street(among readings: [StreetReading]) -> Int? {
        let ranks: [(StreetReading) -> Bool] = [
            { $0.hasName && $0.hasNumber && $0.name.hasStreetWord },
            { $0.hasName && $0.hasNumber },
            { $0.name.hasStreetWord },
            { $0.hasName && !$0.name.isBuilding },
            { $0.hasName },
        ]
        return ranks.lazy.compactMap { readings.firstIndex(where: $0) }.first
    }

    private mutating func take(_ reading: StreetReading) {
        street = reading.name.text
        guard reading.hasNumber else { return }
        houseNumber = reading.number
        isNumberFirst = reading.isNumberFirst
        unit.append(word: reading.unit)
    }

    /// `#12` is a flat in `5 Main St #12`, and the house in `Calle 26 # 59-51`.
    private mutating func takeSign() {
        if houseNumber.isEmpty { houseNumber = hashed } else { unit.append(word: hashed) }
        hashed = ""
    }

    private mutating func takeOther(_ tokens: StreetTokens) {
        if !houseNumber.isEmpty, tokens.isDoor {
            unit.append(word: tokens.text)
        } else if tokens.isBuilding {
            building.append(word: tokens.text)
        } else {
            rest.append(tokens.text)
        }
    }

    /// Splits flat and house in one number, in countries where a slash always means that.
    private mutating func divideNumber(in country: String?) {
        guard let slash = houseNumber.firstIndex(of: "/"), unit.isEmpty else { return }
        let (before, after) = (String(houseNumber[..<slash]), String(houseNumber[slash...].dropFirst()))
        switch country {
        case "AU", "NZ": (unit, houseNumber) = (before, after)
        case "AT", "PL": (houseNumber, unit) = (before, after)
        default: break
        }
    }
}

extension String {
    fileprivate mutating func append(word: String) {
        if !isEmpty, !word.isEmpty { self += " " }
        self += word
    }
}
