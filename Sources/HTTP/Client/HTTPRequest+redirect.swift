extension HTTPRequest {
    /// The request that follows a redirect with this status to `location`.
    ///
    /// Back to the same server it carries all it had. To another it goes only if it carries nothing: what stands in
    /// headers, query and body, an address or a key, was meant for the server that was asked, and for no other.
    func redirected(to location: String, status: Int) throws(HTTPError) -> HTTPRequest {
        guard let target = HTTPURL(location) else {
            throw refusal("it redirects to what is no http or https address")
        }
        if url.scheme == "https" && target.scheme == "http" { throw refusal("it redirects from https to http") }
        if !target.isServedBySame(as: url) && !(headers.fields.isEmpty && !url.hasQuery && body == nil) {
            throw refusal("it redirects to another host; set the address of that one if it is the right one")
        }
        var next = self
        next.url = target
        // As browsers do: only 307 and 308 repeat a POST.
        if method == .post && status != 307 && status != 308 {
            next.method = .get
            next.body = nil
            next.headers["Content-Type"] = nil
        }
        return next
    }

    func refusal(_ reason: String) -> HTTPError {
        HTTPError(kind: .redirected, host: url.authority, reason: reason)
    }
}
