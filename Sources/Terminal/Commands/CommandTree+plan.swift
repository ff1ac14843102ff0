extension CommandTree {
    /// The action for a command line, chosen before anything is done.
    enum Plan {
        case run(any Invocation, path: [String])
        case show(String)
        case write([(file: String, text: String)], folder: String)
        case help(Level)

        /// A group was named without one of its commands.
        case choose(Level)
        case refuse(UsageError, path: [String])
    }

    func plan(for words: [String]) -> Plan {
        let place = place(of: words)
        if place.rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return .help(place.level)
        }
        do throws(UsageError) {
            return switch place.node {
            case .verb(let verb):
                try plan(verb.make().filled(from: Array(place.rest), of: verb.name, stored: stored), at: place)
            case .group: try plan(at: place)
            }
        } catch {
            return .refuse(error, path: place.path)
        }
    }

    private func plan(_ command: any Invocation, at place: Place) throws(UsageError) -> Plan {
        switch command {
        case let command as HelpCommand: .help(try level(named: command.words))
        case let command as CompletionCommand: .show(completion(for: command.shell))
        case let command as ReferenceCommand: try plan(command)
        default: .run(command, path: place.path)
        }
    }

    private func plan(_ command: ReferenceCommand) throws(UsageError) -> Plan {
        switch (command.form, command.folder) {
        case (.man, let folder?): return .write(manuals, folder: folder)
        case (.man, nil): throw UsageError("give the FOLDER into which manual pages go")
        case (_, _?): throw UsageError("FOLDER is for man; the others go to standard output")
        case (.markdown, nil): return .show(reference)
        case (let form, nil): return .show(references[form]?() ?? "")
        }
    }

    private func plan(at place: Place) throws(UsageError) -> Plan {
        let isRoot = place.path.count == 1
        guard let word = place.rest.first else { return isRoot ? .help(place.level) : .choose(place.level) }
        guard !isRoot || word != "--version" else {
            return .show("\(name) \(version)\(build.isEmpty ? "" : " " + build)\n")
        }
        throw place.unknown(word)
    }

    private func level(named words: [String]) throws(UsageError) -> Level {
        let place = place(of: words)
        if let word = place.rest.first { throw place.unknown(word) }
        return place.level
    }
}
