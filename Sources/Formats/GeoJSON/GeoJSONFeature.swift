import Geocoding
import JSON

/// The contact in a feature: the name, and one address.
struct GeoJSONFeature {
    /// The key in our own export, kept unchanged.
    let key: String?
    /// The id that another program gave the feature.
    let id: String?
    /// The friend, still without a key and without an address.
    let friend: Friend
    let label: String
    let address: Address
    let position: WrittenPosition
    /// True if its geometry is not a point.
    let isArea: Bool

    init(_ value: JSONValue) throws(UnusableContact) {
        guard let members = value.object, members["type"] == .text("Feature") else {
            throw UnusableContact(reason: "it is not a feature of GeoJSON")
        }
        let properties = FeatureProperties(members["properties"])
        (label, address) = (try properties.label(), try properties.address())
        friend = Friend(
            sourceKey: "", name: try properties.name(), firstName: try properties.text(.firstName),
            lastName: try properties.text(.lastName), nickname: try properties.text(.nickname), addresses: [])
        let own = try ContactMembers(members).id("id")
        let id = own.isEmpty ? try properties.text(.id, limit: .id) : own
        let key = try properties.text(.key, limit: .key)
        self.key = key.isEmpty ? nil : key
        self.id = id.isEmpty ? nil : "id:\(id)"

        let geometry = members["geometry"]?.object
        let isPoint = geometry?["type"] == .text("Point")
        isArea = geometry != nil && !isPoint && !properties.isOurAnswer
        // An answer of ours must not become a pin because it was exported and imported again.
        position = isPoint && !properties.isOurAnswer ? WrittenPosition(geoJSON: geometry?["coordinates"]) : .none
        guard !friend.name.isEmpty || !address.isEmpty else {
            throw UnusableContact(reason: "it has neither a name nor an address")
        }
    }
}

extension ContactDraft {
    mutating func add(_ feature: GeoJSONFeature, line: Int) {
        add(feature.address, label: feature.label, position: feature.position, line: line)
        if feature.isArea { note(line, "its geometry is not a point and was left out") }
    }
}
