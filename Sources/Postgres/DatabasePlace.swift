import CLibpq

/// The database that a URL leads to, without the user and the password, so it can be shown.
package struct DatabasePlace: Hashable, Sendable {
    package let name: String
    /// One or several hosts with their ports; empty for this machine.
    package let hosts: [String]

    /// Nil if libpq can't parse the URL. `PG…` variables are the defaults for the parts that `url` leaves out.
    package init?(url: String) {
        guard let settings = Self.settings(of: url) else { return nil }
        func value(_ name: String) -> String? { settings[name] }
        name = value("dbname") ?? value("user") ?? ""
        // There is one port for all hosts, or one for each host; an empty one means 5432.
        let ports = (value("port") ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
            $0.isEmpty ? "5432" : String($0)
        }
        let names = (value("host") ?? value("hostaddr") ?? "").split(separator: ",").map(String.init)
        hosts = names.enumerated().map { number, host in
            let port = ports.count == 1 ? ports[0] : ports.indices.contains(number) ? ports[number] : "5432"
            // A path is the folder of a Unix socket on this machine.
            return host.hasPrefix("/") ? host : host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }

    /// The settings of a connection by their names. Nil if libpq can't parse the URL.
    static func settings(of url: String) -> [String: String]? {
        guard let given = options(PQconninfoParse(url, nil)) else { return nil }
        return (options(PQconndefaults()) ?? [:]).merging(given) { $1 }
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
