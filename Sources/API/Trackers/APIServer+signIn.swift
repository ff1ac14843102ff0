import Access
import Formats
import FoundationEssentials
import HTTP
import JSON
import Locations
import Postgres
import Queue
import Shapes
import Sinks
import Tracking

/// A user's sign-in at Firebase, which workers use to upload in the user's name.
extension APIServer {
    /// Takes the tokens in the form of the library for apps (`FirebaseAuth`).
    func signIn(
        _ request: APIRequest, _ body: SignIn, on database: isolated Connection
    ) throws -> Reply<TrackerView> {
        let (user, account) = (try request.user(), request.account)
        let json = String(decoding: try JSONEncoder().encode(body.auth), as: UTF8.self)
        try require(request, tracker: user, on: database)
        let sink = try sink(of: user, account: account, on: database)
        guard let sealed = try backend.seal(json, SignInStore.context(sink: sink, user: user)) else {
            throw RequestError.noSealingKey
        }
        guard
            try SignInStore().store(
                sealed, endsAt: body.auth.expiresAt, sink: sink, user: user, account: account, on: database)
        else { throw RequestError.noTracker }
        return try logged(.signInTracker, request, on: database)
    }

    /// From now on the user's locations are only stored.
    func signOut(_ request: APIRequest, on database: isolated Connection) throws -> Reply<TrackerView> {
        let (user, account) = (try request.user(), request.account)
        try require(request, tracker: user, on: database)
        let sink = try sink(of: user, account: account, on: database)
        _ = try SignInStore().forget(sink: sink, user: user, account: account, on: database)
        return try logged(.signOutTracker, request, on: database)
    }

    /// Logs the act, and shows the tracker after it.
    private func logged(
        _ act: Act.Verb, _ request: APIRequest, on database: isolated Connection
    ) throws -> Reply<TrackerView> {
        let state = try tracker(of: request, on: database)
        try AuditLog().append(act, "\(state.number)", by: request.author, on: database)
        return Reply(TrackerView(state)).showing(request.trackerPath)
    }

    /// The id of the sink that needs the user's sign-in.
    private func sink(of user: String, account: Int, on database: isolated Connection) throws -> Int {
        let tracker = try TrackerStore().tracker(of: user, account: account, on: database).orThrow(.noTracker)
        guard tracker.signIn != .unneeded,
            let sink = try SinkStore().number(ofSinkOf: user, account: account, on: database)
        else {
            throw RequestError(status: 409, detail: "This user's locations go to no sink that asks for a sign-in.")
        }
        return sink
    }
}

extension RequestError {
    static let noSealingKey = RequestError(
        status: 503, detail: "This server has no key to seal secrets with; its operator must set WAYPOST_SEALING_KEYS.",
        headers: ["Retry-After": "600"])
}

struct SignIn: BodyInput {
    // Apps may send it without a Content-Type.
    static let mustBeDeclared = false
    let auth: FirebaseAuth

    init(_ body: inout RequestReader) {
        let token = #"^[^\u0000]*\S[^\u0000]*$"#
        auth = FirebaseAuth(
            userId: body.text("userId", "The user at Firebase.", example: "u1") ?? "",
            idToken: body.requiredText("idToken", pattern: token, "What requests carry.", example: "eyJhbGciOi…"),
            refreshToken: body.requiredText(
                "refreshToken", pattern: token, "For what a new idToken is given.", example: "AMf-vBx…"),
            expiresAt: body.number(
                "expiresAt", in: 0...253_402_300_799, "When idToken ends, in seconds since 1970.",
                example: 1_795_173_300, isRequired: true) ?? 0)
    }
}
