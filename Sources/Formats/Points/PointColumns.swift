import Geocoding

/// A layout in a table with a certain header: reads its rows.
struct PointColumns {
    private struct Piece {
        let separator: String
        let column: Int
    }

    private struct Text {
        let choices: [[Piece]]
        /// The last text and its bytes: rows of a street are neighbours, so most texts repeat.
        var lastBytes: [UInt8] = []
        var last = ""
    }

    private var number: Text
    private var street: Text
    private var city: Text
    private var district: Text
    private var region: Text
    private var postcode: Text
    private var country: Text
    private let longitude: Int
    private let latitude: Int

    init(_ layout: PointLayout, header: [String]) throws(PointTable.Problem) {
        let places = Dictionary(
            header.enumerated().map { ($1.trimmed.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        func text(_ part: PointLayout.Part) -> Text {
            // A column that this version of the data lacks is like a blank one.
            let choices = (layout.parts[part] ?? []).map { pieces in
                pieces.compactMap { piece in
                    places[piece.column.lowercased()].map { Piece(separator: piece.separator, column: $0) }
                }
            }
            return Text(choices: choices.filter { !$0.isEmpty })
        }
        let missing = [PointLayout.Part.number, .street, .longitude, .latitude].filter { text($0).choices.isEmpty }
        guard let x = text(.longitude).choices.first?.first, let y = text(.latitude).choices.first?.first,
            missing.isEmpty
        else {
            throw PointTable.Problem(
                "has no column for \(missing.map(\.rawValue).joined(separator: ", ")); "
                    + "compare --columns with its header")
        }
        (longitude, latitude) = (x.column, y.column)
        (number, street, city) = (text(.number), text(.street), text(.city))
        (district, region, postcode, country) = (text(.district), text(.region), text(.postcode), text(.country))
    }

    /// True if the rows name their country.
    var hasCountry: Bool { !country.choices.isEmpty }

    mutating func point(
        _ bytes: UnsafeBufferPointer<UInt8>, _ fields: [RecordScan.Field], _ reading: inout PointReading
    ) -> Result<AddressPoint, PointOmission> {
        do throws(PointOmission) { return .success(try read(bytes, fields, &reading)) } catch { return .failure(error) }
    }

    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ fields: [RecordScan.Field], _ reading: inout PointReading
    ) throws(PointOmission) -> AddressPoint {
        let row = Row(bytes: bytes, fields: fields)
        let number = try row.text(&number)
        if number.isEmpty { throw .noNumber }
        let (street, city) = (try row.text(&street), try row.text(&city))
        let (district, postcode) = (try row.text(&district), try row.text(&postcode))
        // A village without streets numbers its houses through.
        if street.isEmpty, city.isEmpty, district.isEmpty { throw .noStreet }
        if city.isEmpty, postcode.isEmpty { throw .noTown }
        guard let x = row.decimal(longitude), let y = row.decimal(latitude) else { throw .noPosition }
        return AddressPoint(
            number: number, street: street, city: city, district: district,
            region: try row.text(&region), postcode: postcode, countryCode: try reading.code(row.text(&country)),
            coordinate: try reading.coordinate(x: x, y: y))
    }

    private struct Row {
        let bytes: UnsafeBufferPointer<UInt8>
        let fields: [RecordScan.Field]

        func text(_ text: inout Text) throws(PointOmission) -> String {
            for pieces in text.choices {
                if pieces.count == 1 {
                    let field = trimmed(pieces[0].column)
                    if !field.range.isEmpty { return try cached(field, &text) }
                } else {
                    var whole = ""
                    for piece in pieces {
                        let field = trimmed(piece.column)
                        guard !field.range.isEmpty else { continue }
                        if !whole.isEmpty { whole += piece.separator }
                        whole += try string(field)
                    }
                    if !whole.isEmpty { return whole }
                }
            }
            return ""
        }

        private func cached(_ field: RecordScan.Field, _ text: inout Text) throws(PointOmission) -> String {
            let own = UnsafeBufferPointer(rebasing: bytes[field.range])
            if own.count == text.lastBytes.count, own.elementsEqual(text.lastBytes) { return text.last }
            text.last = try string(field)
            text.lastBytes.removeAll(keepingCapacity: true)
            text.lastBytes.append(contentsOf: own)
            return text.last
        }

        private func string(_ field: RecordScan.Field) throws(PointOmission) -> String {
            guard field.range.count <= PointReading.longestText else { throw .malformed }
            do { return try bytes.text(of: field) } catch { throw .malformed }
        }

        func decimal(_ column: Int) -> Double? {
            Double(decimal: UnsafeBufferPointer(rebasing: bytes[trimmed(column).range]))
        }

        /// The field without spaces around it; blank if the record is too short, or if its word means unknown.
        private func trimmed(_ column: Int) -> RecordScan.Field {
            guard column < fields.count else { return RecordScan.Field(range: 0..<0) }
            var field = fields[column]
            var (start, end) = (field.range.lowerBound, field.range.upperBound)
            while start < end, bytes[start] == 0x20 { start += 1 }
            while start < end, bytes[end - 1] == 0x20 { end -= 1 }
            field.range = start..<(isUnknown(start..<end) ? start : end)
            return field
        }

        /// The NAD's word for a town that is not known.
        private func isUnknown(_ range: Range<Int>) -> Bool {
            range.count == 10 && bytes[range].elementsEqual("Not stated".utf8)
        }
    }
}

extension Double {
    /// A plain number such as `-8.25` or `8,25`. Nil for any other text.
    init?(decimal text: UnsafeBufferPointer<UInt8>) {
        var (digits, count, decimals) = (0, 0, 0)
        var isFraction = false
        let isNegative = text.first == UInt8(ascii: "-")
        for byte in text.dropFirst(isNegative || text.first == UInt8(ascii: "+") ? 1 : 0) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                // A sixteenth digit is far below a millimetre, and no longer exact.
                if count < 15 || !isFraction {
                    guard count < 17 else { return nil }
                    digits = digits * 10 + Int(byte - UInt8(ascii: "0"))
                    decimals += isFraction ? 1 : 0
                }
                count += 1
            case UInt8(ascii: "."), UInt8(ascii: ","):
                guard !isFraction else { return nil }
                isFraction = true
            default: return nil
            }
        }
        guard count > 0 else { return nil }
        let value = Double(digits) / Self.powers[decimals]
        self = isNegative ? -value : value
    }

    private static let powers = (0...17).map { power in (0..<power).reduce(1.0) { value, _ in value * 10 } }
}
