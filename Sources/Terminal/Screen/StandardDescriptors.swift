import Glibc

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
