/// Writes addresses with their places, one after the other, to a file that is there once it is finished.
package protocol PlaceWriter {
    mutating func write(_ place: ContactPlace) throws

    /// Ends the file and puts it in its place. A writer that is dropped instead leaves nothing behind.
    mutating func finish() throws
}
