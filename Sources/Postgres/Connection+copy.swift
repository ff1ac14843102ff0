import CLibpq
import Glibc

extension Connection {
    /// Sends any number of rows at the speed of `COPY`. Returns how many the server took.
    ///
    ///     try db.copy(into: "countries (code, name)") { rows in
    ///         for country in countries { try rows.append(country.code, country.name) }
    ///     }
    ///
    /// If `body` throws, the server discards the rows. `table` has no parameters.
    @discardableResult
    package func copy(into table: SQL, _ body: (inout CopyWriter) throws -> Void) throws -> Int {
        let statement = "COPY \(table.text) FROM STDIN"
        try send(script: statement)
        var writer = CopyWriter(connection: self, statement: statement)
        do {
            try body(&writer)
            try writer.flush()
        } catch {
            endCopy(refusing: "the sender gave up")
            // If the server refused a row, its error is the reason, not our broken pipe.
            let patience = Patience(within: .seconds(5))
            do { _ = try collect(statement, patience) } catch let refusal as DatabaseError {
                if let own = error as? DatabaseError, own.sqlState == nil, refusal.sqlState != "57014" { throw refusal }
            }
            throw error
        }
        endCopy(refusing: nil)
        return Rows(result: try collect(statement, Patience(of: use, within: nil))).affected
    }

    /// Reads the rows of a query at the speed of `COPY`, one at a time, without holding all of them in memory.
    package func copy(outOf query: StaticString, _ body: (CopyRow) throws -> Void) throws {
        guard let session else { throw Self.closed(running: "\(query)") }
        let statement = "COPY (\(query)) TO STDOUT"
        try send(script: statement)
        var patience = Patience(of: use, within: nil)
        while true {
            var buffer: UnsafeMutablePointer<CChar>?
            let length = PQgetCopyData(session, &buffer, 1)
            switch length {
            case 1...:
                defer { PQfreemem(buffer) }
                do {
                    try body(CopyRow(UnsafeRawBufferPointer(start: buffer, count: Int(length) - 1)))
                } catch {
                    // The remaining rows must be read and discarded before the connection can be used again.
                    cancelCopy(statement)
                    throw error
                }
            case 0:
                try wait(POLLIN, statement, &patience)
                if PQconsumeInput(session) == 0 { throw failure(nil, running: statement) }
            default:
                _ = try collect(statement, patience)
                return
            }
        }
    }

    /// Sends bytes of copy data. Waits while the socket's buffer is full.
    fileprivate func put(_ bytes: [UInt8], _ statement: String) throws {
        guard let session else { throw Self.closed(running: statement) }
        var patience = Patience(of: use, within: nil)
        while true {
            let sent = bytes.withUnsafeBytes {
                PQputCopyData(session, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
            switch sent {
            case 1: return try flush(statement, &patience)
            case 0: try wait(POLLOUT, statement, &patience)
            default: throw failure(nil, running: statement)
            }
        }
    }

    private func endCopy(refusing reason: String?) {
        // Zero means that the buffer is full: flush it and try again. A failure is reported by `collect`.
        var patience = Patience(within: .seconds(5))
        while PQputCopyEnd(session, reason) == 0 {
            guard (try? flush("COPY", &patience)) != nil else { return }
        }
    }

    private func cancelCopy(_ statement: String) {
        guard let session else { return }
        guard askServerToCancel() else { return close() }
        var buffer: UnsafeMutablePointer<CChar>?
        while true {
            let length = PQgetCopyData(session, &buffer, 0)
            guard length > 0 else { break }
            PQfreemem(buffer)
        }
        // The error is the cancellation that we requested.
        _ = try? collect(statement, Patience(within: .seconds(5)))
    }
}

/// Collects rows for a `COPY … FROM STDIN` and sends them in large pieces.
package struct CopyWriter {
    private static let pieceSize = 64 * 1024

    fileprivate let connection: Connection
    fileprivate let statement: String
    private var piece: [UInt8] = []

    fileprivate init(connection: Connection, statement: String) {
        self.connection = connection
        self.statement = statement
        piece.reserveCapacity(Self.pieceSize + 4_096)
    }

    /// Adds one row. The values are in the order of the columns that `copy(into:)` was given.
    package mutating func append<each Value: CopyValue>(_ value: repeat each Value) throws {
        var isFirst = true
        for value in repeat each value {
            if !isFirst { piece.append(UInt8(ascii: "\t")) }
            isFirst = false
            value.writeCopy(to: &piece)
        }
        try endRow()
    }

    private mutating func endRow() throws {
        piece.append(UInt8(ascii: "\n"))
        if piece.count >= Self.pieceSize { try flush() }
    }

    fileprivate mutating func flush() throws {
        guard !piece.isEmpty else { return }
        try connection.assumeIsolated { [piece, statement] in try $0.put(piece, statement) }
        piece.removeAll(keepingCapacity: true)
    }
}

/// A value in a row of a COPY: any SQL value, or an optional one.
package protocol CopyValue {
    func writeCopy(to bytes: inout [UInt8])
}

extension CopyValue where Self: SQLValue {
    /// https://www.postgresql.org/docs/15/sql-copy.html, "Text Format"
    package func writeCopy(to bytes: inout [UInt8]) {
        let start = bytes.count
        write(to: &bytes)
        bytes.escape(from: start) { byte in
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
            default: false
            }
        }
    }
}

extension String: CopyValue {}
extension Int: CopyValue {}
extension Int64: CopyValue {}
extension Int32: CopyValue {}
extension Int16: CopyValue {}
extension Double: CopyValue {}
extension Bool: CopyValue {}
extension Duration: CopyValue {}
extension Bytes: CopyValue {}
extension Array: CopyValue where Element: SQLArrayElement {}

extension Optional: CopyValue where Wrapped: CopyValue {
    package func writeCopy(to bytes: inout [UInt8]) {
        if let self { self.writeCopy(to: &bytes) } else { bytes.append(contentsOf: "\\N".utf8) }
    }
}

/// One row of a `COPY … TO STDOUT`. It is valid only during the call that receives it.
package struct CopyRow {
    private let bytes: UnsafeRawBufferPointer

    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The columns as text, nil where null.
    package var fields: [String?] {
        bytes.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { field in
            if field.elementsEqual("\\N".utf8) { return nil }
            if !field.contains(UInt8(ascii: "\\")) { return String(decoding: field, as: UTF8.self) }
            return String(decoding: Self.unescaped(field), as: UTF8.self)
        }
    }

    private static func unescaped(_ field: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = field[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let code = rest.popFirst() else {
                plain.append(byte)
                continue
            }
            switch code {
            case UInt8(ascii: "b"): plain.append(8)
            case UInt8(ascii: "t"): plain.append(9)
            case UInt8(ascii: "n"): plain.append(10)
            case UInt8(ascii: "v"): plain.append(11)
            case UInt8(ascii: "f"): plain.append(12)
            case UInt8(ascii: "r"): plain.append(13)
            default: plain.append(code)
            }
        }
        return plain
    }
}
