import Testing

@testable import Sinks

@Suite struct ParcelTests {
    @Test func `a location counts as present unless it is marked as removed`() {
        let location = LocationToUpload(
            user: "ann", id: "1", lat: 60, lng: 25, accuracy: nil, timestamp: 1_700_000_000, waitTime: 0)
        #expect(!location.isRemoved)
    }

    @Test func `a location that appears twice counts in its last state and last place`() {
        let parcel = Parcel(
            id: "1", locations: [.sample("1", waitTime: 1), .sample("2"), .sample("1", waitTime: 5), .sample("3")])
        #expect(parcel.last(by: \.key).map(\.id) == ["2", "1", "3"])
        #expect(parcel.last(by: \.key)[1].waitTime == 5)
    }

    @Test func `a location with another user, time or id is another one, even by one byte`() {
        let locations: [LocationToUpload] = [
            .sample("é"), .sample("e\u{301}"), .sample(user: "é"), .sample(user: "e\u{301}"), .sample(at: 1.001),
            .sample(at: 1.002),
        ]
        let parcel = Parcel(id: "1", locations: locations)
        #expect(parcel.last(by: \.key).count == locations.count)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_001, "2000-02-29T00:00:00.001Z"),
        (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
    ])
    func `a time is written in RFC 3339`(milliseconds: Int, text: String) {
        #expect(LocationToUpload.sample(at: Double(milliseconds) / 1_000).time == text)
    }

    @Test func `the id of a parcel depends on all of its content`() {
        func id(_ changes: [(location: LocationToUpload, changedAt: Double)]) -> String { Parcel(changes).id }
        let first = id([(.sample(), 1), (.sample("2"), 2)])
        #expect(first == id([(.sample(), 1), (.sample("2"), 2)]))
        #expect(first.utf8.count == 32)
        let others = [
            id([(.sample(), 1), (.sample("2"), 3)]), id([(.sample(), 1)]), id([(.sample("2"), 2), (.sample(), 1)]),
            id([(.sample(), 1), (.sample("2", isRemoved: true), 2)]), id([(.sample(), 1), (.sample("3"), 2)]),
        ]
        #expect(Set(others + [first]).count == 6)
    }
}
