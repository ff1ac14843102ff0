/// Writes addresses with their places, one after the other, to a file.
package protocol PlaceWriter {
    mutating func write(_ place: ContactPlace) throws

    /// Ends the file and returns it, to be given its name. A writer or a file that is dropped instead leaves nothing behind.
    mutating func finish() throws -> OutputFile
}
