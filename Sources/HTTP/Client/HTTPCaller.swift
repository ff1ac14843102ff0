/// Makes calls over HTTP. Its client decides when a request is sent.
package protocol HTTPCaller: Sendable {
    var http: HTTPClient { get }
    var server: HTTPURL { get }
}
