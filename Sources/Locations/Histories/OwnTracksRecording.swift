import Formats
import JSON
import Processes
import Tracking

/// Reads the files that OwnTracks Recorder stores: https://github.com/owntracks/recorder/blob/master/STORE.md
///
/// A line contains the time of arrival of a message, its kind, and the message. The kind of a location begins with `*`.
/// Other messages contain no position.
struct OwnTracksRecording: HistoryReader {
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var lines = NDJSONLines()
    private var isEnded = false

    var bytesRead: Int { lines.bytesRead }

    init(read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { self.read = read }

    /// True if a file with this beginning is probably one.
    static func isLikely(_ text: String) -> Bool {
        let line = text.drop { $0 == "\u{FEFF}" || $0.isNewline }.prefix { !$0.isNewline }
        let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 && Timestamp.seconds(String(parts[0])) != nil && parts[2].hasPrefix("{")
    }

    mutating func next() throws -> HistoryEntry? {
        while true {
            switch lines.next() {
            case .tooLong(let number): return .refused(line: number, reason: "is on a line longer than 1 MiB")
            case .whole(let number, let bytes):
                if let entry = Self.entry(bytes, line: number) { return entry }
            case nil:
                guard !isEnded else { return nil }
                try feed()
            }
        }
    }

    private mutating func feed() throws {
        let piece = try [UInt8](from: read)
        if piece.isEmpty {
            isEnded = true
            lines.end()
        } else {
            lines.feed(piece)
        }
    }

    /// Returns nil for a message of another kind.
    private static func entry(_ line: [UInt8], line number: Int) -> HistoryEntry? {
        let parts = line.split(separator: UInt8(ascii: "\t"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            return .refused(line: number, reason: "is on a line without time, tab, kind, tab, message")
        }
        guard parts[1].first == UInt8(ascii: "*") else { return nil }
        guard let message = try? JSONValue(parsing: Array(parts[2])) else {
            return .refused(line: number, reason: "is not JSON")
        }
        guard let received = OwnTracks.fix(in: message) else { return nil }
        return HistoryEntry(line: number) { () throws(ReceivedFix.Unusable) in try received.fix.get() }
    }
}
