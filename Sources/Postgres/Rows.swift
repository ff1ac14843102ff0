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
    @_specialize(where Value == Int)
    @_specialize(where Value == String)
    @_specialize(where Value == Duration)
    @_specialize(where Value == [Int])
    package func read<Value: SQLValue>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        guard let value = try readIfPresent(column, as: type) else { try Self.refuse(column, as: type) }
        return value
    }

    /// Reads a column that may be null.
    @_specialize(where Value == Int)
    @_specialize(where Value == String)
    @_specialize(where Value == Double)
    @_specialize(where Value == Bool)
    @_specialize(where Value == Duration)
    @_specialize(where Value == [Int])
    package func readIfPresent<Value: SQLValue>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        guard let text = try text(of: column) else { return nil }
        guard let value = withExtendedLifetime(self, { Value(sqlText: text) }) else {
            try Self.refuse(column, as: type)
        }
        return value
    }

    private static func refuse(_ column: String, as type: Any.Type) throws -> Never {
        throw DatabaseError.undecodable(column: column, as: type)
    }

    /// The text of a column, as long as the row exists; nil if the column is null.
    private func text(of column: String) throws -> UnsafeBufferPointer<UInt8>? {
        let position = try position(of: column)
        if PQgetisnull(result.pointer, number, position) == 1 { return nil }
        let start = UnsafeRawPointer(PQgetvalue(result.pointer, number, position))
        return UnsafeBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self), count: Int(PQgetlength(result.pointer, number, position))
        )
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
