extension HTTPRequest {
    /// The request that follows a redirect with this status to `location`.
    ///
    /// Back to the same server it carries all it had. To another it goes only if it carries nothing: what stands in
    /// headers, query and body, an address or a key, was meant for the server that was asked, and for no other.
    func redirected(to location: String, status: Int) throws(HTTPError) -> HTTPRequest {
        guard let target = HTTPURL(location) else {
            throw refusal("it redirects to no http or https address")
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

    /// Why a call that had one departure is not sent on: that would be another call.
    ///
    /// A server that sends everybody elsewhere for good, or to another server, has moved. What it says behind its host
    /// may hold what was asked, and is not repeated.
    func relocation(_ location: String, status: Int) -> HTTPError {
        guard let target = HTTPURL(location) else { return refusal("it redirects to no http or https address") }
        let isElsewhere = target.scheme != url.scheme || !target.isServedBySame(as: url)
        let place = isElsewhere ? "\(target)" : "another path on the same server"
        return HTTPError(
            kind: isElsewhere || status == 301 || status == 308 ? .moved : .redirected, host: url.authority,
            reason: "it redirects to \(place), which is not followed; set that address if it is the right one")
    }

    func refusal(_ reason: String) -> HTTPError {
        HTTPError(kind: .redirected, host: url.authority, reason: reason)
    }
}
