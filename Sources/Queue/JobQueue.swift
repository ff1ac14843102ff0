/// The tables `lanes`, `jobs` and `throughput`, and every statement that touches them.
package struct JobQueue: Sendable {
    /// What a new job is announced on; the payload is the lane's name.
    package static let channel = "waypost_jobs"

    let options: Options

    package init(_ options: Options = Options()) {
        self.options = options
    }
}

extension JobQueue {
    package struct Options: Sendable {
        /// A job that has failed this often is given up.
        package var mostFailures = 5

        /// The wait before a second try; each further failure doubles it.
        package var firstRetryDelay: Duration = .seconds(1)

        /// No wait is longer than this.
        package var longestRetryDelay: Duration = .seconds(300)

        package init() {}
    }
}
