import Glibc
import Testing

@testable import Formats

struct OutputFileTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `a file appears only when it is complete`() throws {
        let file = try OutputFile(path: folder.file("a.csv"))
        try file.write("half".utf8)
        // A kill at this point leaves nothing behind.
        #expect(try folder.names.isEmpty)

        try file.write(" and half".utf8)
        try file.commit()

        #expect(try folder.names == ["a.csv"])
        #expect(try folder.bytes(of: "a.csv") == Array("half and half".utf8))
    }

    @Test func `an abandoned file leaves the old one unchanged`() throws {
        try folder.put("old", into: "a.csv")
        let file = try OutputFile(path: folder.file("a.csv"))
        try file.write(Array(repeating: 0x78, count: 1 << 20))
        file.abandon()

        #expect(try folder.names == ["a.csv"])
        #expect(try folder.bytes(of: "a.csv") == Array("old".utf8))
    }

    @Test func `a file neither committed nor abandoned is removed`() throws {
        do {
            let file = try OutputFile(path: folder.file("a.csv"))
            try file.write("half".utf8)
        }

        #expect(try folder.names.isEmpty)
    }

    @Test func `a file that can't be moved to its name is removed`() throws {
        let file = try OutputFile(path: folder.file("a"))
        #expect(mkdir(folder.file("a"), 0o700) == 0)

        #expect(throws: FileError.self) { try file.commit() }
        #expect(try folder.names == ["a"])
    }

    @Test func `a new file has the umask's mode, and an old one keeps its mode`() throws {
        try folder.put("old", into: "old")
        #expect(chmod(folder.file("old"), 0o600) == 0)
        for name in ["old", "new", "plain"] { try writeFile(name) }

        #expect(try mode("old") == 0o600)
        #expect(try mode("new") == mode("plain"))
    }

    @Test func `a name may be as long as the file system permits`() throws {
        let name = String(repeating: "x", count: 255)
        try writeFile(name)

        #expect(try folder.names == [name])
        #expect(problem(at: folder.file(name + "x")) == "the name is too long")
    }

    @Test func `writing through a link changes its target`() throws {
        try folder.put("old", into: "real")
        #expect(symlink(folder.file("real"), folder.file("link")) == 0)
        try writeFile("link")

        #expect(try folder.bytes(of: "real") == Array("text".utf8))
        #expect(try folder.names == ["link", "real"])
    }

    @Test func `writing through a dangling link creates its target`() throws {
        #expect(mkdir(folder.file("far"), 0o700) == 0)
        #expect(symlink("far/real", folder.file("link")) == 0)
        try writeFile("link")

        #expect(try folder.bytes(of: "far/real") == Array("text".utf8))
        #expect(try folder.names == ["far", "link"])
    }

    @Test func `a full disk is an error`() throws {
        let file = try OutputFile(path: "/dev/full")
        try file.write("text".utf8)

        let error = #expect(throws: FileError.self) { try file.commit() }
        #expect(error?.description == "/dev/full: no space left on the disk")
    }

    @Test func `a device is written and stays a device`() throws {
        let file = try OutputFile(path: "/dev/null")
        try file.write("text".utf8)
        try file.commit()

        var status = stat()
        #expect(stat("/dev/null", &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func `a path that can't be written is refused at once`() throws {
        #expect(problem(at: folder.path) == "is a directory")
        #expect(problem(at: folder.file("none/a.csv")) == "its folder does not exist")
        #expect(problem(at: folder.file(String(repeating: "x", count: 300))) == "the name is too long")
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `a folder without permission is refused at once`() throws {
        #expect(chmod(folder.path, 0o500) == 0)
        defer { chmod(folder.path, 0o700) }

        #expect(problem(at: folder.file("a.csv")) == "no permission to write there")
    }

    private func writeFile(_ name: String) throws {
        let file = try OutputFile(path: folder.file(name))
        try file.write("text".utf8)
        try file.commit()
    }

    private func mode(_ name: String) throws -> mode_t {
        var status = stat()
        guard stat(folder.file(name), &status) == 0 else { throw FileError.last(name) }
        return status.st_mode & 0o777
    }

    private func problem(at path: String) -> String? {
        do {
            _ = try OutputFile(path: path)
            return nil
        } catch {
            return (error as? FileError)?.problem
        }
    }
}
