import CLibpq
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
        /// The names of the columns. `PQfnumber` folds case and unquotes the name on each call.
        let names: [String]
        /// The probable position of the next column: after the one that was read last. Only a hint.
        let next = Atomic<Int>(0)

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
            // Columns of a COPY have no names.
            names = (0..<PQnfields(pointer)).map { PQfname(pointer, $0).map { String(cString: $0) } ?? "" }
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
        try value(of: column)
    }

    /// Reads a column that may be null.
    package func readIfPresent<Value: SQLValue>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        try valueIfPresent(of: column)
    }

    // The same for the usual types. A generic function looks up the metadata of its types at each call from another
    // room, which takes longer than the reading.
    package func read(_ column: String, as _: Int.Type = Int.self) throws -> Int { try value(of: column) }
    package func read(_ column: String, as _: String.Type = String.self) throws -> String { try value(of: column) }
    package func read(_ column: String, as _: Double.Type = Double.self) throws -> Double { try value(of: column) }
    package func read(_ column: String, as _: Bool.Type = Bool.self) throws -> Bool { try value(of: column) }
    package func read(_ column: String, as _: Duration.Type = Duration.self) throws -> Duration {
        try value(of: column)
    }
    package func read(_ column: String, as _: [Int].Type = [Int].self) throws -> [Int] { try value(of: column) }
    package func readIfPresent(_ column: String, as _: Int.Type = Int.self) throws -> Int? {
        try valueIfPresent(of: column)
    }
    package func readIfPresent(_ column: String, as _: String.Type = String.self) throws -> String? {
        try valueIfPresent(of: column)
    }
    package func readIfPresent(_ column: String, as _: Double.Type = Double.self) throws -> Double? {
        try valueIfPresent(of: column)
    }
    package func readIfPresent(_ column: String, as _: Bool.Type = Bool.self) throws -> Bool? {
        try valueIfPresent(of: column)
    }

    private func value<Value: SQLValue>(of column: String) throws -> Value {
        guard let value: Value = try valueIfPresent(of: column) else { try Self.refuse(column, as: Value.self) }
        return value
    }

    private func valueIfPresent<Value: SQLValue>(of column: String) throws -> Value? {
        guard let text = try text(of: column) else { return nil }
        guard let value = withExtendedLifetime(self, { Value(sqlText: text) }) else {
            try Self.refuse(column, as: Value.self)
        }
        return value
    }

    private static func refuse(_ column: String, as type: Any.Type) throws -> Never {
        throw DatabaseError.undecodable(column: column, as: type)
    }

    /// The text of a column, as long as the row exists; nil if the column is null.
    private func text(of column: String) throws -> UnsafeBufferPointer<UInt8>? {
        let position = Int32(try position(of: column))
        let length = Int(PQgetlength(result.pointer, number, position))
        if length == 0, PQgetisnull(result.pointer, number, position) == 1 { return nil }
        let start = UnsafeRawPointer(PQgetvalue(result.pointer, number, position))
        return UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: length)
    }

    private func position(of column: String) throws -> Int {
        let (names, hint) = (result.names, result.next.load(ordering: .relaxed))
        let isNext = hint < names.count && names[hint] == column
        let found = isNext ? hint : names[hint...].firstIndex(of: column) ?? names.firstIndex(of: column)
        guard let found else { throw DatabaseError.noSuchColumn(column) }
        result.next.store(found + 1, ordering: .relaxed)
        return found
    }
}
