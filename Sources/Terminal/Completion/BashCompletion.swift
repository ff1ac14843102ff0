/// Completion for bash. It needs only bash itself, not the bash-completion package.
struct BashCompletion {
    let levels: [Level]
    let indent = String(repeating: " ", count: 12)

    private var program: String { levels.first?.name ?? "" }
    private var function: String { "_" + program.identifier }

    var script: String {
        """
        # Completes \(program) in bash. Made by '\(program) completion bash'.
        \(function)() {
            local path=\(program) position=0 option='' word=${COMP_WORDS[COMP_CWORD]} piece index
            COMPREPLY=()

            # What the words before the cursor mean. --name=value arrives as three of them.
            for ((index = 1; index < COMP_CWORD; index++)); do
                piece=${COMP_WORDS[index]}
                [[ $piece == = ]] && continue
                if [[ -n $option ]]; then option=''; continue; fi
                case "$path $piece" in
                    \(commands)) path="$path $piece" ;;
                    \(optionsWithValues)) option=$piece ;;
                    "$path -"?*) ;;
                    *) ((position++)) ;;
                esac
            done
            [[ $word == = ]] && word=''

            if [[ -n $option ]]; then
                case "$path $option" in
        \(values)
                esac
            elif [[ $word == -* ]]; then
                case $path in
        \(options)
                esac
            else
                case "$path $position" in
        \(arguments)
                esac
            fi
        }
        \(function)_words() {
            mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
        }
        \(function)_files() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        }
        complete -F \(function) \(program)

        """
    }

    private var commands: String {
        pattern(levels.dropFirst().map(\.name))
    }

    private var optionsWithValues: String {
        pattern(levels.flatMap { level in level.valued.flatMap { patterns(of: $0, at: level) } })
    }

    private var values: String {
        let cases = levels.flatMap { level in
            level.valued.compactMap { option in line(pattern(patterns(of: option, at: level)), option.offer) }
        }
        return cases.joined(separator: "\n")
    }

    private var options: String {
        let cases = levels.compactMap { level in
            line(pattern([level.name]), .words(level.options.flatMap(\.names)))
        }
        return cases.joined(separator: "\n")
    }

    private var arguments: String {
        let cases = levels.flatMap { level -> [String] in
            guard level.children.isEmpty else {
                return [line("\"\(level.name) 0\"", .words(level.children.map(\.name)))].compactMap(\.self)
            }
            return level.arguments.enumerated().compactMap { index, argument in
                line("\"\(level.name) \"" + (argument.isRepeatable ? "*" : "\(index)"), argument.offer)
            }
        }
        return cases.joined(separator: "\n")
    }

    private func patterns(of option: Parameter, at level: Level) -> [String] {
        option.names.map { "\(level.name) \($0)" }
    }

    private func pattern(_ words: [String]) -> String {
        words.isEmpty ? "''" : words.map { "\"\($0)\"" }.joined(separator: " | ")
    }

    private func line(_ pattern: String, _ offer: Offer) -> String? {
        switch offer {
        case .nothing: nil
        case .files: indent + "\(pattern)) \(function)_files ;;"
        case .words(let words): indent + "\(pattern)) \(function)_words \(words.joined(separator: " ").shellQuoted) ;;"
        }
    }
}
