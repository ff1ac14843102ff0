extension HTTPRequest {
    /// The request that follows a redirect with this status to `location`.
    ///
    /// A redirect to the same server keeps everything. A redirect to another server is followed only if the request has
    /// no headers, query or body: they may contain an address or a key, which only the first server may get.
    func redirected(to location: String, status: Int) throws(HTTPError) -> HTTPRequest {
        guard let target = HTTPURL(location) else {
            throw refusal("it redirects to no http or https address")
        }
        if url.scheme == "https" && target.scheme == "http" { throw refusal("it redirects from https to http") }
        if !target.isServedBySame(as: url) && !(headers.fields.isEmpty && !url.hasQuery && body == nil) {
            throw refusal("it redirects to another host; set the address of that one if it is the right one", target)
        }
        var next = self
        next.url = target
        // Only 307 and 308 repeat a POST, as in browsers.
        if method == .post && status != 307 && status != 308 {
            next.method = .get
            next.body = nil
            next.headers["Content-Type"] = nil
        }
        return next
    }

    /// The error for a redirect of a call with a departure: following it would be another call.
    ///
    /// A permanent redirect, or one to another server, means that the server has moved. The path of the target may
    /// contain the address of the query, so the error leaves the path out.
    func relocation(_ location: String, status: Int) -> HTTPError {
        guard let target = HTTPURL(location) else { return refusal("it redirects to no http or https address") }
        let isElsewhere = target.scheme != url.scheme || !target.isServedBySame(as: url)
        let place = isElsewhere ? "\(target)" : "another path on the same server"
        return HTTPError(
            kind: isElsewhere || status == 301 || status == 308 ? .moved : .redirected, host: url.authority,
            reason: "it redirects to \(place), which is not followed; set that address if it is the right one",
            target: target.host)
    }

    func refusal(_ reason: String, _ target: HTTPURL? = nil) -> HTTPError {
        HTTPError(kind: .redirected, host: url.authority, reason: reason, target: target?.host)
    }
}
