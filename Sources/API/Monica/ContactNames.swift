import Contacts
import Formats

/// The names of a contact in a body. Nil means that the body leaves it out, so it stays unchanged.
struct ContactNames {
    let first: String
    var middle: String?
    var last: String?
    var nickname: String?

    /// Under `/api` a missing name is empty, not unchanged, and middle names are not supported.
    ///
    /// The flags are required as Monica requires them, and not stored. In a change, one of them may be missing.
    init(_ fields: inout RequestReader, in form: ContactForm, isChange: Bool = false) {
        switch form {
        case .app:
            first = fields.requiredText("first_name", example: "Ada")
            middle = ""
            last = fields.text("last_name", example: "Lovelace") ?? ""
            nickname = fields.text("nickname") ?? ""
        case .monica:
            first = fields.requiredText("first_name", within: .monica, example: "Ada")
            middle = fields.givenText("middle_name")
            last = fields.givenText("last_name", example: "Lovelace")
            nickname = fields.givenText("nickname")
            _ = fields.flag("is_birthdate_known", isRequired: true)
            _ = fields.flag("is_deceased", isRequired: !isChange)
            _ = fields.flag("is_deceased_date_known", isRequired: true)
        }
    }

    var complete: String { [first, middle ?? "", last ?? ""].filter { !$0.isEmpty }.joined(separator: " ") }

    var isWhole: Bool { middle != nil && last != nil && nickname != nil }

    /// With the missing names taken from `friend`.
    func completed(by friend: FriendRecord) -> ContactNames {
        var names = self
        names.middle = middle ?? friend.middleName
        names.last = last ?? friend.lastName
        names.nickname = nickname ?? friend.nickname
        return names
    }
}

extension FriendRecord {
    /// The part of the name between first and last name, because a middle name is not stored separately.
    fileprivate var middleName: String {
        guard !firstName.isEmpty, name.hasPrefix(firstName + " ") else { return "" }
        let rest = name.dropFirst(firstName.count + 1)
        guard !lastName.isEmpty else { return String(rest) }
        return rest.hasSuffix(" " + lastName) ? String(rest.dropLast(lastName.count + 1)) : ""
    }
}

extension RequestReader {
    fileprivate mutating func givenText(_ name: String, example: JSONText? = nil) -> String? {
        let text = text(name, within: .monica, example: example)
        return isGiven(name) ? text ?? "" : nil
    }
}
