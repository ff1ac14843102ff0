/// The shells that completion scripts are made for.
package enum Shell: String, CaseIterable, OptionValue {
    case bash, zsh, fish
}

extension CommandTree {
    /// The completion script of `shell` for the whole tree.
    package func completion(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion(levels: levels).script
        case .zsh: ZshCompletion(levels: levels).script
        case .fish: FishCompletion(levels: levels).script
        }
    }
}

/// The completions of a value whose type doesn't list its choices.
package enum Completion: Sendable {
    case none
    case files
    case words([String])

    /// The names of the program's own commands, for `help COMMAND`.
    case commands
}
