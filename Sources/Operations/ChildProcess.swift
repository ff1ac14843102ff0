import CLinux
import Glibc

/// Another program that this one started, and whose end it waits for.
///
///     let server = try ChildProcess("postgres", ["-D", directory], input: .lifeline, error: .lines { … })
///     server.send(SIGINT)
///     let exit = await server.exit()
///
/// The child leads a process group of its own: a Ctrl-C in the terminal reaches us, and we decide when it reaches the
/// child. It inherits its three standard streams and no other descriptor of ours, no blocked and no ignored signal.
package final class ChildProcess: Sendable {
    package enum Input: Sendable {
        /// `/dev/null`.
        case nothing
        /// A pipe that says nothing and ends with us, even by `kill -9`. See ``Lifeline`` for the child's side.
        case lifeline
    }

    package enum Output: Sendable {
        /// Where ours goes.
        case inherited
        case discarded
        /// The end of this file, which is created for its owner alone.
        case file(String)
        /// Handed over piece by piece, on a thread that may block.
        case bytes(@Sendable ([UInt8]) -> Void)
        /// Handed over line by line without the newline, on a thread that may block.
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
        /// The end of the lifeline that only we hold.
        var lifeline: Int32?
        var exit: Exit?
        var waiting: [CheckedContinuation<Exit, Never>] = []
    }

    /// Starts `executable`, which is looked up in `PATH` unless it has a slash.
    ///
    /// `environment` replaces ours. A relative path is seen from `directory`.
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
        startThread { [self, readers = plumbing.readers] in
            read(readers, untilProcessIsOver: pid)
            reap()
        }
    }

    /// Sends a signal to the child, and does nothing if the child is gone: its number may be another's by now.
    package func send(_ signal: Int32) {
        state.withLock { state in
            if state.exit == nil { kill(pid, signal) }
        }
    }

    /// Tells the child to stop: it reads the end of its standard input.
    package func closeLifeline() {
        state.withLock { state in
            if let descriptor = state.lifeline { close(descriptor) }
            state.lifeline = nil
        }
    }

    package var hasEnded: Bool { state.withLock { $0.exit != nil } }

    /// How the child ended. By then all it wrote itself has been handed over.
    ///
    /// A cancelled task waits on: to be cancelled doesn't end the child, and someone has to see its end.
    package func exit() async -> Exit {
        await withCheckedContinuation { continuation in
            let exit = state.withLock { state in
                if state.exit == nil { state.waiting.append(continuation) }
                return state.exit
            }
            if let exit { continuation.resume(returning: exit) }
        }
    }

    /// Waits for the end, which leaves a zombie that keeps the number taken, and only then frees the number. That is
    /// done under the lock, so that ``send(_:)`` never hits whoever gets it next.
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
    /// What `WIFEXITED` and its kin read, which are macros.
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
