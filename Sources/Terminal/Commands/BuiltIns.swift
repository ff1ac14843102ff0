/// Commands that every tree has. The tree itself runs them, because a command has no access to the tree.
struct HelpCommand: Command {
    static let name = "help"
    static let summary = "Explain a command."

    @Argument("COMMAND", "What to explain; left out, everything.", completion: .commands) var words: [String] = []

    func run() async throws {}
}

struct CompletionCommand: Command {
    static let name = "completion"
    static let summary = "Print a script that completes this program's words in a shell."
    static let discussion = """
        Load it whenever a shell starts:

          bash  eval "$(PROGRAM completion bash)" in ~/.bashrc
          zsh   eval "$(PROGRAM completion zsh)" in ~/.zshrc, after compinit
          fish  PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish
        """

    @Argument("SHELL", "The shell that will read it.") var shell: Shell

    func run() async throws {}
}

struct ReferenceCommand: Command {
    static let name = "reference"
    static let summary =
        "Write down all commands as a page or manual pages, the API as openapi.json, the providers' terms, or the settings."
    static let discussion = """
        'man' writes a file for each command into a folder, which then man(1) finds:

          PROGRAM reference man /usr/local/share/man/man1
        """
    static let isHidden = true

    @Argument("FORM", "What to write.") var form: ReferenceForm
    @Argument("FOLDER", "Where manual pages go.", completion: .files) var folder: String?

    func run() async throws {}
}
