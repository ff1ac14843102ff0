import HTTP

extension HTTPURL {
    /// The URL of a service in our source code.
    init(known text: StaticString) {
        guard let url = Self("\(text)") else { preconditionFailure("\(text) is no URL") }
        self = url
    }
}
