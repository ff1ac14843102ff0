package import Queue

/// A job in a list. ``JobCircumstances`` is the same with its questions and its failures.
extension JobState: Shaped {
    package static let shape = Shape<JobState>("Job", "A job: one call that waits, is held, or is dead.") {
        Member("id", example: 53) { $0.id }.bounds(1)
        Member("lane", example: "nominatim") { $0.lane }
        Member("state", example: .later) { $0.kind }
        Member("priority", example: "usual") { Priority(rawValue: $0.priority).map { "\($0)" } ?? "\($0.priority)" }
        Member("subject_count", example: 1) { $0.subjects.count }
        Member("failures", example: 1) { $0.failures }
        Member("losses", "How many workers vanished with it.", example: 0) { $0.losses }
        Member("at", "When it could start, when its call may start, or when it died.") { Moment($0.moment) }
        Member("worker", "The worker that holds it.") { $0.worker }
        Member("reason", "Why it is dead, or why it last failed.", example: "timeout") { $0.reason }
    }
}

extension JobState.Kind: JSONRepresentable {}

extension JobState.Holder: Shaped {
    package static let shape = Shape<JobState.Holder>("JobHolder", "The worker of a job.") {
        Member("id", example: 1) { $0.id }
        Member("name", "Null once the worker has ended.", example: "ada") { $0.name }
        Member("host", example: "a1") { $0.host }
    }
}

extension JobState.Failure: Shaped {
    package static let shape = Shape<JobState.Failure>("JobFailure", "A failed call of a job.") {
        Member("at", "When the failure was recorded.") { Moment($0.at) }
        Member("started_at", "When the call was sent; null if none was made, or if that is unknown.") {
            $0.startedAt.map { Moment($0) }
        }
        Member("took_seconds", example: .seconds(10)) { $0.took }.bounds(0)
        Member("worker", example: 1) { $0.worker }
        Member("reason", example: "timeout") { $0.reason }
    }
}

extension JobCircumstances: Shaped {
    package static let shape = Shape<JobCircumstances>("JobDetails", "A job with its questions and its failures.") {
        Including { $0.job }
        Member("subjects", "The ids of its questions, or of its trackers.", example: [7]) { $0.job.subjects }
        Member("history", "Its failures.") { $0.job.history }
        Member("why") { JobWait($0) }
    }
}

/// The reason why a job waits.
package struct JobWait: Shaped {
    let circumstances: JobCircumstances
    private let why: WhyJobWaits

    package init(_ circumstances: JobCircumstances) {
        self.circumstances = circumstances
        why = WhyJobWaits(circumstances)
    }

    package var sentence: String { why.sentence(job: circumstances.job.id, lane: circumstances.lane) }

    package static let shape = Shape<JobWait>("JobWait", "Why a job waits.") {
        Member("word", example: "scheduled") { $0.why.word }
        Member("sentence", example: "Job 53 is scheduled for 15:00:00 (in 4 s).") { $0.sentence }
    }
}

extension FinishedJob: Shaped {
    package static let shape = Shape<FinishedJob>("FinishedJob", "A job that succeeded.") {
        Member("id", example: 53) { $0.id }.bounds(1)
        Member("lane", example: "nominatim") { $0.lane }
        Member("outcome", "`moved`: jobs of other lanes took over what was left.", example: "done") { $0.outcome }
            .choices(CallOutcome.names(where: \.hasAnswer))
        Member("subject_count", example: 1) { $0.subjects }
        Member("started_at", "When its last call was sent.") { Moment(Double($0.startedAt) / 1_000_000) }
        Member("took_seconds", example: .milliseconds(120)) { $0.took }.bounds(0)
        Member("worker") { $0.worker }
    }
}
