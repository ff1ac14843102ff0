import Postgres
import Queue

extension LaneLoop {
    /// Waits until a process that knew the database's clock has checked it since this worker began. If none does so in
    /// time, there is none.
    func waitForClockCheck() async {
        let deadline = Instant.now + .seconds(3)
        while Instant.now < deadline, !Task.isCancelled {
            let isConfirmed = try? await worker.database.run { [worker, membership, lane] in
                try worker.queue.isClockConfirmed(for: membership.id, in: lane, on: $0)
            }
            if isConfirmed == true { return }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
