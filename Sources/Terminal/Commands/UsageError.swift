/// The mistakes in the words of a command line, each as a sentence.
package struct UsageError: Error, Equatable {
    package let mistakes: [String]

    package init(_ mistake: String) {
        mistakes = [mistake]
    }

    init(mistakes: [String]) {
        self.mistakes = mistakes
    }
}

extension UsageError: CustomStringConvertible {
    package var description: String { mistakes.joined(separator: "\n") }
}

/// Thrown by a command that has already printed everything, to end the program with this code.
package struct ExitCode: Error, Equatable {
    package let code: Int32

    package init(_ code: Int32) {
        self.code = code
    }
}
