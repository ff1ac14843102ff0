import Operations

/// The task of the handler.
extension ServerExchange {
    /// Starts it on this very thread, up to where it first waits.
    func start(_ route: Router.Route, _ request: ServerRequest, _ parameters: [String: String]) {
        daemon.connections.handlerBegins()
        let task = Task.immediate {
            await serve(route, request, parameters)
            daemon.connections.handlerEnds()
        }
        // Where a limit has passed meanwhile, libmicrohttpd finds the connection broken, and then it is cancelled.
        state.withLock { $0.task = task }
    }

    private func serve(_ route: Router.Route, _ request: ServerRequest, _ parameters: [String: String]) async {
        let response = await response(of: route, request, parameters)
        guard answer(response), case .stream(let write) = response.body, request.method != .head else { return }
        do {
            try await write(ResponseWriter { try await self.send($0) })
            end(.whole)
        } catch {
            // Half an answer is out. That it is not all, the client sees by the cut.
            if !state.withLock({ $0.isCut || $0.isOver }) { daemon.server.failed(error, route) }
            end(.broken)
        }
    }

    private func response(
        of route: Router.Route, _ request: ServerRequest, _ parameters: [String: String]
    ) async -> ServerResponse {
        let server = daemon.server
        do {
            let response = try await route.respond(to: request, parameters: parameters)
            guard (200...599).contains(response.status), response.headers.fields.allSatisfy(\.isSendable) else {
                throw ServerError(description: "the handler's answer has no status, or a header that can't be sent")
            }
            return response
        } catch BodyError.tooLong(let limit) {
            return server.refusal(413, "The body is longer than \(limit) bytes.")
        } catch {
            // Where the client is gone, or the time is over, that is why it failed.
            if !state.withLock({ $0.isCut || $0.isOver || $0.answer != nil }) { server.failed(error, route) }
            return server.refusal(500, "The server failed.")
        }
    }

    /// Decides the answer, unless that was done. Returns false when it is too late.
    @discardableResult
    func answer(_ response: ServerResponse) -> Bool {
        let (isTaken, isSuspended) = state.withLock { state -> (Bool, Bool) in
            guard state.answer == nil, !state.isCut, !state.isOver else { return (false, false) }
            state.answer = response
            // A stream may go on reading.
            if case .bytes = response.body { state.body.end(throwing: BodyError.brokenOff) }
            return (true, state.wasSuspended())
        }
        resume(isSuspended)
        return isTaken
    }

    /// Hands a piece of the answer over, and waits for room.
    private func send(_ piece: [UInt8]) async throws {
        let (isGone, hasRoom, isSuspended) = state.withLock { state -> (Bool, Bool, Bool) in
            guard !state.isCut, !state.isOver else { return (true, false, false) }
            state.outgoing.add(piece)
            return (false, state.outgoing.hasRoom, state.resumesWriting())
        }
        resume(isSuspended)
        if isGone { throw BodyError.brokenOff }
        if !hasRoom { try await room() }
    }

    private func room() async throws {
        let turn = state.withLock { $0.outgoing.turn() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { writer in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.outgoing.ending == .broken { return .failure(BodyError.brokenOff) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.outgoing.hasRoom { return .success(()) }
                    state.outgoing.wait(turn, writer)
                    return nil
                }
                if let result { writer.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.outgoing.remove(turn) }?.resume(throwing: CancellationError())
        }
    }

    private func end(_ how: OutgoingBody.Ending) {
        let isSuspended = state.withLock { state in
            state.outgoing.end(how)
            return state.resumesWriting()
        }
        resume(isSuspended)
    }
}

extension ServerExchange.State {
    fileprivate mutating func resumesWriting() -> Bool {
        suspension == .untilWritten && wasSuspended()
    }
}
