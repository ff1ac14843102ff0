import HTTP
import JSON
import Processes

/// Appends locations to a file, each as a line of JSON. The last line of a location counts; a line with
/// `"removed":true` deletes it.
struct FileSink: LocationSink {
    private let file: LineFile

    package var most: Int { 1_000 }

    package var sender: (any HTTPCaller)? { nil }
    package var signIn: FirebaseSignIn? { nil }

    package init(path: String) {
        file = LineFile(path: path)
    }

    package func upload(_ parcel: Parcel) async throws(SinkError) {
        guard !parcel.locations.isEmpty else { return }
        var lines: [UInt8] = []
        for location in parcel.locations {
            lines += JSONWriter.bytes { json in
                if location.isRemoved { json.removal(location, isMarked: true) } else { json.location(location) }
            }
            lines.append(UInt8(ascii: "\n"))
        }
        try await append(lines)
    }

    /// Runs on a thread of its own: a slow disk, or another process's lock, must not block a thread that tasks share.
    private func append(_ lines: [UInt8]) async throws(SinkError) {
        let result = await withCheckedContinuation { continuation in
            startThread { [file] in
                continuation.resume(returning: Result { () throws(LineFile.Failure) in try file.append(lines) })
            }
        }
        do { try result.get() } catch { throw SinkError(error) }
    }
}

extension SinkError {
    fileprivate init(_ failure: LineFile.Failure) {
        let reason = "the file: \(failure)"
        self = failure.isLasting ? .denied(reason: reason) : .unavailable(reason: reason)
    }
}
