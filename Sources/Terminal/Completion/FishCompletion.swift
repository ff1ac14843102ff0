/// Completion for fish: one line for each word, with a condition for the place where it is offered.
/// https://fishshell.com/docs/current/completions.html
struct FishCompletion {
    let levels: [Level]

    private var program: String { levels.first?.name ?? "" }
    private var function: String { "__" + program.identifier }

    var script: String {
        """
        # Completes \(program) in fish. Made by '\(program) completion fish'.

        # Prints the command before the cursor, and how many arguments it has been given.
        function \(function)_place
            set -l commands \(list(levels.dropFirst().map(\.name)))
            set -l valued \(list(levels.flatMap { level in level.valued.flatMap(\.names).map { "\(level.name) \($0)" } }))
            set -l path \(program)
            set -l position 0
            set -l skip 0
            for word in (commandline -opc)[2..]
                if test $skip = 1
                    set skip 0
                else if contains -- "$path $word" $commands
                    set path "$path $word"
                else if contains -- "$path $word" $valued
                    set skip 1
                else if not string match -q -- '-?*' $word
                    set position (math $position + 1)
                end
            end
            echo $path
            echo $position
        end

        # True at this command and, if asked so, at this argument of it: '-eq 0', '-ge 1'.
        function \(function)_at
            set -l place (\(function)_place)
            test "$place[1]" = "$argv[1]"; or return 1
            not set -q argv[2]; or test $place[2] $argv[2..3]
        end

        complete -c \(program) -f
        \(levels.flatMap(lines).joined(separator: "\n"))

        """
    }

    private func lines(_ level: Level) -> [String] {
        let arguments = level.arguments.enumerated().compactMap { index, argument in
            words(argument, at: "\(level.name.shellQuoted) \(argument.isRepeatable ? "-ge" : "-eq") \(index)")
        }
        return children(level) + arguments + level.options.map { option($0, at: level.name.shellQuoted) }
    }

    private func children(_ level: Level) -> [String] {
        level.children.map { child in
            start(at: "\(level.name.shellQuoted) -eq 0") + " -a \(child.name) -d \(child.summary.shellQuoted)"
        }
    }

    private func words(_ argument: Parameter, at place: String) -> String? {
        switch argument.offer {
        case .nothing: nil
        case .files: start(at: place) + " -F"
        case .words(let words): start(at: place) + " -a \(words.joined(separator: " ").shellQuoted)"
        }
    }

    private func option(_ option: Parameter, at place: String) -> String {
        let names = option.names.map { $0.hasPrefix("--") ? " -l \($0.dropFirst(2))" : " -s \($0.dropFirst())" }
        let value =
            switch option.offer {
            case _ where option.form == .flag: ""
            case .nothing: " -x"
            case .files: " -r -F"
            case .words(let words): " -x -a \(words.joined(separator: " ").shellQuoted)"
            }
        return start(at: place) + names.joined() + value + " -d \(option.summary.shellQuoted)"
    }

    private func start(at place: String) -> String {
        "complete -c \(program) -n \("\(function)_at \(place)".shellQuoted)"
    }

    private func list(_ words: [String]) -> String {
        words.map(\.shellQuoted).joined(separator: " ")
    }
}
