import Glibc

/// Writes texts completely to an open file.
struct Descriptor {
    let number: Int32

    /// Returns when everything is written. If that is impossible, the program ends: silently lost output is worse, and
    /// no command could handle the error better.
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

    /// A terminal that another program made non-blocking refuses data while its buffer is full.
    private func waitForRoom() {
        var request = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }

    private func giveUp(_ reason: Int32) {
        // An error while writing errors can't be reported.
        guard number != STDERR_FILENO else { return }
        // `waypost stats | head -1` has read all it needs. The exit code is that of a program that SIGPIPE ends, which
        // is what happens to a program that doesn't ignore the signal.
        guard reason != EPIPE else { _exit(128 + SIGPIPE) }
        Screen.errors.writeLine("can't write the output: \(String(cString: strerror(reason)))")
        _exit(1)
    }
}

/// The descriptors of standard input, output and errors: 0, 1 and 2.
package enum StandardDescriptors {
    /// Occupies those that are closed, so that no socket gets the number and receives the output that is meant for a
    /// person.
    ///
    /// Each is opened in the wrong direction, so that using it fails.
    package static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
            // The system uses the lowest free number, which is this one.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
