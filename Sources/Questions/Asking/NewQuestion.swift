package import Geocoding
import Postgres

/// An address to ask.
package struct NewQuestion: Sendable {
    package let hash: AddressHash
    package let address: Address

    package init(_ address: Address, hash: AddressHash? = nil) {
        self.hash = hash ?? AddressHash(address)
        self.address = address
    }
}

/// A new row that waits, and its future job. The hash is nil for a shadow.
typealias AskedQuestion = (id: Int, hash: AddressHash?, link: Int, job: Int?)

/// Jobs that were reserved for the questions that begin at a link of a chain, `batch` questions in each.
struct ReservedJobs: Sendable {
    let link: Int
    let jobs: [Int]
    let batch: Int

    init(link: Int, jobs: [Int], batch: Int) {
        (self.link, self.jobs, self.batch) = (link, jobs, batch)
    }

    /// Returns the job of the question with this number.
    func job(_ number: Int) -> Int? {
        jobs.indices.contains(number / batch) ? jobs[number / batch] : nil
    }
}

/// A row with the loose key of a new question: an answer that may be shared, or a question that waits for one.
struct SimilarQuestion {
    let id: Int
    /// Nil while it waits.
    let answer: Place?

    init(_ row: Row) throws {
        id = try row.read("id")
        answer = try Place(row)
    }
}

/// Decides about new addresses: which take an existing answer, which follow another spelling, and which job each of the
/// others gets.
struct InsertPlan {
    /// A row to insert. It has an answer, waits in a job, or follows another question.
    struct Row {
        let question: NewQuestion
        /// The key under which the answer to another spelling is found; nil if the chain shares no answers.
        let looseKey: LooseKey?
        let link: Int
        var job: Int?
        var follows = false
        /// The question whose answer it takes, and the confidence of that answer for this spelling.
        var source: Int?
        var confidence: Double?
    }

    /// The ids of questions that others may follow.
    private(set) var leaders: Set<Int> = []

    private var open: [(row: Row, leaders: [Int])] = []
    private let chain: StoredChain
    private let reserved: [ReservedJobs]

    init(along chain: StoredChain, in reserved: [ReservedJobs]) {
        (self.chain, self.reserved) = (chain, reserved)
    }

    /// `similar` are the rows with the question's loose key.
    mutating func add(_ question: NewQuestion, looseKey: LooseKey?, similar: [SimilarQuestion]) {
        let link = chain.plan.start(of: .address(question.address))
        var row = Row(question: question, looseKey: looseKey, link: link)
        for other in similar {
            guard let confidence = other.answer?.areaConfidence(for: question.address, along: chain.plan) else {
                continue
            }
            (row.source, row.confidence) = (other.id, confidence)
            return open.append((row, []))
        }
        let waiting = similar.filter { $0.answer == nil }.map(\.id)
        leaders.formUnion(waiting)
        open.append((row, waiting))
    }

    /// Returns the rows in the order in which their questions were added. The first question of a loose key leads those
    /// behind it, unless one of `held` leads it.
    func rows(following held: Set<Int>) -> [Row] {
        var led: Set<LooseKey> = []
        var counts: [Int: Int] = [:]
        return open.map { row, leaders in
            guard row.source == nil else { return row }
            var row = row
            if chain.isSpared, let key = row.looseKey {
                row.follows = leaders.contains(where: held.contains) || !led.insert(key).inserted
            }
            if !row.follows {
                row.job = reserved.first { $0.link == row.link }?.job(counts[row.link, default: 0])
                counts[row.link, default: 0] += 1
            }
            return row
        }
    }
}

extension AddressHash: SQLValue, SQLArrayElement {
    package static var sqlType: UInt32 { Bytes.sqlType }
    package static var sqlArrayType: UInt32 { Bytes.sqlArrayType }

    package func write(to bytes: inout [UInt8]) { Bytes(self.bytes).write(to: &bytes) }

    package init?(sqlText: UnsafeBufferPointer<UInt8>) {
        guard let stored = Bytes(sqlText: sqlText) else { return nil }
        self.init(bytes: stored.bytes)
    }
}

extension Question.Subject {
    package var hash: AddressHash {
        switch self {
        case .address(let address): NewQuestion(address).hash
        case .coordinate(let place): CoordinateCell(place).hash
        }
    }
}
