import API
import Cluster
import Geocoding
import Processes

/// A setting of a process: its variable, how it is read with its bounds, and its words for people.
///
/// The reader, `/v1/settings`, docs/operations/settings.md and deploy/waypost.env.example are made from the list ``all``.
/// A new setting is a property of ``Settings`` and a line there.
struct ProcessSetting: Sendable {
    let name: String
    /// The default as a person would write it.
    var usual = "none"
    /// The permitted values, in Markdown.
    let values: String
    let help: String
    /// A value for the example file; nil leaves the setting out there.
    let example: String?
    /// True if pages show only that it is set, because its value may contain a password, a key or its owner's name.
    var isSecret = false
    /// Nil for a variable that ``ProviderSettings`` or ``TracingSettings`` reads.
    var read: (@Sendable (inout Settings, inout SettingsReader) -> Void)?
    /// The value that pages show; nil if the setting is not listed there.
    var shown: (@Sendable (Settings) -> String?)?

    static let all = sections.flatMap(\.settings)
}

extension ProcessSetting {
    typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    static func number(_ name: String, _ path: Path<Int>, in range: ClosedRange<Int>, _ help: String) -> Self {
        let usual = Settings.usual[keyPath: path]
        return Self(
            name: name, usual: "\(usual)", values: "\(range.lowerBound) to \(range.upperBound)", help: help,
            example: "\(usual)", read: { $0[keyPath: path] = $1.integer(name, default: usual, in: range) },
            shown: { "\($0[keyPath: path])" })
    }

    static func time(_ name: String, _ path: Path<Duration>, in range: ClosedRange<Duration>, _ help: String) -> Self {
        let usual = Settings.usual[keyPath: path]
        return Self(
            name: name, usual: "`\(text(usual))`", values: "`\(text(range.lowerBound))` to `\(text(range.upperBound))`",
            help: help, example: text(usual),
            read: { $0[keyPath: path] = $1.duration(name, default: usual, in: range) },
            shown: { $0[keyPath: path].text })
    }

    private static func text(_ time: Duration) -> String {
        let seconds = time.components.seconds
        return seconds % 86_400 == 0 ? "\(seconds / 86_400)d" : time.exactText
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: Path<Choice>, _ help: String
    ) -> Self {
        let usual = Settings.usual[keyPath: path]
        return Self(
            name: name, usual: "`\(usual.rawValue)`",
            values: Choice.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "), help: help,
            example: usual.rawValue, read: { $0[keyPath: path] = $1.choice(name, default: usual) },
            shown: { $0[keyPath: path].rawValue })
    }

    static func text(
        _ name: String, _ path: Path<String?>, usual: String = "none", _ values: String, example: String = "",
        isSecret: Bool = false, _ help: String, shown: (@Sendable (Settings) -> String?)? = nil
    ) -> Self {
        Self(
            name: name, usual: usual, values: values, help: help, example: example, isSecret: isSecret,
            read: { $0[keyPath: path] = isSecret ? $1.secret(name) : $1.optionalText(name) }, shown: shown)
    }

    /// A text that is checked and kept as it was given.
    static func checked(
        _ name: String, _ path: Path<String?>, _ values: String, example: String, isSecret: Bool = false, takes: String,
        _ help: String, shown: (@Sendable (Settings) -> String?)? = nil,
        isValid: @escaping @Sendable (String) -> Bool
    ) -> Self {
        // In a closure that returns an optional of an optional, nil would be a valid value.
        value(name, path, values, example: example, isSecret: isSecret, takes: takes, help, shown: shown) {
            isValid($0) ? .some(.some($0)) : .none
        }
    }

    /// A setting with its own form. `takes` completes the sentence "it takes …", and `parse` returns nil for a mistake.
    static func value<Value: Sendable>(
        _ name: String, _ path: Path<Value>, usual: String = "none", _ values: String, example: String? = "",
        isSecret: Bool = false, takes: String, _ help: String, shown: (@Sendable (Settings) -> String?)? = nil,
        parse: @escaping @Sendable (String) -> Value?
    ) -> Self {
        let unset = Settings.usual[keyPath: path]
        return Self(
            name: name, usual: usual, values: values, help: help, example: example, isSecret: isSecret,
            read: {
                $0[keyPath: path] = $1.value(name, default: unset, takes: takes, secret: isSecret, parse: parse)
            }, shown: shown)
    }
}

extension ProcessSetting {
    /// The tables of docs/operations/settings.md.
    static var page: String {
        sections.map { title, settings in
            "### \(title)\n\n| variable | default | may be | what it does |\n| --- | --- | --- | --- |\n"
                + settings.map { "| `\($0.name)` | \($0.usual) | \($0.values) | \($0.help) |\n" }.joined() + "\n"
        }.joined()
    }

    /// deploy/waypost.env.example.
    static var exampleFile: String {
        """
        # Settings of Waypost. Every setting has a default, so an empty file works too. docs/operations/settings.md has all.
        #
        # With Docker Compose: copy this file to waypost.env next to docker-compose.yml. With systemd: set a copy as
        # EnvironmentFile.
        #
        # Each secret may come from a file: DATABASE_URL_FILE, WAYPOST_GOOGLE_KEY_FILE and so on take a path.

        """
            + sections.map { "\n# --- \($0) ---\n" + $1.compactMap(\.exampleLines).joined() }.joined()
    }

    private var exampleLines: String? {
        guard let example else { return nil }
        var lines = ["#"]
        // Without links and code marks of Markdown.
        let text = "\(help) Value: \(values).".replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.1 }.filter { $0 != "`" }
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count > 118 { lines.append("#") }
            lines[lines.count - 1] += " " + word
        }
        return "\n" + lines.joined(separator: "\n") + "\n#\(name)=\(example)\n"
    }
}

extension Settings {
    /// The settings that a page may show: only those whose line in the table has a value to show. A setting that may
    /// contain a password, a key or its owner's name is a secret, so its value is not shown.
    var shown: [RunningSettings.Setting] {
        let plain = ProcessSetting.all.compactMap { setting in
            setting.shown.map { .plain(setting.name, $0(self), isSet: given.contains(setting.name)) }
                as RunningSettings.Setting?
        }
        let secrets = ProcessSetting.all.filter(\.isSecret).map(\.name) + ProviderSettings.secrets
        return plain + secrets.map { .secret($0, isSet: given.contains($0)) }
    }
}

extension Application {
    var running: RunningSettings {
        RunningSettings(
            version: Waypost.version, settings: settings.shown,
            providers: providers.map { RunningSettings.Provider(name: $0.name, terms: $0.terms) },
            inWorker: inWorker, callsAtOnce: settings.callsAtOnce)
    }
}
