import SinkTesting
import Testing

@testable import Sinks

/// The required behaviour of every sink.
@Suite(.timeLimit(.minutes(10)))
struct SinkContractTests {
    @Test(arguments: SinkKind.allCases)
    func `split and repeated changes give the same content`(kind: SinkKind) async throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = Random(seed)
            let changes = changes(&random)
            try await SinkStage.with(kind) { stage in
                for parcel in split(changes, &random) {
                    // The reply was lost: the same parcel is sent again, sometimes with the previous one.
                    for _ in 0..<Int.random(in: 1...3, using: &random) { try await upload(parcel, stage) }
                }
                #expect(try await stage.content() == outcome(of: changes))
            }
        }
    }

    @Test(arguments: SinkKind.allCases) func `after any sequence of replies, each location is stored once`(
        kind: SinkKind
    ) async throws {
        var random = Random(7)
        let changes = changes(&random)
        try await SinkStage.with(kind, within: .milliseconds(200)) { stage in
            let moods = kind == .webhook ? SinkMood.ofReceivers : SinkMood.allCases
            stage.cycle(moods.shuffled(using: &random))
            for parcel in split(changes, &random) {
                while let error = await failure(of: parcel, stage) { expectDiscretion(error) }
            }
            let content = try await stage.content()
            #expect(content == outcome(of: changes))
        }
    }

    @Test(arguments: SinkKind.allCases) func `a parcel of the sink's limit is one call`(kind: SinkKind) async throws {
        try await SinkStage.with(kind) { stage in
            let locations = (0..<stage.sink.most).map { LocationToUpload.sample("\($0)", at: Double($0)) }
            try await upload(locations, stage)
            #expect(try await stage.content() == outcome(of: locations))
            // Then removes them.
            let removals = locations.map { LocationToUpload.sample($0.id, at: $0.timestamp, isRemoved: true) }
            try await upload(removals, stage)
            #expect(try await stage.content() == [])
        }
    }

    @Test(arguments: SinkKind.allCases) func `an empty parcel makes no call`(kind: SinkKind) async throws {
        try await SinkStage.with(kind) { stage in
            try await upload([], stage)
            #expect(try await stage.content() == [])
        }
    }

    @Test(arguments: SinkKind.allCases) func `any id and any user are stored unchanged`(kind: SinkKind) async throws {
        let texts = [
            "", " ", ".", "..", "__x__", "a/b", "~", "%2F", #""\'"#, "{1,2}", "NULL", "a\nb\r\t\u{1}", "é", "e\u{301}",
            "🗺",
            "'; DROP TABLE locations; --", String(repeating: "ä", count: 800), String(repeating: "ä", count: 801),
        ]
        // Some are equal as Swift texts but not as bytes, so they are two locations.
        let locations = texts.enumerated().flatMap { number, text in
            [
                LocationToUpload.sample("id \(number)", user: text, at: Double(number)),
                .sample(text, user: "user \(number)", at: Double(number)),
            ]
        }
        try await SinkStage.with(kind) { stage in
            for start in stride(from: 0, to: locations.count, by: stage.sink.most) {
                try await upload(Array(locations[start...].prefix(stage.sink.most)), stage)
            }
            #expect(try await stage.content() == outcome(of: locations))
        }
    }

    @Test(arguments: SinkKind.allCases) func `numbers keep their last digit, and times their millisecond`(
        kind: SinkKind
    )
        async throws
    {
        let locations = [
            (-90.0, -180.0, 0.0, 946_684_800.0, 0.0), (90, 180, 1e6, 4_102_444_799.999, 31_536_000.001),
            (1e-7, -1e-7, 1e-9, 1_799_999_999.999, 0.001),
            (0.1 + 0.2, 60.123456789012345, 2.3e-308, 1_800_000_000.001, 1e9),
        ].enumerated().map { number, values in
            LocationToUpload(
                user: "ann", id: "\(number)", lat: values.0, lng: values.1, accuracy: values.2, timestamp: values.3,
                waitTime: values.4)
        }
        try await SinkStage.with(kind) { stage in
            try await upload(locations, stage)
            #expect(try await stage.content() == outcome(of: locations))
        }
    }

    private func upload(_ locations: [LocationToUpload], _ stage: SinkStage) async throws(SinkError) {
        try await stage.sink.upload(Parcel(id: "7-1", locations: locations, token: stage.token))
    }

    private func failure(of locations: [LocationToUpload], _ stage: SinkStage) async -> SinkError? {
        do throws(SinkError) {
            try await upload(locations, stage)
            return nil
        } catch {
            return error
        }
    }

    /// Random changes of three users' locations: they grow, are removed, and begin again.
    private func changes(_ random: inout Random) -> [LocationToUpload] {
        var isThere: [Int: Bool] = [:]
        return (0..<200).map { _ in
            let number = Int.random(in: 0..<40, using: &random)
            let isRemoved = isThere[number] == true && Int.random(in: 0..<5, using: &random) == 0
            isThere[number] = !isRemoved
            return LocationToUpload(
                user: ["ann", "bob", "../ann"][number % 3], id: "\(number)", lat: Double(number), lng: 24.5,
                accuracy: number % 4 == 0 ? nil : 8, timestamp: 1_800_000_000 + Double(number) / 8,
                waitTime: Double.random(in: 0...1_000, using: &random), isRemoved: isRemoved)
        }
    }

    private func split(_ changes: [LocationToUpload], _ random: inout Random) -> [[LocationToUpload]] {
        var rest = changes[...]
        var parcels: [[LocationToUpload]] = []
        while !rest.isEmpty {
            let count = Int.random(in: 1...30, using: &random)
            parcels.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return parcels
    }

    private func outcome(of changes: [LocationToUpload]) -> Set<SinkStage.Kept> {
        var kept: [LocationToUpload.Key: LocationToUpload] = [:]
        for change in changes { kept[change.key] = change.isRemoved ? nil : change }
        return Set(kept.values.map(SinkStage.Kept.init))
    }
}

/// SplitMix64: the same numbers each time.
private struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
