import Contacts
import Formats
import HTTP
import Processes

/// A file in the body of a request, and its contacts.
struct SentFile: Sendable {
    static let mostBytes = 32 << 20

    let bytes: [UInt8]
    let source: Source
    let contents: FileContents
    /// The bytes are read through the path of this file.
    private let memory: MemoryFile

    /// Reads the bytes. An error is a ``RequestError`` that contains nothing of the file but the names of its columns.
    init(_ bytes: [UInt8], _ settings: FileSettings) async throws {
        let called = settings.name.isEmpty ? "The file" : settings.name
        guard !bytes.isEmpty else { throw RequestError.unusable("\(called) is empty; send it as the body.") }
        do {
            let memory = try MemoryFile(bytes)
            let source = try Source(memory, named: settings.name, format: settings.format, options: settings.options)
            guard source.canBeCopied else {
                throw RequestError(
                    status: 415,
                    detail:
                        "This is \(source.format.rawValue); send CSV, TSV, XLSX, ODS or vCard, or use PUT /v1/friends.")
            }
            (self.bytes, self.source, self.memory) = (bytes, source, memory)
            contents = try await FileContents(of: source)
        } catch {
            throw try Self.refusal(error, called)
        }
    }

    /// Reads the body of a request.
    init(bodyOf request: APIRequest, _ settings: FileSettings) async throws {
        try await self.init(request.body.collect(upTo: Self.mostBytes), settings)
    }

    /// Runs `body`, which uses the source. A file that can't be copied is the client's mistake.
    func using<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
        defer { withExtendedLifetime(memory) {} }
        do { return try await body() } catch { throw try Self.refusal(error, name.isEmpty ? "The file" : name) }
    }

    private static func refusal(_ error: any Error, _ called: String) throws -> any Error {
        switch error {
        case let error as FileError:
            // The other lines are about options of the command line.
            let problem = error.problem.split(separator: "\n").first.map(String.init) ?? "can't be read"
            let hint = problem.contains("known as a part") ? "; name the columns with ?columns= or ?mapping=" : ""
            return RequestError.unusable("\(called): \(problem)\(hint).")
        case is TooManyContacts:
            return RequestError(
                status: 413,
                detail:
                    "\(called) has more than \(FileContents.mostContacts) contacts; send it in parts, or use 'waypost geocode'."
            )
        default: return error
        }
    }
}

extension RequestError {
    fileprivate static func unusable(_ detail: String) -> Self { RequestError(status: 422, detail: detail) }
}

/// Limits how many files are in memory at once.
final class FilePlaces: Sendable {
    private static let most = 8
    private let taken = Locked(0)

    /// Runs `body` with a place of its own.
    func with<Value>(_ body: () async throws -> Value) async throws -> Value {
        let isFree = taken.withLock { taken in
            guard taken < Self.most else { return false }
            taken += 1
            return true
        }
        guard isFree else {
            throw RequestError(
                status: 429,
                detail: "\(Self.most) files are being read here, as many as fit; send this one again soon.",
                headers: ["Retry-After": "5"])
        }
        defer { taken.withLock { $0 -= 1 } }
        return try await body()
    }
}
