import Access
import Gateway
import Geocoding
package import HTTP
import Processes
import Questions
import Queue

/// The doors of the gateway. Their paths may begin with `/t/TOKEN`.
extension APIServer {
    package func addGateway(to router: inout Router) {
        let desk = GatewayDesk(backend)
        let relay = GatewayRelay(backend)
        for door in Door.all {
            for start in [[], ["t", "{token}"]] {
                let pattern = "/" + (start + door.path + ["{rest...}"]).joined(separator: "/")
                for method in ServerRequest.Method.allCases where method != .head {
                    router.add(method, pattern) { request in
                        await answer(request, at: door, behind: start.count + door.path.count, desk, relay)
                    }
                }
            }
        }
    }

    private func answer(
        _ request: ServerRequest, at door: Door, behind start: Int, _ desk: GatewayDesk, _ relay: GatewayRelay
    ) async -> ServerResponse {
        let asked = GatewayRequest(request, path: Array(request.path.dropFirst(start)))
        var response: ServerResponse
        if request.method == .options {
            response = Door.preflight(asked)
        } else {
            do {
                if let file = try door.file(asked) {
                    let (caller, isStrange) = try await gatewayCaller(of: request, desk)
                    if isStrange { throw RequestError.missingScope(.geocode) }
                    response = try await filePlaces.with {
                        try await geocode(request, asked, to: file, at: door, desk, for: caller)
                    }
                } else {
                    response = try await reply(to: request, asked, at: door, desk, relay)
                }
            } catch {
                let refusal = (error as? GatewayRefusal) ?? GatewayRefusal(known(error, to: request, at: door))
                response = door.refuse(refusal, asked)
            }
        }
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Access-Control-Expose-Headers"] = "*"
        response.headers["Cache-Control"] = "no-store"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Request-Id"] = request.id
        if response.gainsFromGzip {
            response.headers["Vary"] = "Accept-Encoding"
            if request.acceptsGzip { return await response.gzippedElsewhere() }
        }
        return response
    }

    private func known(_ error: any Error, to request: ServerRequest, at door: Door) -> RequestError {
        (try? answer(for: error, to: request, at: "/" + door.path.joined(separator: "/"))) ?? .databaseIsAway
    }

    private func reply(
        to request: ServerRequest, _ asked: GatewayRequest, at door: Door, _ desk: GatewayDesk, _ relay: GatewayRelay
    ) async throws -> ServerResponse {
        let began = ContinuousClock.now
        var found: (caller: Caller?, answer: GatewayAnswer?)
        // The status of a door is not a question.
        var isStatus = false
        defer {
            if !isStatus { backend.instruments?.note(gateway: found.answer, of: found.caller, after: .now - began) }
        }
        let (caller, isStrange) = try await gatewayCaller(of: request, desk)
        found.caller = caller
        let call = try door.call(asked)
        guard var query = call.query else {
            isStatus = true
            return call.reply(GatewayAnswer([], .local))
        }
        if caller.manners.relays, let passedOn = call.passedOn {
            let passed = try await backend.watch.whileThere {
                try await relay.reply(to: RelayedRequest(passedOn), for: caller)
            }
            found.answer = GatewayAnswer([], passed.source)
            guard let reply = passed.reply else { throw GatewayRefusal(waiting: passed.retryAfter) }
            found.answer?.isMiss = ["[]", "{\"error\""].contains { reply.starts(with: $0.utf8) }
            return ServerResponse(
                status: 200,
                headers: [
                    "Content-Type": call.type, "Waypost-Source": passed.source.rawValue,
                    "Waypost-Provider": RelayStore.lane,
                ], body: .bytes(reply))
        }
        query.isLocal = query.isLocal || isStrange
        let answer = try await backend.watch.whileThere { [query] in
            try await desk.answer(call, query, for: caller)
        }
        found.answer = answer
        if answer.source == .waiting, answer.places.isEmpty {
            throw GatewayRefusal(waiting: answer.retryAfter ?? .seconds(1))
        }
        var response = call.reply(answer)
        response.headers["Waypost-Source"] = answer.source.rawValue
        if let place = answer.places.first {
            response.headers["Waypost-Provider"] = place.provider
            response.headers["Waypost-Confidence"] = "\((place.confidence * 1000).rounded() / 1000)"
            if place.isWeak { response.headers["Waypost-Weak"] = "true" }
        }
        return response
    }

    /// The sender of a request: by the token in its path or its parameter `key`, or as everywhere by a header.
    ///
    /// Without a token, a page of another site may ask as well, but it is strange: it can't spend calls, and learns
    /// nothing of what others asked.
    private func gatewayCaller(
        of request: ServerRequest, _ desk: GatewayDesk
    ) async throws -> (Caller, isStrange: Bool) {
        var request = request
        let key = request.parameters["token"] ?? ["key", "apiKey"].lazy.compactMap { request.query($0) }.first
        // Programs send a key of their own kind to a server that needs none.
        if let key, request.parameters["token"] != nil || key.hasPrefix("wp") {
            request.headers["Authorization"] = "Bearer \(key)"
        }
        let site = request.headers["Sec-Fetch-Site"]
        let isOfPage = request.headers["Origin"] != nil || site == "cross-site"
        request.headers["Origin"] = nil
        request.headers["Sec-Fetch-Site"] = nil
        // A session is for our own pages.
        request.headers["Cookie"] = nil
        request.isAuthenticated.withLock { $0 = false }
        let caller = try await caller(of: request, bearer: desk.caller(bearing:), open: desk.openCaller)
        request.isAuthenticated.withLock { $0 = true }
        guard !caller.scopes.isDisjoint(with: [.geocode, .write]), caller.user == nil else {
            throw RequestError.missingScope(.geocode)
        }
        return (caller, isOfPage && caller.token == nil)
    }
}

extension GatewayRefusal {
    fileprivate init(_ error: RequestError) { self.init(error.status, error.detail, error.headers) }

    fileprivate init(waiting time: Duration) {
        let seconds = Int((time / .seconds(1)).rounded(.up))
        self.init(503, "The answer is not there yet; ask again after \(seconds) s.", ["Retry-After": "\(seconds)"])
    }
}
