import Glibc

/// The problem with a file, in one sentence: `contacts.csv: no such file`.
package struct FileError: Error, Equatable {
    /// The path as it was given, or "standard input".
    package let file: String
    package let problem: String

    package init(file: String, problem: String) {
        self.file = file
        self.problem = problem
    }
}

extension FileError: CustomStringConvertible {
    package var description: String { "\(file): \(problem)" }
}

extension FileError {
    /// The error of the system call that was just made.
    static func last(_ file: String) -> FileError {
        FileError(file: file, problem: sentence(for: errno))
    }

    /// The error for a workbook whose parts contradict each other.
    static func damage(_ file: String) -> FileError {
        FileError(file: file, problem: "is damaged or cut short; copy it again, or save it again as a workbook")
    }

    private static func sentence(for code: Int32) -> String {
        switch code {
        case ENOENT: "no such file"
        case EISDIR: "is a directory"
        case EACCES, EPERM: "no permission"
        case ENOSPC: "no space left on the disk"
        case EDQUOT: "the disk quota is used up"
        case EROFS: "the disk is read-only"
        case ENAMETOOLONG: "the name is too long"
        case EPIPE: "the reader has closed it"
        default: String(cString: strerror(code))
        }
    }
}
