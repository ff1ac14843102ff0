import HTTP

/// Removes secrets from a text that is sent to other people.
struct Redaction: Sendable {
    /// The secrets of this process, the longest first.
    private let secrets: [String]

    /// A text of fewer letters may be a part of any word.
    private static let shortestSecret = 6
    /// Passwords that are names of programs are none, and their removal would make each text unreadable.
    private static let publicWords: Set = ["waypost", "postgres"]

    init(_ secrets: [String]) {
        let parts = secrets.flatMap(Self.parts)
        self.secrets = Set(parts + parts.compactMap(\.percentDecoded)).filter {
            $0.count >= Self.shortestSecret && !Self.publicWords.contains($0)
        }.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// The text without secrets, logins in URLs, tokens of Waypost and e-mail addresses.
    func callAsFunction(_ text: String) -> String {
        var text = text
        for secret in secrets { text = text.replacing(secret, with: Self.mark) }
        text = text.replacing(/:\/\/[^\/\s"'@]*@/, with: "://\(Self.mark)@")
        text = text.replacing(/password=('(?:[^'\\]|\\.)*'|[^\s&"]+)/, with: "password=\(Self.mark)")
        text = text.replacing(/wp_[0-9]+_[A-Za-z0-9_\-]{43}/, with: Self.mark)
        // A unit of systemd looks like one: waypost-worker@1.service.
        return text.replacing(/[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+/) { match in
            match.output.hasSuffix(".service") ? match.output : "[e-mail]"
        }
    }

    private static let mark = "[secret]"

    /// A setting may hold several keys, or a URL with a password.
    private static func parts(of secret: String) -> [String] {
        var parts = [secret]
        parts += secret.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        // The headers of traces: Authorization=Bearer%20…
        parts += secret.matches(of: /^[A-Za-z-]+=(?:Bearer(?:%20| )|Basic(?:%20| ))?([^\s,]+)$/).map {
            String($0.output.1)
        }
        parts += secret.matches(of: /:\/\/[^\/@]*?:([^\/]*)@/).map { String($0.output.1) }
        parts += secret.matches(of: /password='((?:[^'\\]|\\.)*)'/).map { String($0.output.1) }
        parts += secret.matches(of: /password=([^'\s&]+)/).map { String($0.output.1) }
        return parts
    }
}
