import JSONTesting
import Testing

@testable import Formats

/// Each reader of files accepts the same texts as JSON, whatever else is wrong with them.
struct JSONDoorTests {
    @Test(arguments: JSONVerdict.all) func `a line of contacts that is not JSON is refused`(_ verdict: JSONVerdict) {
        var contacts = NDJSONContacts()
        contacts.feed(verdict.bytes)
        contacts.end()
        guard case .refused(_, let reason)? = contacts.next() else {
            Issue.record("none of the texts is a contact")
            return
        }
        #expect(!reason.hasPrefix("it is not JSON: ") == verdict.isJSON, "\(reason)")
    }

    @Test(arguments: JSONVerdict.all) func `a GeoJSON file that is not JSON is refused`(_ verdict: JSONVerdict) {
        check(verdict) { ContactsGeoJSON(name: "a", size: nil, options: ReadingOptions(), read: $0) }
    }

    @Test(arguments: JSONVerdict.all) func `a Monica export that is not JSON is refused`(_ verdict: JSONVerdict) {
        check(verdict) { ContactsMonica(name: "a", size: nil, options: ReadingOptions(), read: $0) }
    }

    private func check(
        _ verdict: JSONVerdict,
        _ open: (@escaping (UnsafeMutableRawBufferPointer) -> Int) -> some ContactReader
    ) {
        var rest = verdict.bytes[...]
        var contacts = open { buffer in
            let piece = rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            rest.removeFirst(piece.count)
            return piece.count
        }
        let error = #expect(throws: FileError.self) { while try contacts.next() != nil {} }
        // An error in JSON has its line.
        #expect(error.map { !$0.problem.hasPrefix("line ") } == verdict.isJSON, "\(error?.problem ?? "")")
    }
}
