import FoundationEssentials
import HTTP
import Postgres
import Questions
import Queue
import Tracking

/// Jobs whose subjects are trackers: it uploads the locations that their sink doesn't have.
struct UploadWork: LaneWork {
    let lane: String
    private let sink: any LocationSink
    private let keys: SealingKeys?
    private let database: Database
    private let uploads = UploadStore()
    private let signIns = SignInStore()

    var sender: (any HTTPCaller)? { sink.sender }

    /// `keys` open the tokens of signed-in users. `database` is for renewing them, which is separate from ending a job.
    init(lane: String, sink: any LocationSink, keys: SealingKeys?, database: Database) {
        self.lane = lane
        self.sink = sink
        self.keys = keys
        self.database = database
    }

    struct Question: Sendable {
        let parcel: Parcel
        let locations: [DueLocation]
        let signIn: SignedIn?
    }

    struct SignedIn: Sendable {
        let stored: StoredSignIn
        let auth: FirebaseAuth
    }

    struct Answer: Sendable {
        let fate: UploadFate
        let signIn: StoredSignIn?
        /// The reason why the service doesn't accept the token.
        let doubt: String?
    }

    func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: Question] {
        let found = try uploads.uploads(of: jobs, in: lane, most: sink.most, on: database)
        let stored = try signIns.signIns(found.values.compactMap(\.signIn), on: database)
        var questions: [Job.ID: Question] = [:]
        for job in jobs {
            guard let upload = found[job.id] else { continue }
            var signedIn: SignedIn?
            if sink.signIn != nil {
                // Without a usable token no call is possible.
                guard let signIn = upload.signIn.flatMap({ stored[$0] }), !signIn.isRefused else { continue }
                guard let opened = try open(signIn, on: database) else { continue }
                signedIn = opened
            }
            questions[job.id] = Question(
                parcel: Parcel(
                    upload.locations.map { ($0.location, $0.changedAt) }, token: signedIn?.auth.idToken),
                locations: upload.locations, signIn: signedIn)
        }
        return questions
    }

    private func open(_ signIn: StoredSignIn, on database: isolated Connection) throws -> SignedIn? {
        guard let keys else { return nil }
        do {
            let text = try keys.open(signIn.sealed, for: signIn.context)
            let auth = try JSONDecoder().decode(FirebaseAuth.self, from: Data(text.utf8))
            return SignedIn(stored: signIn, auth: auth)
        } catch {
            try signIns.refuse(
                signIn, because: "its tokens can't be opened with the key of this worker", on: database)
            return nil
        }
    }

    func call(_ question: Question, _ departure: Departure) async -> Reply<Answer> {
        if let signIn = question.signIn, signIn.stored.isEnding { return await renew(signIn) }
        if sender == nil, !departure.leave() { return Reply(.void) }
        let signIn = question.signIn?.stored
        let failure = await SinkError.failure(departure) { () async throws(SinkError) in
            try await sink.upload(question.parcel)
        }
        guard let failure else {
            return Reply(.done(), answer: Answer(fate: .stored(question.locations), signIn: signIn, doubt: nil))
        }
        if departure.isVoid { return Reply(.void) }
        switch failure {
        case .unauthorized(let reason) where signIn != nil:
            return Reply(.done(), answer: Answer(fate: .undecided, signIn: signIn, doubt: reason))
        case .refused(let reason):
            let fate = UploadFate.refused(question.locations, reason: reason)
            return Reply(.done(), answer: Answer(fate: fate, signIn: signIn, doubt: nil))
        default: return Reply(failure.outcome)
        }
    }

    func store(
        _ ends: [JobEnd<Answer>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection
    ) throws {
        // Before `finish`, which queues locations that are still due only for users who are signed in.
        try signIns.trust(
            ends.compactMap { end in end.answer.flatMap { $0.doubt == nil ? $0.signIn : nil } }, on: database)
        for case let answer? in ends.map(\.answer) {
            guard let signIn = answer.signIn, let doubt = answer.doubt else { continue }
            try signIns.doubt(signIn, because: doubt, on: database)
        }
        try uploads.finish(
            ends.filter { $0.deathReason == nil }.map { (job: $0.job, fate: $0.answer?.fate ?? .undecided) },
            most: sink.most, on: database)
    }
}

extension UploadWork {
    /// For this long no other process renews the token.
    private static let renewalLimit: Duration = .seconds(30)

    /// Renews the token, once for the whole cluster. Its job then waits again, and finds the new token.
    private func renew(_ signIn: SignedIn) async -> Reply<Answer> {
        guard let service = sink.signIn, let keys else { return Reply(.released) }
        let stored = signIn.stored
        do {
            let isOurs = try await database.run { [signIns] db in
                try signIns.beginRenewal(of: stored, patience: Self.renewalLimit, on: db)
            }
            guard isOurs else { return Reply(.snoozed(.milliseconds(500))) }
        } catch { return Reply(.retry(reason: "the database did not answer")) }
        do throws(SinkError) {
            let auth = try await service.refresh(signIn.auth, now: Date().timeIntervalSince1970)
            return await storeRenewed(auth, of: stored, sealedBy: keys)
        } catch {
            if case .unauthorized(let reason) = error {
                await change { [signIns] in try signIns.refuse(stored, because: reason, on: $0) }
                // The job ends without a call, and is queued again when the user has signed in.
                return Reply(.done())
            }
            await change { [signIns] in try signIns.giveUpRenewal(of: stored, on: $0) }
            // The sink is not at fault, so its lane continues.
            return switch error {
            case .busy(let pause): Reply(.snoozed(pause))
            case .quotaExhausted(let pause): Reply(.snoozed(pause))
            case .denied(let reason): Reply(.denied(reason: reason))
            default: Reply(.snoozed(.seconds(10)))
            }
        }
    }

    private func storeRenewed(
        _ auth: FirebaseAuth, of stored: StoredSignIn, sealedBy keys: SealingKeys
    ) async -> Reply<Answer> {
        guard let json = try? JSONEncoder().encode(auth) else { preconditionFailure("tokens are texts") }
        let sealed = keys.seal(String(decoding: json, as: UTF8.self), for: stored.context)
        await change { [signIns] in
            try signIns.endRenewal(of: stored, with: sealed, endsAt: auth.expiresAt, on: $0)
        }
        return Reply(.released)
    }

    /// If this fails, another process renews the token again when the limit is over.
    private func change(_ body: @Sendable (isolated Connection) throws -> Void) async {
        try? await Database.retrying { [database] in try await database.run { try body($0) } }
    }
}

extension SinkError {
    /// Makes a call to a sink, which is sent with this departure. Returns its error; nil if it succeeded.
    static func failure(_ departure: Departure, of call: () async throws(SinkError) -> Void) async -> SinkError? {
        await Departure.$current.withValue(departure) {
            do throws(SinkError) {
                try await call()
                return nil
            } catch { return error }
        }
    }

    /// The consequence of a failed call for its job and for the lane.
    var outcome: JobOutcome {
        switch self {
        case .busy(let pause): .rate(retryAfter: pause)
        case .quotaExhausted(let pause): .quota(resetIn: pause)
        case .unavailable(let reason): .retry(reason: reason)
        case .refused(let reason), .unauthorized(let reason), .denied(let reason): .denied(reason: reason)
        }
    }
}
