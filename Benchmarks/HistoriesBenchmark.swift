import Contacts
import Foundation
import Geocoding
import Locations
import Postgres
import Processes
import Tracking

/// A year of one person's positions. A file is imported, imported again, and imported between a live user's fixes. For
/// comparison: a part of the same fixes as a phone sends them, and a bare COPY of the same rows. Then the stays are
/// asked.
enum HistoriesBenchmark {
    static func run(_ options: Options) async throws {
        let count = try options.integer("points", 1_000_000)
        let folder = FileManager.default.temporaryDirectory.appending(path: "waypost-histories-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        print(title("\(count) points of a year"), "   points/s   seconds    MB/s")
        fflush(nil)
        try await Scratch.with("histories") { scratch in
            let account = try await scratch.database.run { try ContactStore().openAccount(named: "default", on: $0) }
            try await scratch.database.run { _ = try TrackerStore().maintainPartitions(retention: nil, on: $0) }
            let bench = HistoryBench(scratch: scratch, account: account, folder: folder, count: count)
            let memory = mostMegabytes()
            for format in [HistoryFormat.records, .gpx, .timeline, .ownTracks] { try bench.read(format) }
            let first = try await bench.importFile(.records, into: "ada", "imported: Records.json")
            try await bench.importFile(.records, into: "ada", "the same again")
            try await bench.importFile(.gpx, into: "bob", "imported: GPX")
            try await bench.recordFixes()
            let bare = try await bench.bareCopy()
            print(title("imported / bare COPY of fixes and locations"), ratio(first / bare))
            print(title("most memory of ours, MB"), ratio(mostMegabytes()), "(\(Int(memory)) before)")
            try await bench.name()
            try await bench.makePartitions()
        }
    }

    private static func mostMegabytes() -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Double($0) } ?? 0)
            / 1_024
    }
}

private struct HistoryBench {
    let scratch: Scratch
    let account: Int
    let folder: URL
    let count: Int

    func read(_ format: HistoryFormat) throws {
        let path = try write(format)
        let start = ContinuousClock.now
        let file = try File(path)
        var (reader, fixes) = (format.reader(file.read), 0)
        while let entry = try reader.next() { if case .fix = entry { fixes += 1 } }
        precondition(fixes == count)
        report("read: \(format.rawValue)", seconds(since: start), bytes: file.size)
    }

    @discardableResult
    func importFile(_ format: HistoryFormat, into user: String, _ name: String) async throws -> Double {
        let file = try File(write(format))
        _ = try await scratch.database.run { try TrackerStore().makeTracker(of: user, account: account, on: $0) }
        try await scratch.run(script: "CHECKPOINT")
        var reader = format.reader(file.read)
        let (server, own) = (try await serverTime(), cpuTime(of: getpid()))
        let start = ContinuousClock.now
        let progress = try await HistoryImport(into: user, account: account, database: scratch.database).run(&reader)
        let time = seconds(since: start)
        report(name, time, bytes: file.size)
        let (serverAfter, ownAfter) = (try await serverTime(), cpuTime(of: getpid()))
        let counts = [FixFate.taken, .doubted, .repeated].map { progress.counts[$0] ?? 0 }
        print(
            "    CPU time, µs a point: ours \(ratio((ownAfter - own) / Double(count) * 1e6)), "
                + "the server's \(ratio((serverAfter - server) / Double(count) * 1e6)); \(counts[0]) taken, "
                + "\(counts[1]) doubted, \(counts[2]) repeated")
        return time
    }

    /// Records the fixes like live ones, in statements of a thousand.
    func recordFixes() async throws {
        let some = min(count, 100_000)
        var (year, part) = (MadeUpYear(points: count), [UserFix]())
        try await scratch.database.run { try TrackerStore().start("cy", since: 0, account: account, on: $0) }
        var time = 0.0
        for _ in 0..<some {
            part.append(UserFix(year.next(), of: "cy"))
            guard part.count == 1_000 else { continue }
            let start = ContinuousClock.now
            _ = try await scratch.database.transaction { [part] db throws in
                try TrackerStore().record(part, account: account, on: db)
            }
            time += seconds(since: start)
            part = []
        }
        report("as live fixes, the first \(some)", time, of: some)
    }

    /// Copies the rows of one user into tables with the same indexes and nothing else.
    func bareCopy() async throws -> Double {
        try await scratch.run(
            script: """
                CREATE TABLE bare_fixes (LIKE fixes INCLUDING DEFAULTS INCLUDING INDEXES);
                CREATE TABLE bare_locations (LIKE pending_locations INCLUDING DEFAULTS INCLUDING INDEXES);
                """)
        let tables = ["fixes": "bare_fixes", "pending_locations": "bare_locations"]
        for (table, bare) in tables {
            try await Pgbench.psql(
                """
                \\copy (SELECT * FROM \(table) WHERE tracker = (SELECT min(id) FROM trackers) ORDER BY at, id) \
                to '\(folder.appending(path: bare).path)'
                """, url: scratch.url)
        }
        try await scratch.run(script: "CHECKPOINT")
        let start = ContinuousClock.now
        for (_, bare) in tables {
            try await Pgbench.psql("\\copy \(bare) from '\(folder.appending(path: bare).path)'", url: scratch.url)
        }
        let time = seconds(since: start)
        report("bare COPY of the same rows", time)
        return time
    }

    func name() async throws {
        let locations = try await scratch.number(
            "SELECT count(*) AS number FROM pending_locations WHERE tracker = (SELECT min(id) FROM trackers)")
        try await scratch.run(script: "UPDATE lanes SET batch = 1")
        let start = ContinuousClock.now
        let naming = StayNaming(database: scratch.database, account: account)
        let summary = try await naming.run(user: "ada")
        let time = seconds(since: start)
        let jobs = try await scratch.number("SELECT count(*) AS number FROM jobs")
        print(
            "\(count) points: \(locations) locations, \(summary.stays) stays of 5 minutes or more, "
                + "\(summary.places) places: \(summary.asked) questions, \(jobs) jobs of one question, in \(ratio(time)) s"
        )
        let others = try await naming.run()
        print("the stays of all users: \(others.stays) in \(others.places) places, \(others.asked) of them new")
        fflush(nil)
    }

    /// Writers wait while the partitions of a day are made, because the default partition is read.
    func makePartitions() async throws {
        let start = ContinuousClock.now
        try await scratch.database.run { _ = try TrackerStore().maintainPartitions(ahead: 4, retention: nil, on: $0) }
        print("making the partitions of one more day takes \(ratio(seconds(since: start) * 1_000)) ms")
        fflush(nil)
    }

    private func write(_ format: HistoryFormat) throws -> String {
        let path = folder.appending(path: format.rawValue).path
        if !FileManager.default.fileExists(atPath: path) { try MadeUpYear.write(count, to: path, as: format) }
        return path
    }

    private func serverTime() async throws -> Double {
        try await scratch.database.run { database in
            try database.query("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
                .map { cpuTime(of: Int32(try $0.read("pid", as: Int.self))) }.reduce(0, +)
        }
    }

    private func report(_ name: String, _ time: Double, of points: Int? = nil, bytes: Int = 0) {
        print(
            title(name), column(Double(points ?? count) / time), "   ", ratio(time), "   ",
            bytes > 0 ? ratio(Double(bytes) / time / 1e6) : "")
        fflush(nil)
    }
}

private final class File {
    private let descriptor: Int32
    let size: Int

    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY)
        size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    }

    deinit { close(descriptor) }
}

/// A person's year: at home, at work, at a hundred other places, and between them by foot or by car. On average there
/// is a fix every half minute, with the noise of a phone.
private struct MadeUpYear {
    private var random = SplitMix(state: 42)
    private let interval: Double
    private var time = 1_672_531_200.0
    private var places: [(lat: Double, lng: Double)] = []
    private var (here, there) = (0, 0)
    /// The end of the stay, or the time of arrival.
    private var until = 0.0
    private var left = 0.0
    private var isMoving = false

    init(points: Int) {
        interval = 365 * 86_400 / Double(points)
        for place in 0..<120 {
            let spread = place < 80 ? 0.05 : 1.0
            places.append((60.2 + (random.share - 0.5) * spread, 24.9 + (random.share - 0.5) * spread * 2))
        }
        until = time + 28_800
    }

    mutating func next() -> Fix {
        time += interval * (0.5 + random.share)
        while time >= until { turn() }
        var (lat, lng) = places[here]
        if isMoving {
            let part = (time - left) / (until - left)
            lat += (places[there].lat - lat) * part
            lng += (places[there].lng - lng) * part
        }
        // Sometimes the position of a radio mast is reported.
        let isWrong = random.share < 0.001
        let noise = isWrong ? 5.0 : isMoving ? 0.000_1 : 0.000_06
        lat += (random.share - 0.5) * noise
        lng += (random.share - 0.5) * noise * 2
        return Fix(
            lat: (lat * 1e7).rounded() / 1e7, lng: (lng * 1e7).rounded() / 1e7,
            accuracy: (5 + random.share * 20).rounded(), timestamp: time)
    }

    /// Arrives, or leaves for another place, mostly home or work.
    private mutating func turn() {
        if isMoving {
            (here, isMoving) = (there, false)
            until += here < 2 ? 14_400 + random.share * 28_800 : 600 + random.share * 7_200
        } else {
            let choice = random.share
            there = choice < 0.35 ? 0 : choice < 0.6 ? 1 : 2 + Int(random.share * 118)
            if there == here { there = (here + 1) % places.count }
            (left, isMoving) = (until, true)
            until += 600 + random.share * 2_400
        }
    }

    static func write(_ count: Int, to path: String, as format: HistoryFormat) throws {
        guard let file = fopen(path, "w") else { throw CocoaError(.fileWriteUnknown) }
        defer { fclose(file) }
        var year = MadeUpYear(points: count)
        fputs(head(of: format), file)
        for number in 0..<count {
            if number > 0 { fputs(format == .gpx || format == .ownTracks ? "\n" : ",\n", file) }
            fputs(text(of: year.next(), as: format), file)
        }
        fputs(tail(of: format), file)
    }

    private static func head(of format: HistoryFormat) -> String {
        switch format {
        case .gpx: "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\"><trk><trkseg>\n"
        case .records: "{\"locations\": [\n"
        case .timeline: "{\"semanticSegments\": [], \"rawSignals\": [\n"
        default: ""
        }
    }

    private static func text(of fix: Fix, as format: HistoryFormat) -> String {
        let (lat, lng, accuracy) = (fix.lat, fix.lng, Int(fix.accuracy ?? 0))
        let time = Timestamp.text(fix.timestamp)
        switch format {
        case .gpx: return "<trkpt lat=\"\(lat)\" lon=\"\(lng)\"><ele>12.5</ele><time>\(time)</time></trkpt>"
        case .records:
            return """
                {"latitudeE7": \(Int((lat * 1e7).rounded())), "longitudeE7": \(Int((lng * 1e7).rounded())), \
                "accuracy": \(accuracy), "source": "WIFI", "deviceTag": 1234567890, "timestamp": "\(time)"}
                """
        case .timeline:
            return """
                {"position": {"LatLng": "\(lat)°, \(lng)°", "accuracyMeters": \(accuracy), "altitudeMeters": 12.5, \
                "source": "WIFI", "timestamp": "\(time)", "speedMetersPerSecond": 0.0}}
                """
        default:
            return """
                \(time)\t*                 \t{"_type":"location","lat":\(lat),"lon":\(lng),"acc":\(accuracy),\
                "tst":\(fix.timestamp),"tid":"aa","batt":80,"conn":"w"}
                """
        }
    }

    private static func tail(of format: HistoryFormat) -> String {
        switch format {
        case .gpx: "\n</trkseg></trk></gpx>\n"
        case .records, .timeline: "\n]}\n"
        default: "\n"
        }
    }
}

/// https://prng.di.unimi.it/splitmix64.c
private struct SplitMix {
    var state: UInt64

    /// A number from 0 to 1.
    var share: Double {
        mutating get {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return Double((mixed ^ (mixed >> 31)) >> 11) / 0x1p53
        }
    }
}
