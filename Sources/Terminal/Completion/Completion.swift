/// The completions of a value whose type doesn't list its choices.
package enum Completion: Sendable {
    case none
    case files
    case words([String])

    /// The names of the program's own commands, for `help COMMAND`.
    case commands
}
