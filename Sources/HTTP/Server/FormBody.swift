/// The body of a form: https://url.spec.whatwg.org/#application/x-www-form-urlencoded
package enum FormBody {
    /// Its fields in their order; nil where it is none, or no UTF-8 text.
    package static func fields(_ body: [UInt8]) -> [(name: String, value: String)]? {
        try? RequestTarget.items(of: body[...])
    }
}
