/// The completions at one place.
enum Offer {
    case nothing
    case files
    case words([String])
}

extension Parameter {
    var offer: Offer {
        guard choices.isEmpty else { return .words(choices) }
        return switch completion {
        case .none, .commands: .nothing
        case .files: .files
        case .words(let words): .words(words)
        }
    }
}

extension Level {
    /// The options that take the next word as their value.
    var valued: [Parameter] { parameters.filter { $0.form == .option } }
}

extension String {
    /// The name as an identifier of a shell function.
    var identifier: String { String(map { $0.isLetter || $0.isNumber ? $0 : "_" }) }

    /// The text in single quotes, in which only the quote itself is special.
    var shellQuoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
