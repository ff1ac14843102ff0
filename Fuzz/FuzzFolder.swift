import Glibc

/// Files in memory, for code that reads or writes only files.
struct FuzzFolder {
    static let shared = FuzzFolder()

    let input: String
    let output: String

    private init() {
        let path = "/dev/shm/waypost-fuzz-\(getpid())"
        mkdir(path, 0o700)
        (input, output) = ("\(path)/in", "\(path)/out")
    }

    func put(_ bytes: [UInt8]) {
        guard let file = fopen(input, "w") else { fatalError("\(input) can't be written") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// The content of the output.
    var written: [UInt8] {
        guard let file = fopen(output, "r") else { fatalError("\(output) can't be read") }
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        let size = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = fread(buffer.baseAddress, 1, size, file)
        }
    }
}

/// Runs code that must not fail.
func attempt(_ body: () throws -> Void) {
    do { try body() } catch { fatalError("\(error)") }
}
