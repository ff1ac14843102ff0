import CLibpq

/// Which database a URL leads to, fit to be shown: without the user and the password.
package struct DatabasePlace: Hashable, Sendable {
    package let name: String
    /// One or several, with their ports; empty for this machine.
    package let hosts: [String]

    /// Nil for what libpq can't read. What `url` leaves out comes from the usual `PG…` variables.
    package init?(url: String) {
        guard let given = Self.options(PQconninfoParse(url, nil)) else { return nil }
        let usual = Self.options(PQconndefaults()) ?? [:]
        func value(_ name: String) -> String? { given[name] ?? usual[name] }
        name = value("dbname") ?? value("user") ?? ""
        // One for all, or one for each; an empty one is the usual.
        let ports = (value("port") ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
            $0.isEmpty ? "5432" : String($0)
        }
        let names = (value("host") ?? value("hostaddr") ?? "").split(separator: ",").map(String.init)
        hosts = names.enumerated().map { number, host in
            let port = ports.count == 1 ? ports[0] : ports.indices.contains(number) ? ports[number] : "5432"
            // A folder is that of a socket of this machine.
            return host.hasPrefix("/") ? host : host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    private static func options(_ options: UnsafeMutablePointer<PQconninfoOption>?) -> [String: String]? {
        guard let options else { return nil }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values.filter { !$0.value.isEmpty }
    }
}

extension DatabasePlace: CustomStringConvertible {
    package var description: String {
        "\(name) on \(hosts.isEmpty ? "this machine" : hosts.joined(separator: ", "))"
    }
}
