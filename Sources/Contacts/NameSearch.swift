import Postgres

/// The friends of an account whose names contain a text, ignoring case.
enum NameSearch {
    /// All of them, by their ids.
    case few([Int])
    /// More than ``most``: reading friends one after another with this condition on a row of `friends` soon finds
    /// enough.
    case many(SQL)

    static let most = 10_000

    /// Searches the account that the session has set, with the index of names.
    init(_ text: String, on database: isolated Connection) throws {
        let ids: [Int] = try database.query(
            "SELECT id FROM friends_named(\(text), false, false, \(Self.most + 1)::integer, 0) AS id"
        ).map { try $0.read("id") }
        guard ids.count > Self.most else {
            self = .few(ids)
            return
        }
        let escaped = ["\\", "%", "_"].reduce(text.lowercased()) { $0.replacing($1, with: "\\" + $1) }
        self = .many("names_of_friend(name, first_name, last_name, nickname) LIKE \("%\(escaped)%")")
    }
}
