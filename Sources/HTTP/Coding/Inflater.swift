import CZlib

/// Unpacks gzip, or the bare deflate of a zip archive, piece by piece. Several concatenated gzip files are read as one.
/// https://www.rfc-editor.org/rfc/rfc1952#section-2.2
package struct Inflater: ~Copyable {
    /// The most bytes that one step unpacks, however large the result is.
    static let piece = 64 << 10

    /// zlib stores the address of the stream, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var offset = 0
    /// True between the first and the last byte of a gzip file.
    private var isInside = false
    /// The last step filled its buffer, so there may be more output.
    private var hasMore = false

    package init(isRaw: Bool = false) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, isRaw ? -15 : 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib has no memory")
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Adds the next input, after the previous input was used up.
    package mutating func add(_ bytes: [UInt8]) {
        input = bytes
        offset = 0
    }

    /// Returns the next piece of output; nil if more input is needed.
    package mutating func next() throws(BodyError) -> [UInt8]? {
        while offset < input.count || hasMore {
            let (output, status) = look()
            switch status {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END:
                isInside = false
                hasMore = false
                inflateReset(stream)
            default: throw .notGzip
            }
            if !output.isEmpty { return output }
        }
        return nil
    }

    /// Called after the last input. Throws if a gzip file is incomplete.
    package borrowing func finish() throws(BodyError) {
        if isInside { throw .notGzip }
    }

    private mutating func look() -> (output: [UInt8], status: Int32) {
        var status = Z_OK
        isInside = true
        // zlib counts with 32 bits.
        let (before, given) = (offset, UInt32(clamping: input.count - offset))
        let output = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, count in
            input.withUnsafeBufferPointer { input in
                stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + before) }
                stream.pointee.avail_in = given
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(buffer.count)
                status = inflate(stream, Z_NO_FLUSH)
                stream.pointee.next_in = nil
            }
            count = buffer.count - Int(stream.pointee.avail_out)
        }
        offset = before + Int(given - stream.pointee.avail_in)
        hasMore = stream.pointee.avail_out == 0
        return (output, status)
    }
}
