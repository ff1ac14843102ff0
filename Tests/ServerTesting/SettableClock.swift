import Foundation
import Glibc
import Processes
import Synchronization

/// A wall clock that a test sets, for a program started with ``environment``. The machine's clock does not change.
package final class SettableClock: Sendable {
    /// The environment that gives a program this clock.
    package let environment: [String: String]

    private let folder: String
    private nonisolated(unsafe) let page: UnsafeMutablePointer<Atomic<Int64>>

    /// Compiles the library that overrides the C library's clock, with the compiler of the Swift toolchain.
    package init() async throws {
        var template = Array("/tmp/waypost-clock-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw POSIXError(.EIO) }
        folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let (library, file) = ("\(folder)/settable-clock.so", "\(folder)/offset")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "settable-clock.c")
        let compiler = try await ChildProcess.output(
            of: "clang", ["-O1", "-shared", "-fPIC", "-Wall", "-Werror", "-o", library, source.path, "-ldl"])
        guard compiler.exit.isSuccess else {
            throw ClockError(description: String(decoding: compiler.error, as: UTF8.self))
        }
        // The server may run as another user.
        guard chmod(folder, 0o755) == 0, chmod(library, 0o755) == 0 else { throw POSIXError(.EPERM) }
        let size = MemoryLayout<Atomic<Int64>>.size
        let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0, ftruncate(descriptor, size) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw POSIXError(.EIO) }
        close(descriptor)
        page = memory.assumingMemoryBound(to: Atomic<Int64>.self)
        environment = ["LD_PRELOAD": library, "SETTABLE_CLOCK": file]
    }

    deinit {
        munmap(page, MemoryLayout<Atomic<Int64>>.size)
        remove()
    }

    /// Removes its files. No program can be started with it after that. For a process that is about to exit.
    package func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Sets the clock this far ahead of the machine's, from now on.
    package func set(to offset: Duration) {
        page.pointee.store(Int64(offset / .nanoseconds(1)), ordering: .sequentiallyConsistent)
    }
}

private struct ClockError: Error, CustomStringConvertible {
    let description: String
}
