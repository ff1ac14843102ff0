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
package struct HostingError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
