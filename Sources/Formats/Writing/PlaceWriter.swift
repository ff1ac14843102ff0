/// Writes addresses with their places to a file, one after the other.
package protocol PlaceWriter {
    mutating func write(_ place: ContactPlace) throws

    /// Ends the file and returns it, ready for ``OutputFile/commit()``. If the writer or the file is dropped instead,
    /// nothing is left on the disk.
    mutating func finish() throws -> OutputFile
}
