import Processes

@testable import Terminal

/// Stores the text that is written to its screen.
final class Paper: Sendable {
    private let written = Locked("")

    var text: String { written.withLock { $0 } }

    func erase() { written.withLock { $0 = "" } }

    func screen(isTerminal: Bool = false, hasColor: Bool = false, width: Int = 80, height: Int = 24) -> Screen {
        Screen(isTerminal: isTerminal, hasColor: hasColor, width: width, height: height) { text in
            self.written.withLock { $0 += text }
        }
    }
}
