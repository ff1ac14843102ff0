import Geocoding

/// Decides about new addresses: which take an existing answer, which follow another spelling, and which job each of the
/// others gets.
struct AskingPlan {
    /// A question that takes the answer of another.
    struct Shared {
        let question: NewQuestion
        let link: Int
        let source: Int
        let confidence: Double
    }

    /// A question that waits, in a job or for another question.
    struct Row {
        let question: NewQuestion
        let link: Int
        let job: Int?
        let follows: Bool
    }

    private(set) var shared: [Shared] = []
    /// The ids of questions that others may follow.
    private(set) var leaders: Set<Int> = []

    private var open: [(question: NewQuestion, leaders: [Int])] = []
    private let chain: StoredChain
    private let reserved: [ReservedJobs]

    init(along chain: StoredChain, in reserved: [ReservedJobs]) {
        self.chain = chain
        self.reserved = reserved
    }

    /// `known` are the rows with the question's loose key.
    mutating func add(_ question: NewQuestion, known: [KnownSpelling]) {
        for spelling in known {
            guard let confidence = spelling.answer?.confidence(for: question.address, along: chain.plan) else {
                continue
            }
            return shared.append(
                Shared(question: question, link: link(of: question), source: spelling.id, confidence: confidence))
        }
        let waiting = known.filter { $0.answer == nil }.map(\.id)
        leaders.formUnion(waiting)
        open.append((question, waiting))
    }

    /// Returns the questions that wait, in the order in which they were added. The first question of a loose key leads
    /// those behind it, unless one of `held` leads it.
    func rows(following held: Set<Int>) -> [Row] {
        let canFollow = chain.isSpared && chain.plan.sharesHouses
        var led: Set<LooseKey> = []
        var counts: [Int: Int] = [:]
        return open.map { question, leaders in
            let link = link(of: question)
            let leads = !leaders.contains(where: held.contains) && led.insert(question.looseKey).inserted
            if canFollow, !leads { return Row(question: question, link: link, job: nil, follows: true) }
            defer { counts[link, default: 0] += 1 }
            return Row(
                question: question, link: link, job: job(counts[link, default: 0], beginningAt: link), follows: false)
        }
    }

    private func link(of question: NewQuestion) -> Int {
        chain.plan.start(of: .address(question.address))
    }

    private func job(_ count: Int, beginningAt link: Int) -> Int? {
        guard let reserved = reserved.first(where: { $0.link == link }) else { return nil }
        let place = count / reserved.batch
        return reserved.jobs.indices.contains(place) ? reserved.jobs[place] : nil
    }
}
