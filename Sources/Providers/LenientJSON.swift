/// A number that some services write as a string.
struct LenientNumber: Decodable {
    let value: Double

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let number = Double(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number")
            }
            value = number
        } else {
            value = try container.decode(Double.self)
        }
    }
}

/// A text that some services write as a number: house numbers, postcodes, streets with a number as name.
struct LenientText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.text = text
        } else if let whole = try? container.decode(Int.self) {
            text = "\(whole)"
        } else {
            text = "\(try container.decode(Double.self))"
        }
    }
}
