import Formats
import JSON
import Shapes

/// Bodies of requests, and of errors, in Monica's format. The name of each begins with `Monica`.
enum MonicaModels {
    static let contactInput = Model("MonicaContactInput", "Other members are ignored.") { ContactNames(&$0) }

    static let newAddress = addressInput("MonicaNewAddress", hasContact: true)
    static let addressInput = addressInput("MonicaAddressInput", hasContact: false)

    static let error = Model("MonicaError") {
        Field(
            "error",
            .object {
                Field(
                    "message",
                    Schema(rules: [("type", ["string", "array"]), ("items", ["type": "string"])], example: nil),
                    "A list where members or parameters are wrong.", example: "The resource has not been found.")
                Field("error_code", .integer, example: 31)
            })
    }

    private static func addressInput(_ name: String, hasContact: Bool) -> Model {
        let blank: JSONText = ["type": ["string", "null"], "pattern": #"^\s*$"#]
        return Model(
            name,
            "At least one of street, city, country and country_id must say where. Where country and country_id are both given, they must mean the same country. latitude and longitude are the contact's own position, which no provider overrides: both, or neither. In a change, the coordinate that the address has already changes nothing. Other members are ignored."
        ) { (hasContact ? $0.requiredID("contact_id") : nil, $0.address()) }
        .with(
            "not", ["properties": ["street": blank, "city": blank, "country": blank, "country_id": ["type": "null"]]])
    }
}
