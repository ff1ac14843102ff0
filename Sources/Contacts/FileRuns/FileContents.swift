package import Formats
package import Geocoding
package import Postgres
import Processes
package import Questions

/// The contacts of a file that a client sent. They are asked, but not stored.
package struct FileContents: Sendable {
    package private(set) var friends: [Friend] = []
    /// Contacts, and parts of them, that were left out.
    package private(set) var refused = 0
    /// The hash of each address without a position of its own.
    package private(set) var hashes: [AddressHash] = []
    /// The addresses with a position of their own.
    package private(set) var pinned = 0
    /// The distinct addresses to ask.
    package private(set) var questions: [NewQuestion] = []
    private var numbers: [ExactText: Int] = [:]

    package static let mostContacts = 100_000
    /// For how many contacts places are read at a time.
    private static let pieceSize = 1_000

    /// Reads all of `source`.
    package init(of source: Source) async throws {
        guard case .file(let path) = source.place else { return }
        var reader = try source.open(path)
        var (seen, entries) = (Set<AddressHash>(), 0)
        while let entry = try Self.next(&reader) {
            // Reading takes time, and other tasks use the same thread.
            entries += 1
            if entries.isMultiple(of: 200) { await Task.yield() }
            try Task.checkCancellation()
            guard entries <= Self.mostContacts else { throw TooManyContacts() }
            guard case .contact(_, let friend) = entry else {
                refused += 1
                continue
            }
            numbers[ExactText(friend.sourceKey)] = friends.count
            friends.append(friend)
            for labelled in friend.addresses {
                guard labelled.position == nil else {
                    pinned += 1
                    continue
                }
                let question = NewQuestion(labelled.address)
                hashes.append(question.hash)
                if seen.insert(question.hash).inserted { questions.append(question) }
            }
        }
    }

    /// The next entry, without waiting.
    private static func next(_ reader: inout any ContactReader) throws -> ContactEntry? { try reader.next() }

    package var addresses: Int { hashes.count + pinned }

    /// Returns the file with the places added, in its own format.
    package func file(
        of source: Source, adding added: AddedColumns, account: Int, on database: some DatabaseAccess
    ) async throws -> [UInt8] {
        let memory = try MemoryFile()
        guard let copy = try source.copy(to: memory, adding: added) else { return [] }
        return try await finish(copy, in: memory, account: account, on: database)
    }

    /// Returns the rows of the file with the places added, as a list in JSON.
    package func rows(
        of source: Source, account: Int, on database: some DatabaseAccess
    ) async throws -> [UInt8] {
        let memory = try MemoryFile()
        if let copy = try source.rows(to: memory) {
            return try await finish(copy, in: memory, account: account, on: database)
        }
        var writer = try Source.placeRows(to: memory)
        for start in stride(from: 0, to: friends.count, by: Self.pieceSize) {
            let piece = friends[start..<min(friends.count, start + Self.pieceSize)]
            for place in try await places(of: piece, account: account, on: database) { try writer.write(place) }
        }
        try writer.finish().commit()
        return try memory.contents()
    }

    private func finish(
        _ copy: any SourceCopy, in memory: MemoryFile, account: Int, on database: some DatabaseAccess
    ) async throws -> [UInt8] {
        var copy = copy
        while let keys = try copy.read(limit: Self.pieceSize) {
            let known = Set(keys.compactMap { numbers[ExactText($0)] }).sorted().map { friends[$0] }
            let places = try await places(of: known[...], account: account, on: database)
            try copy.write(Dictionary(grouping: places, by: \.sourceKey))
            await Task.yield()
        }
        try copy.finish().commit()
        return try memory.contents()
    }

    /// Returns the places of these contacts, each contact's in the order of its addresses.
    private func places(
        of friends: ArraySlice<Friend>, account: Int, on database: some DatabaseAccess
    ) async throws -> [ContactPlace] {
        let asked = friends.map { friend in
            friend.addresses.map { (address: $0, hash: AddressHash($0.address)) }
        }
        let hashes = Array(Set(asked.joined().filter { $0.address.position == nil }.map(\.hash)))
        let known = try await database.run(within: nil) { try FileRunStore().places(of: hashes, on: $0) }
        return zip(friends, asked).flatMap { friend, asked in
            asked.enumerated().map { index, asked in
                var place = ContactPlace(
                    id: 0, position: index + 1, sourceKey: friend.sourceKey, name: friend.name,
                    label: asked.address.label, address: asked.address.address, status: .waiting)
                (place.firstName, place.lastName, place.nickname) = (friend.firstName, friend.lastName, friend.nickname)
                place.place = asked.address.pin ?? known[asked.hash] ?? place.place
                return place
            }
        }
    }
}

/// The file has more contacts than are read over HTTP.
package struct TooManyContacts: Error {}

extension LabelledAddress {
    /// The position that the contact gave, as a place.
    fileprivate var pin: KnownPlace? {
        guard let position else { return nil }
        let pin = ContactPin(
            hash: AddressHash(address), address: address, position: position, distantPart: distantPart)
        return KnownPlace(
            status: .located, coordinate: position, precision: .rooftop, areaConfidence: pin.confidence,
            provider: "contact", reason: pin.reason)
    }
}
