import Glibc

/// Writes whole texts to an open file.
struct Descriptor {
    let number: Int32

    /// Returns when all is written. Where that can't be, the program ends: output that was lost silently
    /// is worse, and no command has anything better to do about it.
    func write(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(number, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EAGAIN {
                    waitForRoom()
                } else if errno != EINTR {
                    return giveUp(errno)
                }
            }
        }
    }

    /// A terminal that another program made non-blocking refuses what it has no room for.
    private func waitForRoom() {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }

    private func giveUp(_ reason: Int32) {
        // If nobody reads the errors, nothing can be reported.
        guard number != STDERR_FILENO else { return }
        // `waypost stats | head -1` has read all it wants. This is the code of a program that SIGPIPE ends,
        // as it does where nobody ignores that signal.
        guard reason != EPIPE else { _exit(128 + SIGPIPE) }
        Screen.errors.writeLine("can't write the output: \(String(cString: strerror(reason)))")
        _exit(1)
    }
}
