@testable import Contacts

/// All the records of `text`.
func read(_ text: String) throws -> [CSVRecord] {
    try read(Array(text.utf8))
}

func read(_ bytes: [UInt8], chunkSize: Int = 256 << 10) throws -> [CSVRecord] {
    var reader = CSVReader(bytes, chunkSize: chunkSize)
    var records: [CSVRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
}

/// The fields of the good records of `text`.
func fields(_ text: String) throws -> [[String]] {
    try read(text).compactMap { record in
        guard case .fields(_, let fields) = record else { return nil }
        return fields
    }
}
