/// Copies a source unchanged, with the places of its contacts added.
///
/// The places come from the database, for about a thousand contacts at a time:
///
///     while let keys = try copy.read(limit: 1_000) { try copy.write(await places(of: keys)) }
///     try copy.finish().commit()
package protocol SourceCopy {
    /// Reads up to `limit` contacts and returns their source keys; nil at the end.
    mutating func read(limit: Int) throws -> [String]?

    /// Writes the contacts that were read last. Each key has its addresses in the order of the source.
    mutating func write(_ places: [String: [ContactPlace]]) throws

    /// Ends the file and returns it, ready for ``OutputFile/commit()``. If the copy or the file is dropped instead,
    /// nothing is left on the disk.
    mutating func finish() throws -> OutputFile
}
