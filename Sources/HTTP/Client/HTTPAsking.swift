/// Who asks over HTTP: its calls leave in the moment in which its client lets them go.
package protocol HTTPAsking: Sendable {
    var http: HTTPClient { get }
    var server: HTTPURL { get }
}
