import Operations

/// What the environment says of the server of the API.
struct ServerSettings: Sendable {
    /// Where to listen; nil for nowhere.
    let address: ListenAddress?
    /// Whether somebody chose the address. Without that, a port that is taken is no reason not to start.
    let isChosen: Bool
    /// Nil for plain HTTP.
    let tls: TLSFiles?
    /// Whether each request has its line in the log.
    let logsRequests: Bool
    /// Where a worker serves its health and its metrics; nil for nowhere.
    let ofWorker: ListenAddress?

    init(_ reader: inout SettingsReader) {
        isChosen = reader.optionalText("WAYPOST_LISTEN") != nil
        address = reader.value(
            "WAYPOST_LISTEN", default: .usual,
            takes: "an address in digits and a port, such as 127.0.0.1:8080 or [::1]:8080, or off"
        ) { text in text == "off" ? .some(nil) : ListenAddress(text).map { .some($0) } }
        ofWorker = reader.value(
            "WAYPOST_WORKER_LISTEN", default: nil,
            takes: "an address in digits and a port, such as 127.0.0.1:9464 or [::]:9464, or off"
        ) { text in text == "off" ? .some(nil) : ListenAddress(text).map { .some($0) } }
        logsRequests = reader.flag("WAYPOST_ACCESS_LOG", default: false)
        let certificate = reader.optionalText("WAYPOST_TLS_CERTIFICATE")
        let key = reader.optionalText("WAYPOST_TLS_KEY")
        if (certificate == nil) != (key == nil) {
            reader.mistake("WAYPOST_TLS_CERTIFICATE and WAYPOST_TLS_KEY go together, and one is missing")
        }
        for (name, path) in [("WAYPOST_TLS_CERTIFICATE", certificate), ("WAYPOST_TLS_KEY", key)] {
            guard let path, TLSFiles.text(of: path) == nil else { continue }
            reader.mistake("\(name) is \(path), which can't be read as a text file")
        }
        tls = certificate.flatMap { certificate in key.map { TLSFiles(certificate: certificate, key: $0) } }
    }
}
