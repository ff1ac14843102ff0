import Foundation
import JSON

/// Compares the structure of two documents of JSON: members with their types, and the order of an object's members.
/// Values are not compared.
struct ShapeComparison {
    var good = 0
    var all = 0
    var differences: [String] = []

    /// The members of these objects are data, and so are these members.
    private static let free: Set = ["address", "extratags", "namedetails", "extra", "admin"]
    private static let optional: Set = [
        "name", "housenumber", "street", "locality", "district", "city", "county", "state", "postcode", "country",
        "country_code",
    ]

    mutating func note(_ isGood: Bool, _ what: @autoclosure () -> String) {
        all += 1
        if isGood { good += 1 } else { differences.append(what()) }
    }

    mutating func compare(_ expected: String, _ found: String) {
        let (one, other) = (Self.shape(of: expected), Self.shape(of: found))
        for line in one.union(other).sorted() {
            note(one.contains(line) && other.contains(line), "\(one.contains(line) ? "lacks" : "has") \(line)")
        }
    }

    /// A line for each member with its type, and for each object with the order of its members.
    private static func shape(of json: String) -> Set<String> {
        guard let document = try? JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed) else {
            return ["not JSON"]
        }
        var lines: Set<String> = []
        describe(document, "", Order(json), &lines)
        return lines
    }

    /// The names of members in the order of their first appearance in the text, because a dictionary has none.
    private struct Order {
        private var places: [String: Int] = [:]

        init(_ json: String) {
            for (place, found) in json.matches(of: #/"([^"\\]+)":/#).enumerated() {
                let name = String(found.1)
                if places[name] == nil { places[name] = place }
            }
        }

        func sorted(_ names: some Sequence<String>) -> [String] {
            names.sorted { places[$0, default: 0] < places[$1, default: 0] }
        }
    }

    private static func describe(_ value: Any, _ path: String, _ order: Order, _ lines: inout Set<String>) {
        let name = path.split(separator: ".").last.map(String.init) ?? ""
        if let object = value as? [String: Any] {
            if free.contains(name) { return _ = lines.insert("\(path) object of texts") }
            let members = object.keys.filter { !(name == "geocoding" && optional.contains($0)) }
            lines.insert("\(path) order \(order.sorted(members).joined(separator: ","))")
            for member in members {
                if let inner = object[member] { describe(inner, "\(path).\(member)", order, &lines) }
            }
        } else if let list = value as? [Any] {
            lines.insert(
                "\(path) list" + (["boundingbox", "bbox", "coordinates"].contains(name) ? " of \(list.count)" : ""))
            if let first = list.first { describe(first, path + "[]", order, &lines) }
        } else if value is NSNull {
            lines.insert(free.contains(name) ? "\(path) object of texts" : "\(path) null")
        } else if let text = value as? String {
            let isFixed = ["FeatureCollection", "Feature", "Point", "Unable to geocode", "OK"].contains(text)
            lines.insert("\(path) " + (isFixed ? text : Double(text) != nil ? "decimal" : "text"))
        } else {
            lines.insert("\(path) number")
        }
    }
}
