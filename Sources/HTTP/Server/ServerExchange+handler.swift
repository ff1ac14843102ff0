import Processes

/// The task of the handler.
extension ServerExchange {
    /// Starts the handler on this thread, up to its first wait.
    func start(_ route: Router.Route, _ request: ServerRequest, _ parameters: [String: String]) {
        daemon.connections.handlerBegins()
        let task = Task.immediate {
            await serve(route, request, parameters)
            daemon.connections.handlerEnds()
        }
        // If a limit has passed meanwhile, libmicrohttpd finds the connection broken, and then the task is cancelled.
        state.withLock { $0.task = task }
    }

    private func serve(_ route: Router.Route, _ request: ServerRequest, _ parameters: [String: String]) async {
        let response = await response(of: route, request, parameters)
        guard answer(response), case .stream(let write) = response.body, request.method != .head else { return }
        do {
            try await write(ResponseWriter { try await self.send($0) })
            end(.whole)
        } catch {
            // A part of the response was sent. The client sees from the closed connection that it is incomplete.
            if !state.withLock({ $0.isBroken }) { daemon.server.failed(error, route) }
            end(.broken)
        }
    }

    private func response(
        of route: Router.Route, _ request: ServerRequest, _ parameters: [String: String]
    ) async -> ServerResponse {
        do {
            let response = try await route.respond(to: request, parameters: parameters)
            guard (200...599).contains(response.status), response.headers.fields.allSatisfy(\.isSendable) else {
                throw ServerError(description: "the handler's answer has no status, or a header that can't be sent")
            }
            return response
        } catch BodyError.tooLong(let limit) {
            return errorResponse(413, "The body is longer than \(limit) bytes.")
        } catch {
            // If the client is gone or the time is over, that caused the error, so it is not reported.
            if !state.withLock({ $0.isBroken || $0.answer != nil }) { daemon.server.failed(error, route) }
            return errorResponse(500, "The server failed.")
        }
    }

    /// Sets the response, unless there is one. Returns false if it is too late.
    @discardableResult
    func answer(_ response: ServerResponse) -> Bool {
        guard let effects = state.withLock({ $0.answer(response) }) else { return false }
        perform(effects)
        return true
    }

    /// Passes on a piece of the response, and waits for room.
    private func send(_ piece: [UInt8]) async throws {
        let (writing, effects) = state.withLock { $0.write(piece) }
        perform(effects)
        switch writing {
        case .goOn: break
        case .waitForRoom: try await room()
        case .isGone: throw BodyError.brokenOff
        }
    }

    private func room() async throws {
        let turn = state.withLock { $0.turn() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let effects = state.withLock { state in
                    state.waitForRoom(turn, isCancelled: Task.isCancelled) { continuation.resume(with: $0) }
                }
                perform(effects)
            }
        } onCancel: {
            perform(state.withLock { $0.cancelWait(turn) })
        }
    }

    private func end(_ how: OutgoingBody.Ending) {
        perform(state.withLock { $0.endAnswer(how) })
    }
}
