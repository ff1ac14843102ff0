import Foundation
package import HTTPTesting
import JSON
import Processes
package import Tracking

/// A server on 127.0.0.1 with the documented part of Firestore's REST API and Firebase's token service that is used
/// here. It gives wrong replies when a test says so.
///
///     let server = try FirestoreServer()
///     defer { server.stop() }
///     let auth = server.signIn("ann")
///     server.cycle([.well, .busy, .lost])
///     … server.url, server.project, server.apiKey …; server.documents["locations/1"]?["lat"]
///
/// https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/commit
/// https://firebase.google.com/docs/reference/rest/auth#section-refresh-token
package final class FirestoreServer: Sendable {
    /// True if a user may write a document, by the app's rules. A request without a token may not.
    package typealias Rules = @Sendable (_ user: String, _ path: String) -> Bool

    package let project: String
    package let apiKey: String
    private let rules: Rules
    private let state = Locked(State())
    private let scripted: ScriptedServer

    private struct State {
        var store = FirestoreStore()
        var accounts = FirebaseAccounts()
        var commitMoods = Moods()
        var tokenMoods = Moods()
        var commits = 0
    }

    package init(project: String = "demo", apiKey: String = "key-secret", rules: @escaping Rules = { _, _ in true })
        throws
    {
        self.project = project
        self.apiKey = apiKey
        self.rules = rules
        let state = state
        scripted = try ScriptedServer { request in
            let desk = Desk(project: project, apiKey: apiKey, rules: rules, state: state)
            return request.path == "/v1/token" ? desk.renew(request) : desk.commit(request)
        }
    }

    package func stop() { scripted.stop() }

    package var url: String { scripted.url }
    package var requests: [ScriptedRequest] { scripted.requests }
    package var connections: Int { scripted.connections }
    package var arrivals: AsyncStream<ScriptedRequest> { scripted.arrivals }

    /// All documents by their paths, such as `locations/1`.
    package var documents: [String: [String: FirestoreValue]] { state.withLock { $0.store.documents } }

    /// The number of commits.
    package var commits: Int { state.withLock { $0.commits } }

    /// The number of token renewals.
    package var refreshes: Int { state.withLock { $0.accounts.refreshes } }

    /// All id tokens so far, each with its user.
    package var tokens: [String: String] { state.withLock { $0.accounts.givenOut } }

    /// The tokens of a signed-in user. `expiresAt` is an hour from `now`.
    package func signIn(_ user: String, now: Double = 0) -> FirebaseAuth {
        state.withLock { state in
            let (idToken, refreshToken) = state.accounts.giveOut(to: user)
            return FirebaseAuth(
                userId: user, idToken: idToken, refreshToken: refreshToken, expiresAt: now + FirebaseAccounts.lifetime)
        }
    }

    /// All tokens so far are no longer accepted, but can be renewed.
    package func endTokens() { state.withLock { $0.accounts.endTokens() } }

    /// This user's tokens can no longer be renewed, for this reason.
    package func refuse(_ user: String, as reason: String = "USER_DISABLED") {
        state.withLock { $0.accounts.refusals[user] = reason }
    }

    /// The replies to the next commits, one each; later ones succeed.
    package func play(_ moods: [SinkMood]) { state.withLock { $0.commitMoods = Moods(moods) } }

    /// The replies to all commits from now on, repeated in order.
    package func cycle(_ moods: [SinkMood]) { state.withLock { $0.commitMoods = Moods(moods, isEndless: true) } }

    /// The replies to the next token renewals, one each; later ones succeed.
    package func playToTokens(_ moods: [SinkMood]) { state.withLock { $0.tokenMoods = Moods(moods) } }

    /// Answers one request.
    private struct Desk {
        let project: String
        let apiKey: String
        let rules: Rules
        let state: Locked<State>

        func commit(_ request: ScriptedRequest) -> ScriptedAnswer {
            let mood = state.withLock { $0.commitMoods.next() }
            if let answer = mood.answer { return answer }
            let root = "projects/\(project)/databases/(default)/documents"
            guard request.method == "POST", request.target == "/v1/\(root):commit" else {
                return .fault(404, "NOT_FOUND", "no such database")
            }
            guard request.headers["content-type"] == "application/json" else {
                return .fault(400, "INVALID_ARGUMENT", "the body is said to be something else than JSON")
            }
            return state.withLock { state in
                guard let user = state.accounts.user(of: request.headers["authorization"]) else {
                    return .fault(401, "UNAUTHENTICATED", "the token is not valid")
                }
                let writes: [FirestoreWrite]
                do throws(FirestoreWrite.Invalid) {
                    writes = try FirestoreWrite.all(in: request.body, below: root + "/")
                } catch {
                    return .fault(400, "INVALID_ARGUMENT", error.reason)
                }
                guard writes.allSatisfy({ rules(user, $0.path) }) else {
                    return .fault(403, "PERMISSION_DENIED", "Missing or insufficient permissions.")
                }
                state.store.carryOut(writes)
                state.commits += 1
                return mood.spoiled(answer(writes.dropLast(mood == .fewerResults ? 1 : 0)))
            }
        }

        private func answer(_ writes: ArraySlice<FirestoreWrite>) -> String {
            JSONWriter.text { json in
                json.object { json in
                    json.list("writeResults", writes) { json, write in
                        json.object { if !write.isDelete { $0.member("updateTime", Self.time) } }
                    }
                    json.member("commitTime", Self.time)
                }
            }
        }

        private static let time = "2026-11-22T15:00:00.123456Z"

        func renew(_ request: ScriptedRequest) -> ScriptedAnswer {
            let mood = state.withLock { $0.tokenMoods.next() }
            if let answer = mood.answer { return answer }
            guard request.query["key"] == apiKey else {
                return .fault(
                    400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
                    reason: "API_KEY_INVALID")
            }
            guard request.method == "POST", request.headers["content-type"] == "application/x-www-form-urlencoded",
                let form = request.form, form["grant_type"] == "refresh_token"
            else { return .fault(400, "INVALID_ARGUMENT", "INVALID_GRANT_TYPE") }
            return state.withLock { state in
                switch state.accounts.renew(form["refresh_token"] ?? "") {
                case .success(let answer): mood.spoiled(answer)
                case .failure(let refusal): .fault(400, "INVALID_ARGUMENT", refusal.message)
                }
            }
        }
    }
}

extension ScriptedRequest {
    /// The items of a form in the body.
    fileprivate var form: [String: String]? {
        let text = String(decoding: body, as: UTF8.self)
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let items = text.split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), pair.count > 1 ? String(pair[1]).removingPercentEncoding ?? "" : "")
        }
        return Dictionary(items) { $1 }
    }
}

extension ScriptedAnswer {
    /// The error format of Google's services: https://cloud.google.com/apis/design/errors
    static func fault(_ code: Int, _ status: String, _ message: String, reason: String? = nil) -> Self {
        .json(
            JSONWriter.text { json in
                json.object { json in
                    json.object("error") { json in
                        json.member("code", code)
                        json.member("message", message)
                        json.member("status", status)
                        guard let reason else { return }
                        json.list("details", [reason]) { json, reason in
                            json.object { json in
                                json.member("@type", "type.googleapis.com/google.rpc.ErrorInfo")
                                json.member("reason", reason)
                            }
                        }
                    }
                }
            }, status: code)
    }
}
