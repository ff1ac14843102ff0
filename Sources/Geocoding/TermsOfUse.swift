/// The terms of use of a provider, as a person read them. They are shown to operators; the members that a program can
/// enforce are enforced.
public struct TermsOfUse: Hashable, Sendable {
    public enum Permission: String, Hashable, Sendable {
        case yes, no, unstated
    }

    /// The page with the terms.
    public var link: String

    /// When they were read: a date such as `2026-05-18`, or the reason why they were not.
    public var read: String

    /// How long an answer may be kept.
    public var storage: StorageRule

    /// The text that must be next to the answers; empty for none.
    public var attribution: String

    /// Whether addresses of people may be sent.
    public var personalData: Permission

    /// How many machines may call the provider; nil for any number.
    public var machines: Int?

    /// The numbers of machines that can be enforced.
    package static let machines = 1...1_000

    /// True if a person must wait for each answer, so that a list of addresses may not be geocoded.
    public var isInteractiveOnly: Bool

    /// Whether a call may be made for each letter that a person types. Waypost makes none: it suggests towns offline.
    public var autocomplete: Permission

    /// What else matters for a list of contacts; empty for nothing.
    public var note: String

    public init(
        link: String, read: String, storage: StorageRule = .unlimited, attribution: String = "",
        personalData: Permission = .unstated, machines: Int? = nil, isInteractiveOnly: Bool = false,
        autocomplete: Permission = .unstated, note: String = ""
    ) {
        self.link = link
        self.read = read
        self.storage = storage
        self.attribution = attribution
        self.personalData = personalData
        self.machines = machines
        self.isInteractiveOnly = isInteractiveOnly
        self.autocomplete = autocomplete
        self.note = note
    }

    /// The terms of data or of a server that one has oneself: nothing leaves one's own machines.
    public static func own(link: String, read: String, attribution: String, note: String = "") -> Self {
        Self(
            link: link, read: read, attribution: attribution, personalData: .yes, autocomplete: .yes, note: note)
    }
}
