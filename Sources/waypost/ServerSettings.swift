import Operations

/// What the environment says of the server of the API.
struct ServerSettings: Sendable {
    /// Where to listen; nil for nowhere.
    let address: ListenAddress?
    /// Whether somebody chose the address. Without that, a port that is taken is no reason not to start.
    let isChosen: Bool
    /// Files in PEM; without them the server speaks plain HTTP.
    let certificate: String?
    let key: String?

    init(_ reader: inout SettingsReader) {
        isChosen = reader.optionalText("WAYPOST_LISTEN") != nil
        address = reader.value(
            "WAYPOST_LISTEN", default: .usual,
            takes: "an address in digits and a port, such as 127.0.0.1:8080 or [::1]:8080, or off"
        ) { text in text == "off" ? .some(nil) : ListenAddress(text).map { .some($0) } }
        certificate = reader.optionalText("WAYPOST_TLS_CERTIFICATE")
        key = reader.optionalText("WAYPOST_TLS_KEY")
        if (certificate == nil) != (key == nil) {
            reader.mistake("WAYPOST_TLS_CERTIFICATE and WAYPOST_TLS_KEY go together; one of them is not set")
        }
    }
}
