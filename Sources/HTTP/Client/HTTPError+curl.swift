import CCurl

extension HTTPError {
    /// libcurl's longer messages quote the URL, so only the fixed text of its code is used.
    init(
        _ code: CURLcode, isTooLarge: Bool, isForbidden: Bool = false, departure: Departure? = nil, host: String
    ) {
        if code == CURLE_ABORTED_BY_CALLBACK, let departure {
            self =
                departure.isVoid
                ? .missed(host: host)
                : Self(kind: .broken, host: host, reason: "it closed the connection without an answer")
            return
        }
        let kind = isTooLarge ? .tooLarge : isForbidden ? .forbidden : Self.kind(of: code)
        let reason =
            switch kind {
            case .tooLarge: "the answer is larger than permitted"
            case .forbidden: "its address is private, and calls to private addresses are not permitted"
            case .late: "no complete answer within the time limit"
            default: String(cString: curl_easy_strerror(code))
            }
        self.init(kind: kind, host: host, reason: reason)
    }

    static func missed(host: String) -> Self {
        Self(kind: .missed, host: host, reason: "the request could not leave in its time")
    }

    private static func kind(of code: CURLcode) -> Kind {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_PROXY: .unreachable
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            .untrusted
        case CURLE_OPERATION_TIMEDOUT: .late
        default: .broken
        }
    }
}
