/// Something that makes calls over HTTP: they leave in the moment in which its client lets them go.
package protocol HTTPCaller: Sendable {
    var http: HTTPClient { get }
    var server: HTTPURL { get }
}
