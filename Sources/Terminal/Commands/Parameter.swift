/// A property wrapper that declares a parameter. The parser finds them with `Mirror`.
protocol Declaration {
    var parameter: Parameter { get }
}

/// A property wrapper that declares several parameters.
protocol DeclarationTable {
    var parameters: [Parameter] { get }
}

/// A declaration without its Swift type: enough for parsing, help and completion.
struct Parameter {
    enum Form { case argument, option, flag }

    let form: Form

    /// `-o` and `--output`; an argument has no name.
    var names: [String] = []

    /// The placeholder of the value in help, such as `FILE`; a flag has none.
    var placeholder = ""

    let summary: String
    var isRequired = false
    var isRepeatable = false
    var defaults: [String] = []
    var choices: [String] = []
    var range: String?
    var completion = Completion.none

    /// Completes "takes …": `a whole number from 1 to 1000`.
    var expectation = ""

    /// Stores the word's value, or returns false if the word is invalid.
    var take: (String) -> Bool

    /// The name for messages: the long one, or the argument's.
    var label: String { names.last ?? placeholder }

    /// The parameter with its placeholder: `--output FILE`, `FILE`.
    var usage: String {
        switch form {
        case .argument: placeholder
        case .flag: label
        case .option: "\(label) \(placeholder)"
        }
    }

    static var help: Parameter {
        Parameter(form: .flag, names: ["-h", "--help"], summary: "Show this help.") { _ in true }
    }

    static var version: Parameter {
        Parameter(form: .flag, names: ["--version"], summary: "Print the version.") { _ in true }
    }
}

extension Parameter {
    /// The parameters that the properties of `owner` declare, in the order of the source.
    static func declared(in owner: Any) -> [Parameter] {
        Mirror(reflecting: owner).children.flatMap { child -> [Parameter] in
            switch child.value {
            case let declaration as any Declaration: [declaration.parameter]
            case let table as any DeclarationTable: table.parameters
            case let group as any ParameterGroup: declared(in: group)
            default: []
            }
        }
    }

    /// The declared parameters in the order of the source, and `--help`.
    static func all(of invocation: any Invocation, _ name: String) -> [Parameter] {
        checked(declared(in: invocation) + [.help], of: name)
    }

    /// Ends the program if a declaration is impossible to satisfy: that is a bug in the program.
    private static func checked(_ parameters: [Parameter], of command: String) -> [Parameter] {
        var names: Set<String> = []
        let arguments = parameters.filter { $0.form == .argument }
        for name in parameters.flatMap(\.names) + arguments.map(\.label) {
            precondition(names.insert(name).inserted, "\(command) declares \(name) twice")
        }
        for (argument, next) in zip(arguments, arguments.dropFirst()) {
            precondition(!argument.isRepeatable, "\(command): nothing can follow \(argument.label), which takes all")
            precondition(
                argument.isRequired || !next.isRequired,
                "\(command): \(next.label) is required, so \(argument.label) before it must be too")
        }
        return parameters
    }
}
