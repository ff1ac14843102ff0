/// What the shells offer in one place.
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
    /// The options that take the word after them.
    var valued: [Parameter] { parameters.filter { $0.form == .option } }
}

extension String {
    /// The name in the only letters that a shell's function may have.
    var identifier: String { String(map { $0.isLetter || $0.isNumber ? $0 : "_" }) }

    /// In single quotes, where nothing has a meaning but the quote itself.
    var shellQuoted: String {
        "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
