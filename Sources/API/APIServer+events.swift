import HTTP

extension APIServer {
    /// Sends a broadcast as server-sent events until the client disconnects:
    /// https://html.spec.whatwg.org/multipage/server-sent-events.html
    func events(
        of broadcast: Broadcast, for request: APIRequest, about user: String? = nil
    ) throws -> ServerResponse {
        let place = try streams.begin(for: request.caller)
        var response = ServerResponse(
            status: 200, headers: ["Content-Type": "text/event-stream"],
            body: .stream { writer in
                defer { withExtendedLifetime(place) {} }
                for await event in await broadcast.events(for: request.caller, about: user) {
                    // A stream must not outlive its token.
                    guard try await isStill(request.caller, asking: request.http) else { return }
                    try await writer.write(event)
                }
            })
        response.isEndless = true
        return response
    }
}
