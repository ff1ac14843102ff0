import JSON

/// The members of a reply of Monica 4.1.2 and their types, including nested ones, according to Monica's resources and
/// tables. No member may be missing, and no other one may appear.
///
/// A text names a type; with a `?` the value may be null. A list has one shape for all its items. An object with the
/// member `?` may be null.
struct MonicaShape {
    private let shape: JSONValue

    private init(_ text: String) {
        guard let shape = try? JSONValue(parsing: Array(text.utf8)) else { preconditionFailure("the shape is not JSON") }
        self.shape = shape
    }

    /// The differences of a reply; empty if there are none.
    func differences(_ value: JSONValue?) -> [String] { Self.differences(value ?? .null, shape, at: "answer") }

    private static func differences(_ value: JSONValue, _ shape: JSONValue, at place: String) -> [String] {
        switch (shape, value) {
        case (.text(let type), _):
            return type.hasSuffix("?") && value == .null || value.typeName == type.prefix { $0 != "?" }
                ? [] : ["\(place) is no \(type)"]
        case (.list(let shapes), .list(let items)):
            return items.enumerated().flatMap { differences($1, shapes[0], at: "\(place)/\($0)") }
        case (.object(let shapes), .null) where shapes["?"] != nil: return []
        case (.object(let shapes), .object(let members)):
            let names = Set(shapes.keys).subtracting(["?"])
            return names.subtracting(members.keys).map { "\(place)/\($0) is missing" }
                + Set(members.keys).subtracting(names).map { "\(place)/\($0) is nothing of Monica's" }
                + names.flatMap { name in
                    members[name].map { differences($0, shapes[name] ?? .null, at: "\(place)/\(name)") } ?? []
                }
        default: return ["\(place) is \(value.typeName)"]
        }
    }
}

extension JSONValue {
    fileprivate var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number(let number): number == number.rounded() ? "integer" : "number"
        case .text: "string"
        case .list: "list"
        case .object: "object"
        }
    }
}

extension MonicaShape {
    static let me = MonicaShape("{\"data\": \(userText)}")
    static let contact = MonicaShape("{\"data\": \(contactText)}")
    static let contacts = MonicaShape(page(of: contactText))
    static let contactsFound = MonicaShape(page(of: contactText, #""query": "string","#))
    static let address = MonicaShape("{\"data\": \(addressText)}")
    static let addresses = MonicaShape(page(of: addressText))
    static let country = MonicaShape(countryText)
    static let deletedContact = MonicaShape(#"{"deleted": "boolean", "id": "string"}"#)
    static let deletedAddress = MonicaShape(#"{"deleted": "boolean", "id": "integer"}"#)
    static let error = MonicaShape(#"{"error": {"message": "string", "error_code": "integer"}}"#)
    static let wrongFields = MonicaShape(#"{"error": {"message": ["string"], "error_code": "integer"}}"#)
    static let refusal = MonicaShape(#"{"message": "string"}"#)

    private static let account = #"{"id": "integer"}"#
    private static let date = #"{"is_age_based": "boolean?", "is_year_unknown": "boolean?", "date": "string?"}"#
    private static let avatar = #"{"url": "string", "source": "string", "default_avatar_color": "string"}"#
    private static let relationships = #"{"total": "integer", "contacts": ["object"]}"#
    private static let countryText = #"{"id": "string", "object": "string", "name": "string", "iso": "string"}"#

    /// The members of every contact that is not partial.
    private static let names = """
        "id": "integer", "uuid": "string", "object": "string", "hash_id": "string", "first_name": "string",
        "last_name": "string?", "nickname": "string?", "complete_name": "string", "initials": "string",
        "gender": "string?", "gender_type": "string?", "is_starred": "boolean", "is_partial": "boolean",
        "is_active": "boolean", "is_dead": "boolean", "is_me": "boolean", "url": "string", "account": \(account)
        """

    private static let shortContact = """
        {\(names), "information": {"birthdate": \(date), "deceased_date": \(date), "avatar": \(avatar)}}
        """

    private static let addressText = """
        {
          "id": "integer", "uuid": "string", "object": "string", "name": "string?", "street": "string?",
          "city": "string?", "province": "string?", "postal_code": "string?", "latitude": "number?",
          "longitude": "number?", "country": \(countryText.replacing("{", with: "{\"?\": true, ")), "url": "string",
          "account": \(account), "contact": \(shortContact), "created_at": "string", "updated_at": "string"
        }
        """

    private static let contactText = """
        {
          \(names), "description": "string?", "last_called": "string?", "last_activity_together": "string?",
          "stay_in_touch_frequency": "integer?", "stay_in_touch_trigger_date": "string?",
          "information": {
            "relationships": {
              "love": \(relationships), "family": \(relationships), "friend": \(relationships), "work": \(relationships)
            },
            "dates": {"birthdate": \(date), "deceased_date": \(date)},
            "career": {"job": "string?", "company": "string?"},
            "avatar": \(avatar),
            "food_preferences": "string?",
            "how_you_met": {
              "general_information": "string?", "first_met_date": \(date), "first_met_through_contact": "object?"
            }
          },
          "addresses": [\(addressText)],
          "tags": ["object"],
          "statistics": {
            "number_of_calls": "integer", "number_of_notes": "integer", "number_of_activities": "integer",
            "number_of_reminders": "integer", "number_of_tasks": "integer", "number_of_gifts": "integer",
            "number_of_debts": "integer"
          },
          "created_at": "string", "updated_at": "string"
        }
        """

    private static let userText = """
        {
          "id": "integer", "uuid": "string", "object": "string", "first_name": "string", "last_name": "string?",
          "name": "string", "email": "string", "me_contact": "object?", "timezone": "string?", "currency": "object?",
          "locale": "string", "is_policy_compliant": "boolean", "account": \(account), "created_at": "string?",
          "updated_at": "string?"
        }
        """

    private static func page(of item: String, _ more: String = "") -> String {
        """
        {
          "data": [\(item)],
          "links": {"first": "string", "last": "string", "prev": "string?", "next": "string?"},
          "meta": {
            \(more) "current_page": "integer", "from": "integer?", "last_page": "integer",
            "links": [{"url": "string?", "label": "string", "active": "boolean"}],
            "path": "string", "per_page": "integer", "to": "integer?", "total": "integer"
          }
        }
        """
    }
}
