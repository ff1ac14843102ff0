import FoundationEssentials
import HTTP
import Operations

/// What the environment says of the server of the API.
struct ServerSettings: Sendable {
    /// Where to listen; nil for nowhere.
    let address: ListenAddress?
    /// Whether somebody chose the address. Without that, a port that is taken is no reason not to start.
    let isChosen: Bool
    /// Nil for plain HTTP.
    let tls: HTTPServer.TLS?
    /// Whether each request has its line in the log.
    let logsRequests: Bool

    init(_ reader: inout SettingsReader) {
        isChosen = reader.optionalText("WAYPOST_LISTEN") != nil
        address = reader.value(
            "WAYPOST_LISTEN", default: .usual,
            takes: "an address in digits and a port, such as 127.0.0.1:8080 or [::1]:8080, or off"
        ) { text in text == "off" ? .some(nil) : ListenAddress(text).map { .some($0) } }
        logsRequests = reader.flag("WAYPOST_ACCESS_LOG", default: false)
        let certificate = reader.file("WAYPOST_TLS_CERTIFICATE")
        let key = reader.file("WAYPOST_TLS_KEY")
        if (certificate == nil) != (key == nil) {
            reader.mistake("WAYPOST_TLS_CERTIFICATE and WAYPOST_TLS_KEY go together, and one is missing")
        }
        tls = certificate.flatMap { certificate in key.map { HTTPServer.TLS(certificate: certificate, key: $0) } }
    }
}

extension SettingsReader {
    /// What stands in the file that `name` names.
    fileprivate mutating func file(_ name: String) -> String? {
        guard let path = optionalText(name) else { return nil }
        let text = (try? Data(contentsOf: URL(filePath: path))).flatMap { String(data: $0, encoding: .utf8) }
        if text == nil { mistake("\(name) is \(path), which can't be read as a text file") }
        return text
    }
}
