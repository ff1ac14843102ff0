import Foundation
import Operations
import Testing

struct ArgumentsTests {
    @Test func `the words of a process are known, whatever the runtime thinks`() {
        #expect(ProcessArguments.current == CommandLine.arguments)
    }
}
