/// Completion for zsh: one function for each place, built with `_arguments`.
/// https://zsh.sourceforge.io/Doc/Release/Completion-System.html
struct ZshCompletion {
    let levels: [Level]

    private var program: String { levels.first?.name ?? "" }
    private func function(_ path: [String]) -> String { "_" + path.map(\.identifier).joined(separator: "__") }

    var script: String {
        """
        #compdef \(program)
        # Completes \(program) in zsh. Made by '\(program) completion zsh'.

        \(levels.map(body).joined(separator: "\n"))
        # Read by compinit, the file is the function's body; read by eval, it registers the function.
        if [[ $funcstack[1] == \(function([program])) ]]; then
            \(function([program])) "$@"
        else
            compdef \(function([program])) \(program)
        fi

        """
    }

    private func body(_ level: Level) -> String {
        level.children.isEmpty ? command(level) : group(level)
    }

    private func command(_ level: Level) -> String {
        """
        \(function(level.path))() {
            _arguments -s -S \(specifications(level).joined(separator: " \\\n        "))
        }

        """
    }

    private func group(_ level: Level) -> String {
        let names = level.children.map { "\($0.name):\($0.summary)".shellQuoted }
        let calls = level.children.map { "            \($0.name)) \(function(level.path + [$0.name])) ;;" }
        return """
            \(function(level.path))() {
                local line state
                _arguments -C \(specifications(level).joined(separator: " ")) '1:command:->command' '*::word:->words'
                case $state in
                command)
                    local -a commands=(
                        \(names.joined(separator: "\n            "))
                    )
                    _describe command commands ;;
                words)
                    case $line[1] in
            \(calls.joined(separator: "\n"))
                    esac ;;
                esac
            }

            """
    }

    private func specifications(_ level: Level) -> [String] {
        level.options.map(option) + level.arguments.map(argument)
    }

    /// `'(-o --output)'{-o+,--output=}'[Where the places go.]:FILE:_files'`
    private func option(_ option: Parameter) -> String {
        let names = option.names.map { name in
            option.form == .flag ? name : name + (name.hasPrefix("--") ? "=" : "+")
        }
        let others = option.isRepeatable ? "*" : "(\(option.names.joined(separator: " ")))"
        let value = option.form == .flag ? "" : ":\(option.placeholder):\(action(option))"
        let spelling = names.count == 1 ? names.joined() : "{\(names.joined(separator: ","))}"
        return others.shellQuoted + spelling + "[\(option.summary.escaped)]\(value)".shellQuoted
    }

    private func argument(_ argument: Parameter) -> String {
        let place = argument.isRepeatable ? "*" : argument.isRequired ? "" : ":"
        return "\(place):\(argument.placeholder):\(action(argument))".shellQuoted
    }

    private func action(_ parameter: Parameter) -> String {
        switch parameter.offer {
        case .nothing: " "
        case .files: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }
}

extension String {
    /// Escaped for the square brackets of a description.
    fileprivate var escaped: String {
        String(flatMap { "\\[]:".contains($0) ? ["\\", $0] : [$0] })
    }
}
