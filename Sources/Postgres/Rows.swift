import CLibpq
import Glibc
import Synchronization

/// The result of a statement. Values are decoded only when they are read.
package struct Rows: RandomAccessCollection, Sendable {
    let result: Result

    package var startIndex: Int { 0 }
    package var endIndex: Int { Int(PQntuples(result.pointer)) }

    package subscript(position: Int) -> Row {
        precondition(position >= 0 && position < endIndex, "no row \(position)")
        return Row(result: result, number: Int32(position))
    }

    /// How many rows an INSERT, UPDATE or DELETE changed.
    package var affected: Int {
        Int(String(cString: PQcmdTuples(result.pointer))) ?? 0
    }

    /// Owns libpq's result for as long as a row refers to it.
    ///
    /// Unchecked: libpq never changes a result after it was returned, its accessors only read it, and only this object
    /// holds the pointer.
    final class Result: @unchecked Sendable {
        let pointer: OpaquePointer
        /// The probable position of the next column: after the one that was read last. Only a hint.
        let next = Atomic<Int32>(0)

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            PQclear(pointer)
        }
    }
}

/// One row of a result, read by column name.
package struct Row: Sendable {
    fileprivate let result: Rows.Result
    fileprivate let number: Int32

    /// Reads a column that is never null.
    package func read<Value: SQLValue>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        try decode(column)
    }

    /// Reads a column that may be null.
    package func readIfPresent<Value: SQLValue>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        try decodeIfPresent(column)
    }

    private func decode<Value: SQLValue>(_ column: String) throws -> Value {
        guard let value: Value = try decodeIfPresent(column) else {
            throw DatabaseError.undecodable(column: column, as: Value.self)
        }
        return value
    }

    private func decodeIfPresent<Value: SQLValue>(_ column: String) throws -> Value? {
        let position = try position(of: column)
        if PQgetisnull(result.pointer, number, position) == 1 { return nil }
        let length = Int(PQgetlength(result.pointer, number, position))
        let value = PQgetvalue(result.pointer, number, position).withMemoryRebound(to: UInt8.self, capacity: length) {
            Value(sqlText: UnsafeBufferPointer(start: $0, count: length))
        }
        guard let value else { throw DatabaseError.undecodable(column: column, as: Value.self) }
        return value
    }

    /// Compares the names itself: `PQfnumber` folds case and unquotes the name on each call.
    private func position(of column: String) throws -> Int32 {
        let count = PQnfields(result.pointer)
        let hint = result.next.load(ordering: .relaxed)
        let first = hint < count ? hint : 0
        let found = column.withCString { name in
            (first..<count).first { strcmp(PQfname(result.pointer, $0), name) == 0 }
                ?? (0..<first).first { strcmp(PQfname(result.pointer, $0), name) == 0 }
        }
        guard let found else { throw DatabaseError.noSuchColumn(column) }
        result.next.store(found + 1, ordering: .relaxed)
        return found
    }
}

/// Frequent types, without generics: a generic function of another room looks up the metadata of its types at each call,
/// which takes longer than the decoding.
extension Row {
    package func read(_ column: String, as _: Int.Type = Int.self) throws -> Int { try decode(column) }
    package func read(_ column: String, as _: String.Type = String.self) throws -> String { try decode(column) }
    package func read(_ column: String, as _: Double.Type = Double.self) throws -> Double { try decode(column) }
    package func read(_ column: String, as _: Bool.Type = Bool.self) throws -> Bool { try decode(column) }
    package func read(_ column: String, as _: Duration.Type = Duration.self) throws -> Duration { try decode(column) }
    package func read(_ column: String, as _: [Int].Type = [Int].self) throws -> [Int] { try decode(column) }

    package func readIfPresent(_ column: String, as _: Int.Type = Int.self) throws -> Int? {
        try decodeIfPresent(column)
    }
    package func readIfPresent(_ column: String, as _: String.Type = String.self) throws -> String? {
        try decodeIfPresent(column)
    }
    package func readIfPresent(_ column: String, as _: Double.Type = Double.self) throws -> Double? {
        try decodeIfPresent(column)
    }
    package func readIfPresent(_ column: String, as _: Bool.Type = Bool.self) throws -> Bool? {
        try decodeIfPresent(column)
    }
    package func readIfPresent(_ column: String, as _: Duration.Type = Duration.self) throws -> Duration? {
        try decodeIfPresent(column)
    }
}
