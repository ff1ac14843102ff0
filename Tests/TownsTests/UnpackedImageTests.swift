import CLzma
import Foundation
import Testing

@testable import Towns

struct UnpackedImageTests {
    private let content = [UInt8](repeating: 7, count: 100_000) + Array("the image".utf8)
    private let packed: UnsafeBufferPointer<UInt8>
    private let folder = NSTemporaryDirectory() + "towns-\(UUID().uuidString)"

    private var path: String { "\(folder)/towns.bin" }
    private var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    init() { packed = Self.packed(content) }

    /// The memory is never freed.
    private static func packed(_ content: [UInt8]) -> UnsafeBufferPointer<UInt8> {
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: 8 + lzma_stream_buffer_bound(content.count), alignment: 4)
        memory.storeBytes(of: UInt32(content.count), as: UInt32.self)
        memory.storeBytes(of: lzma_crc32(content, content.count, 0), toByteOffset: 4, as: UInt32.self)
        let bytes = memory.bindMemory(to: UInt8.self)
        var length = 8
        lzma_easy_buffer_encode(
            0, LZMA_CHECK_CRC32, nil, content, content.count, bytes.baseAddress, &length, bytes.count)
        return UnsafeBufferPointer(rebasing: bytes[..<length])
    }

    /// Without the bytes in the message of a failure.
    private func isWhole(_ bytes: UnsafeRawBufferPointer, backwards: Bool = false) -> Bool {
        bytes.elementsEqual(backwards ? content.reversed() : content)
    }

    /// True if a change of the file changes the memory. The change is undone.
    private func isMapped(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let first = bytes[0]
        try file.write(contentsOf: [~first])
        let isChanged = bytes[0] == ~first
        try file.seek(toOffset: 0)
        try file.write(contentsOf: [first])
        try file.close()
        return isChanged
    }

    @Test func `the first process writes a file, and all map it`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 1...2 {
            let bytes = UnpackedImage(packed, in: folder, restoredBy: { _ in }).bytes()
            #expect(isWhole(bytes))
            #expect(try isMapped(bytes))
        }
        #expect(files == ["towns.bin"])
        let mode = try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        #expect(mode == 0o600)
    }

    @Test func `a file of another version is replaced`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = UnpackedImage(Self.packed(content.reversed()), in: folder, restoredBy: { _ in }).bytes()
        let bytes = UnpackedImage(packed, in: folder, restoredBy: { _ in }).bytes()
        #expect(isWhole(bytes))
        #expect(try isMapped(bytes))
        // A process of the other version still has its own image.
        #expect(isWhole(other, backwards: true))
    }

    @Test(arguments: ["shorter", "writable by others", "a link"])
    func `a file that can't be trusted is replaced`(fault: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = UnpackedImage(packed, in: folder, restoredBy: { _ in }).bytes()
        switch fault {
        case "shorter": truncate(path, 50_000)
        case "a link":
            rename(path, "\(path).real")
            symlink("\(path).real", path)
        default: chmod(path, 0o666)
        }
        let bytes = UnpackedImage(packed, in: folder, restoredBy: { _ in }).bytes()
        #expect(isWhole(bytes))
        #expect(try isMapped(bytes))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func `a process that died while it wrote leaves the file to the next`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("half of".utf8).write(to: URL(filePath: "\(path).unfinished"))
        #expect(try isMapped(UnpackedImage(packed, in: folder, restoredBy: { _ in }).bytes()))
        #expect(files == ["towns.bin"])
    }

    @Test(arguments: [nil, "/dev/null/waypost", "/proc/self"])
    func `without a folder that can be written to the image has memory of its own`(folder: String?) {
        #expect(isWhole(UnpackedImage(packed, in: folder, restoredBy: { _ in }).bytes()))
    }
}
