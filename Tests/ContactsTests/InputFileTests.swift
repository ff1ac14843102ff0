import Glibc
import Testing

@testable import Contacts

struct InputFileTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func `a file is read to its end`() throws {
        let text = "name,city\n" + String(repeating: "Ada,Ely\n", count: 100_000)
        try folder.put(text, into: "a.csv")
        var contacts = try ContactsCSV(path: folder.file("a.csv"))
        var count = 0
        while try contacts.next() != nil { count += 1 }

        #expect(count == 100_000)
        #expect(contacts.totalSize == text.utf8.count)
        #expect(contacts.bytesRead == text.utf8.count)
    }

    @Test func `a file that is cut while it is read is not taken for whole`() throws {
        try folder.put("name,city\n" + String(repeating: "Ada,Ely\n", count: 100_000), into: "a.csv")
        var contacts = try ContactsCSV(path: folder.file("a.csv"))
        _ = try contacts.next()
        #expect(truncate(folder.file("a.csv"), 400_000) == 0)

        #expect(throws: FileError(file: folder.file("a.csv"), problem: "became shorter while it was read")) {
            while try contacts.next() != nil {}
        }
    }

    @Test func `a pipe has no size`() throws {
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        let writer = open(folder.file("pipe"), O_RDWR)
        defer { close(writer) }

        #expect(try InputFile(path: folder.file("pipe")).size == nil)
    }

    @Test func `a file that can't be read is one sentence`() throws {
        #expect(sentence(for: "missing.csv") == "missing.csv: no such file")
        #expect(sentence(for: folder.path) == "\(folder.path): is a directory")
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `a file without permission is one sentence`() throws {
        try folder.put("name,city\n", into: "a.csv")
        #expect(chmod(folder.file("a.csv"), 0) == 0)

        #expect(sentence(for: folder.file("a.csv")) == "\(folder.file("a.csv")): no permission")
    }

    private func sentence(for path: String) -> String? {
        do {
            _ = try ContactsCSV(path: path)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
