import Foundation
import Processes
import Testing

struct ArgumentsTests {
    @Test func `the arguments of the process equal those of the runtime`() {
        #expect(ProcessArguments.current == CommandLine.arguments)
    }
}
