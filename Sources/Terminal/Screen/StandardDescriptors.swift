import Glibc

/// The numbers of standard input, output and errors: 0, 1 and 2.
package enum StandardDescriptors {
    /// Takes those that are closed, so that no socket gets the number, and with it what is written for a person.
    ///
    /// Each is opened the wrong way round: to use it fails, as it should.
    package static func reserve() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
            // The lowest number that is free is given out: this one.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
