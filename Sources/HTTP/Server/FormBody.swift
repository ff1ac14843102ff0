/// The body of a form: https://url.spec.whatwg.org/#application/x-www-form-urlencoded
package enum FormBody {
    /// The fields in their order; nil if the body is not a form in UTF-8.
    package static func fields(_ body: [UInt8]) -> [(name: String, value: String)]? {
        try? RequestTarget.items(of: body[...])
    }
}
