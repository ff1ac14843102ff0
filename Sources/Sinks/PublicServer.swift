import HTTP

extension HTTPURL {
    /// The address of a service, as it stands in our source.
    init(known text: StaticString) {
        guard let url = Self("\(text)") else { preconditionFailure("\(text) is no URL") }
        self = url
    }
}
