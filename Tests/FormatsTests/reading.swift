@testable import Formats

/// All the records of `text`.
func read(_ text: String) throws -> [CSVRecord] {
    try read(Array(text.utf8))
}

func read(
    _ bytes: [UInt8], chunkSize: Int = 256 << 10, encoding: TextEncoding = .automatic
) throws -> [CSVRecord] {
    var reader = CSVReader(bytes, chunkSize: chunkSize, encoding: encoding)
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

/// The contacts of `text`, and its refused rows.
func entries(_ text: String) throws -> [ContactEntry] {
    try entries(ContactsCSV(CSVReader(Array(text.utf8))))
}

/// The friend of a file that has one row.
func onlyFriend(_ text: String) throws -> Friend {
    let entries = try entries(text)
    guard entries.count == 1, case .contact(_, let friend) = entries[0] else { throw NotOneFriend(entries: entries) }
    return friend
}

struct NotOneFriend: Error {
    let entries: [ContactEntry]
}
