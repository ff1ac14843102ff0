import HTTP
import Postgres
import Questions
import Queue

/// Jobs whose subject is a webhook about places. The webhook gets a message that places have changed. The content is
/// read when the call is made, so the changes of a long import share few calls.
struct PlaceNewsWork: LaneWork {
    let lane: String
    let webhook: WebhookSink
    private let places = PlaceNewsStore()

    var sender: (any HTTPCaller)? { webhook }

    init(lane: String, webhook: WebhookSink) {
        self.lane = lane
        self.webhook = webhook
    }

    func questions(of jobs: [Job], on database: isolated Connection) throws -> [Job.ID: PlaceNews] {
        try places.news(of: jobs, on: database)
    }

    func call(_ news: PlaceNews, _ departure: Departure) async -> Reply<PlaceNews> {
        let failure = await SinkError.failure(departure) { () async throws(SinkError) in try await webhook.tell(news) }
        guard let failure else { return Reply(.done(), answer: news) }
        return Reply(departure.isVoid ? .void : failure.outcome)
    }

    func store(
        _ ends: [JobEnd<PlaceNews>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection
    ) throws {
        try places.finish(ends.compactMap { end in end.answer.map { (end.job.id, $0) } }, on: database)
    }
}
