import Contacts
import Formats

/// The names of a contact in a body. Nil means that the body leaves it out, so it stays unchanged.
struct ContactNames {
    let first: String
    var middle: String?
    var last: String?
    var nickname: String?

    /// Under `/api` a missing name is empty, not unchanged, and middle names are not supported.
    init(_ fields: inout FieldReader, in form: ContactForm) {
        switch form {
        case .app:
            first = fields.requiredText("first_name")
            middle = ""
            last = fields.text("last_name")
            nickname = fields.text("nickname")
        case .monica:
            first = fields.requiredText("first_name", within: .monica)
            middle = fields.givenText("middle_name")
            last = fields.givenText("last_name")
            nickname = fields.givenText("nickname")
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

extension FieldReader {
    fileprivate mutating func givenText(_ name: String) -> String? {
        value(name) == nil ? nil : text(name, within: .monica)
    }
}
