import Glibc

extension ChildProcess {
    /// The exit and the whole output of a program that has ended.
    package struct Outcome: Sendable {
        package let exit: Exit
        package let output: [UInt8]
        package let error: [UInt8]
    }

    /// Runs a program to its end and returns its output. If the task is cancelled, the program gets SIGTERM.
    package static func output(
        of executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        directory: String? = nil
    ) async throws -> Outcome {
        let output = Locked<[UInt8]>([])
        let error = Locked<[UInt8]>([])
        let child = try ChildProcess(
            executable, arguments, environment: environment, directory: directory,
            output: .bytes { bytes in output.withLock { $0 += bytes } },
            error: .bytes { bytes in error.withLock { $0 += bytes } })
        let exit = await withTaskCancellationHandler {
            await child.exit()
        } onCancel: {
            child.send(SIGTERM)
        }
        return Outcome(exit: exit, output: output.withLock { $0 }, error: error.withLock { $0 })
    }
}
