import CLinux
import Glibc

/// A program that this process starts and waits for.
///
///     let server = try ChildProcess("postgres", ["-D", directory], input: .lifeline, error: .lines { … })
///     server.send(SIGINT)
///     let exit = await server.exit()
///
/// The child leads a process group of its own. So a Ctrl-C in the terminal reaches only us, and we decide when to stop
/// the child. The child inherits only its three standard streams: no other descriptor, and no blocked or ignored
/// signal.
package final class ChildProcess: Sendable {
    package enum Input: Sendable {
        /// `/dev/null`.
        case nothing
        /// A pipe that carries no data and closes when this process ends, even by `kill -9`. See ``Lifeline`` for the
        /// child's side.
        case lifeline
    }

    package enum Output: Sendable {
        /// The same stream as this process has.
        case inherited
        case discarded
        /// Appended to this file, which is created so that only its owner can read it.
        case file(String)
        /// Passed on piece by piece, on a thread that may block.
        case bytes(@Sendable ([UInt8]) -> Void)
        /// Passed on line by line without the newline, on a thread that may block.
        case lines(@Sendable (String) -> Void)
    }

    package enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)

        package var isSuccess: Bool { self == .code(0) }
    }

    package let pid: Int32
    private let state: Locked<State>

    private struct State {
        /// The end of the lifeline that only this process holds.
        var lifeline: Int32?
        var exit: Exit?
        var waiting: [CheckedContinuation<Exit, Never>] = []
    }

    /// Starts `executable`, which is searched for in `PATH` unless it contains a slash.
    ///
    /// `environment` replaces ours. A relative path is relative to `directory`.
    package init(
        _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        directory: String? = nil, input: Input = .nothing, output: Output = .inherited, error: Output = .inherited
    ) throws(SystemError) {
        let plumbing = try Plumbing(input: input, output: output, error: error)
        defer { plumbing.closeChildEnds() }
        do {
            pid = try spawn(
                executable, arguments, environment: environment, directory: directory, streams: plumbing.childEnds)
        } catch {
            plumbing.closeOurEnds()
            throw error
        }
        state = Locked(State(lifeline: plumbing.lifeline))
        do throws(SystemError) {
            try tryToStartThread { [self, readers = plumbing.readers] in
                read(readers, untilProcessIsOver: pid)
                reap()
            }
        } catch {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
            plumbing.closeOurEnds()
            throw error
        }
    }

    /// Sends a signal to the child. Does nothing if the child has ended, because another process may have its id.
    package func send(_ signal: Int32) {
        state.withLock { state in
            if state.exit == nil { kill(pid, signal) }
        }
    }

    /// Asks the child to stop by closing its standard input.
    package func closeLifeline() {
        state.withLock { state in
            if let descriptor = state.lifeline { close(descriptor) }
            state.lifeline = nil
        }
    }

    package var hasEnded: Bool { state.withLock { $0.exit != nil } }

    /// Waits for the child and returns how it ended. The child's whole output has been passed on by then.
    ///
    /// A cancelled task still waits, because its cancellation doesn't end the child, and the child has to be reaped.
    package func exit() async -> Exit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.waiting.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    /// Waits until the child is a zombie, which still holds its process id, and only then releases the id. It does that
    /// under the lock, so that ``send(_:)`` never hits another process with the same id.
    private func reap() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) == -1, errno == EINTR {}
        closeLifeline()
        let (exit, waiting) = state.withLock { state in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) == -1, errno == EINTR {}
            let exit = Exit(status: status)
            let waiting = state.waiting
            state.exit = exit
            state.waiting = []
            return (exit, waiting)
        }
        for continuation in waiting { continuation.resume(returning: exit) }
    }
}

extension ChildProcess.Exit: CustomStringConvertible {
    /// Decodes a wait status as `WIFEXITED` and the related macros do, which Swift can't call.
    init(status: Int32) {
        self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }

    package var description: String {
        switch self {
        case .code(let code): "exit code \(code)"
        case .signal(let signal): "killed by signal \(signal)"
        }
    }
}
