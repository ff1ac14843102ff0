import Formats
import Geocoding
import JSON

// The first byte decides how the rest is split. A target traps where a reader breaks a rule: the split must not matter,
// nothing unfit for PostgreSQL may be returned, and limits must hold.
extension FuzzTarget {
    static let json = FuzzTarget(
        name: "json",
        seeds: [
            #"7{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",null,true],"k":{"b":{}}}"#, #"!{"x":{"b":[[],{}]},"y":{"b":"\\"}}"#,
        ],
        run: fuzzJSON)

    static let geoJSON = FuzzTarget(
        name: "geojson",
        seeds: [
            """
            7{"type":"FeatureCollection","features":[
            {"type":"Feature","id":1,"properties":{"name":"Ada","addr:street":"High St","addr:housenumber":1},
            "geometry":{"type":"Point","coordinates":[0.25,52.4]}},
            {"type":"Feature","properties":{"key":"a","label":"home","city":"Ely","provider":"photon"},"geometry":null}]}
            """,
            #" {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]},"properties":{"address":"1 High St, Ely"}}"#,
        ],
        run: fuzzGeoJSON)

    static let ndjson = FuzzTarget(
        name: "ndjson",
        seeds: [
            """
            7{"key":"a","name":"Ada","addresses":[{"label":"home","city":"Ely","latitude":52.4,"longitude":"0.25"}]}

            {"key":"b","name":"","first_name":"B","addresses":[{"country":"UK","place":{"provider":"contact","latitude":1,"longitude":2}}]}
            """
        ],
        run: fuzzNDJSON)

    static let monica = FuzzTarget(
        name: "monica",
        seeds: [
            """
            7{"version":"1","account":{"data":[{"type":"contact","values":[{"uuid":"A1","properties":{"first_name":"Ada",
            "is_partial":false},"data":[{"type":"address","values":[{"properties":{"name":"Home","street":"1 High St",
            "city":"Ely","postal_code":7,"country":"gb"}}]}]},{"id":3,"properties":{"last_name":"B","is_active":0}}]}]}}
            """
        ],
        run: fuzzMonica)
}

/// The scan and the parser must agree on what is JSON.
private func fuzzJSON(_ bytes: [UInt8]) {
    let (text, size) = split(bytes)
    let parsed = result { () throws(JSONError) in try JSONValue(parsing: text) }
    let scanned = elements(of: text, size)
    precondition(scanned == elements(of: text, .max), "pieces matter")
    switch (parsed, scanned) {
    case (.success, .success): break
    case (.failure(let one), .failure(let other)) where one.problem == other.problem && one.line == other.line: break
    // Only the parser checks the characters of a value on the path. The parser checks them after the end of a text, the
    // scan at each byte.
    case (.failure(let one), _) where one.problem == .halfCharacter || one.problem == .notUTF8: break
    case (.failure, .failure(let other)) where other.problem == .halfCharacter || other.problem == .notUTF8: break
    default: preconditionFailure("the scan and the parser disagree")
    }
}

private func fuzzGeoJSON(_ bytes: [UInt8]) {
    let (text, size) = split(bytes)
    let whole = entries { ContactsGeoJSON(name: "a", size: nil, options: ReadingOptions(), read: reader(of: text)) }
    let pieces = entries {
        ContactsGeoJSON(name: "a", size: nil, options: ReadingOptions(), chunkSize: size, read: reader(of: text))
    }
    check(whole, pieces)
}

private func fuzzMonica(_ bytes: [UInt8]) {
    let (text, size) = split(bytes)
    let whole = entries { ContactsMonica(name: "a", size: nil, options: ReadingOptions(), read: reader(of: text)) }
    let pieces = entries {
        ContactsMonica(name: "a", size: nil, options: ReadingOptions(), chunkSize: size, read: reader(of: text))
    }
    check(whole, pieces)
    _ = JSONSource.kind(beginning: text)
}

private func fuzzNDJSON(_ bytes: [UInt8]) {
    let (text, size) = split(bytes)
    check(fed(text, pieces: .max), fed(text, pieces: size))
}

private func fed(_ text: [UInt8], pieces: Int) -> [ContactEntry] {
    var contacts = NDJSONContacts()
    var entries: [ContactEntry] = []
    var rest = text[...]
    while !rest.isEmpty {
        contacts.feed(Array(rest.prefix(pieces)))
        rest = rest.dropFirst(pieces)
        while let entry = contacts.next() { entries.append(entry) }
    }
    contacts.end()
    while let entry = contacts.next() { entries.append(entry) }
    precondition(contacts.bytesRead == text.count, "bytes are lost")
    return entries
}

private func split(_ bytes: [UInt8]) -> (text: [UInt8], size: Int) {
    (Array(bytes.dropFirst()), 1 + Int(bytes.first ?? 0) % 32)
}

private func reader(of bytes: [UInt8]) -> (UnsafeMutableRawBufferPointer) throws -> Int {
    var rest = bytes[...]
    return { buffer in
        let piece = rest.prefix(buffer.count)
        buffer.copyBytes(from: piece)
        rest.removeFirst(piece.count)
        return piece.count
    }
}

private func elements(of text: [UInt8], _ size: Int) -> Result<[JSONElement], JSONError> {
    var found = JSONElements(
        at: [["a", "*"], ["*", "b"]], largest: 20, chunkSize: min(size, text.count + 1), read: reader(of: text))
    var all: [JSONElement] = []
    do {
        while let element = try found.next() { all.append(element) }
    } catch let error as JSONError {
        return .failure(error)
    } catch {
        preconditionFailure("an error of another kind")
    }
    return .success(all)
}

private func result<Value>(_ body: () throws(JSONError) -> Value) -> Result<Value, JSONError> {
    do { return .success(try body()) } catch { return .failure(error) }
}

/// The entries, and the error with which they end.
private func entries<Reader: ContactReader>(_ open: () -> Reader) -> [ContactEntry] {
    var reader = open()
    var all: [ContactEntry] = []
    do {
        while let entry = try reader.next() { all.append(entry) }
    } catch {
        all.append(.refused(line: 0, reason: "\(error)"))
    }
    return all
}

private func check(_ whole: [ContactEntry], _ pieces: [ContactEntry]) {
    precondition(whole == pieces, "pieces matter")
    for case .contact(_, let friend) in whole {
        let texts =
            [friend.sourceKey, friend.name, friend.firstName, friend.lastName, friend.nickname]
            + friend.addresses.flatMap {
                [
                    $0.label, $0.address.street, $0.address.city, $0.address.region, $0.address.postcode,
                    $0.address.country,
                ]
            }
        precondition(texts.allSatisfy { !$0.utf8.contains(0) }, "PostgreSQL has no place for NUL")
        precondition(friend.sourceKey.utf8.count < 2_700, "the key does not fit its index")
        precondition(!friend.sourceKey.isEmpty, "there is no key")
        precondition(
            friend.addresses.allSatisfy { !($0.address.street + $0.address.city + $0.address.country).isEmpty },
            "an address does not say where")
    }
}
