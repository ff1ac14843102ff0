/// One level of the tree: its commands, arguments and options.
struct Level {
    /// `["waypost", "jobs", "retry"]`
    let path: [String]
    let summary: String
    let discussion: String

    /// The commands below this level that aren't hidden.
    let children: [(name: String, summary: String)]
    let parameters: [Parameter]

    var name: String { path.joined(separator: " ") }
    var arguments: [Parameter] { parameters.filter { $0.form == .argument } }
    var options: [Parameter] { parameters.filter { $0.form != .argument } }
}

extension CommandTree {
    /// Every level that isn't hidden, each before the levels below it.
    var levels: [Level] {
        func levels(at node: Node, path: [String]) -> [Level] {
            [level(at: node, path: path)]
                + node.children.filter { !$0.isHidden }.flatMap { levels(at: $0, path: path + [$0.name]) }
        }
        return levels(at: root, path: [name])
    }

    func level(at node: Node, path: [String]) -> Level {
        let isRoot = path.count == 1
        let discussion =
            switch node {
            case .verb(let verb): verb.discussion
            case .group: isRoot ? self.discussion : ""
            }
        let parameters: [Parameter] =
            switch node {
            case .verb(let verb): verb.parameters.map(offeringCommands)
            case .group: isRoot ? [.help, .version] : [.help]
            }
        return Level(
            path: path, summary: node.summary, discussion: discussion,
            children: node.children.filter { !$0.isHidden }.map { ($0.name, $0.summary) }, parameters: parameters)
    }

    /// Replaces `.commands` by the names of the commands, which only the tree has.
    private func offeringCommands(_ parameter: Parameter) -> Parameter {
        guard case .commands = parameter.completion else { return parameter }
        var parameter = parameter
        parameter.completion = .words(root.children.filter { !$0.isHidden }.map(\.name))
        return parameter
    }
}
