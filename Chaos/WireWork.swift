import Cluster
import HTTP
import Postgres
import Questions
import Queue

/// Jobs without questions. Each call reports its job and its slot to the recorder, with the HTTP client and the code
/// path of every provider.
struct WireWork: LaneWork, HTTPCaller {
    let lane: String
    let worker: String
    let server: HTTPURL
    let http = HTTPClient(HTTPClient.Options(userAgent: "Waypost/chaos"))

    var sender: (any HTTPCaller)? { self }

    func questions(of jobs: [Job], on database: isolated Connection) -> [Job.ID: Job] {
        Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0) })
    }

    func call(_ job: Job, _ departure: Departure) async -> Reply<Never> {
        let now = Now()
        let slot = job.slot ?? Slot(opens: .zero, closes: .zero)
        let url = server.appending(
            path: lane, "\(job.id)", "\(job.lease)", worker, now.microseconds(at: departure.opens),
            now.microseconds(at: departure.closes ?? departure.opens), "\(Int(slot.opens / .microseconds(1)))",
            "\(Int(slot.closes / .microseconds(1)))")
        do throws(HTTPError) {
            let response = try await http.send(HTTPRequest(.get, url), departure: departure)
            return Reply(response.status == 200 ? .done() : .retry(reason: "\(response.status)"))
        } catch {
            return Reply(departure.isVoid ? .void : .retry(reason: error.reason))
        }
    }

    func store(_ ends: [JobEnd<Never>], successors: [QueuedJob], givenUp: [Int], on database: isolated Connection) {}
}

/// One moment on two clocks.
private struct Now {
    private var instant = ContinuousClock.Instant.now
    private var wall = wallTime()

    init() {
        // Reads both clocks again if more than 50 µs passed in between.
        for _ in 1...100 where instant.duration(to: .now) > .microseconds(50) {
            instant = .now
            wall = wallTime()
        }
    }

    func microseconds(at other: ContinuousClock.Instant) -> String {
        String(Int(((wall + instant.duration(to: other) / .seconds(1)) * 1e6).rounded()))
    }
}
