import Foundation
import Glibc
import Processes
import Synchronization

/// A wall clock that a test sets and slews, for a program started with ``environment``. The machine's clock does not change.
package final class SettableClock: Sendable {
    /// The environment that gives a program this clock.
    package let environment: [String: String]

    private let folder: String
    /// The number of the present setting, then two settings of three numbers: see settable-clock.c. Only one thread at a
    /// time may change them.
    private nonisolated(unsafe) let page: UnsafeMutablePointer<Atomic<Int64>>
    private static let numbers = 7

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
        let size = MemoryLayout<Atomic<Int64>>.size * Self.numbers
        let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0, ftruncate(descriptor, size) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw POSIXError(.EIO) }
        close(descriptor)
        page = memory.assumingMemoryBound(to: Atomic<Int64>.self)
        environment = ["LD_PRELOAD": library, "SETTABLE_CLOCK": file]
    }

    deinit {
        munmap(page, MemoryLayout<Atomic<Int64>>.size * Self.numbers)
        remove()
    }

    /// Removes its files. No program can be started with it after that. For a process that is about to exit.
    package func remove() {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Sets the clock this far ahead of the machine's, from now on. It then gains `partsPerMillion` microseconds in each
    /// second, or loses them.
    package func set(to offset: Duration, gaining partsPerMillion: Double = 0) {
        change(Int64(offset / .nanoseconds(1)), Int64(partsPerMillion * 1_000))
    }

    /// Slews the clock: from now on it gains `partsPerMillion` microseconds in each second, or loses them.
    package func slew(by partsPerMillion: Double) {
        change(Int64(offset / .nanoseconds(1)), Int64(partsPerMillion * 1_000))
    }

    /// How far the clock is ahead of the machine's.
    package var offset: Duration {
        let place = Int(page.pointee.load(ordering: .sequentiallyConsistent)) * 3 + 1
        let (offset, since, rate) = (read(place), read(place + 1), read(place + 2))
        return .nanoseconds(offset) + .nanoseconds(Self.now - since) * (Double(rate) / 1e9)
    }

    private func change(_ offset: Int64, _ rate: Int64) {
        let next = 1 - page.pointee.load(ordering: .sequentiallyConsistent)
        for (number, value) in [offset, Self.now, rate].enumerated() {
            page.advanced(by: Int(next) * 3 + 1 + number).pointee.store(value, ordering: .sequentiallyConsistent)
        }
        page.pointee.store(next, ordering: .sequentiallyConsistent)
    }

    private func read(_ place: Int) -> Int64 {
        page.advanced(by: place).pointee.load(ordering: .sequentiallyConsistent)
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

private struct ClockError: Error, CustomStringConvertible {
    let description: String
}
