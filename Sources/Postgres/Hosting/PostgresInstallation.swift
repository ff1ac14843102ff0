import Glibc

/// The PostgreSQL programs on this machine.
package struct PostgresInstallation: Sendable {
    static let oldestVersion = 15

    /// The folder with `initdb` and `postgres`.
    package let programs: String

    /// The newest installation in Debian's folders, or the one in `PATH`.
    package static func find() throws -> PostgresInstallation {
        let debian = entries(of: "/usr/lib/postgresql").compactMap(Int.init).filter { $0 >= oldestVersion }
            .sorted(by: >).map { "/usr/lib/postgresql/\($0)/bin" }
        let path = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map(String.init)
        for folder in debian + path where isComplete(folder) { return PostgresInstallation(programs: folder) }
        throw HostingError(
            "PostgreSQL \(oldestVersion) or later is not installed here; install it (Debian: apt-get install "
                + "postgresql), or set DATABASE_URL to a database elsewhere")
    }

    private static func isComplete(_ folder: String) -> Bool {
        ["initdb", "postgres"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
    }

    private static func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}

/// The reason why a private PostgreSQL can't start.
struct HostingError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Identifies a program's file, to notice that another file has replaced it.
package struct ProgramFile: Sendable, Equatable {
    private let device: UInt
    private let node: UInt
    private let size: Int
    private let changedAt: Int

    /// Nil if the file does not exist.
    package init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        (device, node) = (info.st_dev, info.st_ino)
        (size, changedAt) = (info.st_size, info.st_mtim.tv_sec)
    }
}
