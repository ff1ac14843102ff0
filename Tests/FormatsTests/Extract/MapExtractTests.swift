import Foundation
import MapTesting
import Processes
import Testing

@testable import Formats

@Suite(.enabled("osmium is installed") { try await Osmium.isInstalled() })
struct MapExtractTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test(arguments: [
        "pbf", "pbf,pbf_compression=none", "pbf,pbf_dense_nodes=false", "pbf,add_metadata=false",
        "pbf,locations_on_ways=true",
    ])
    func `each object of a map is as osmium reads it`(format: String) async throws {
        let path = folder.file("a.osm.pbf")
        if format.contains("locations") {
            try await Osmium.run("add-locations-to-ways", "-n", Osmium.sample, "-o", path)
        } else {
            try await Osmium.run("cat", Osmium.sample, "-f", format, "-o", path)
        }
        let (lines, expected) = (try MapExtract(path: path).lines(), try await MapExtract.expectedLines(of: path))

        #expect(lines.count == 65_733 + 7_121 + 113)
        let differences = zip(lines, expected).filter { $0 != $1.withoutLocations }
        #expect(lines.count == expected.count && differences.isEmpty, "\(differences.prefix(3))")
    }

    @Test func `a sorted file is read without a search, and one that only claims it is refused`() async throws {
        let sorted = "--output-header=sorting=Type_then_ID"
        try await Osmium.run("cat", Osmium.sample, sorted, "-o", folder.file("a.osm.pbf"))
        let extract = try MapExtract(path: folder.file("a.osm.pbf"))
        #expect(extract.isSorted)
        let count = Locked(0)
        try extract.read(.relations) { _ in
            1
        } combine: { part in
            count.withLock { $0 += part }
        }
        #expect(count.withLock(\.self) == 1)
        #expect(try extract.lines() == (try await MapExtract.expectedLines(of: folder.file("a.osm.pbf"))))

        let lines = try await Osmium.lines(of: Osmium.sample)
        let parts = ["w", "n", "r"].flatMap { kind in lines.filter { $0.hasPrefix(kind) } }
        try folder.put(parts.joined(separator: "\n") + "\n", into: "b.opl")
        try await Osmium.run("cat", folder.file("b.opl"), sorted, "-o", folder.file("b.osm.pbf"))
        #expect(problem(of: "b.osm.pbf")?.contains("osmium sort FILE") == true)
    }

    @Test func `ids, positions and texts may be extreme`() async throws {
        let lines = [
            "n-9007199254740993 T x-180 y-90", "n1 T x0.0000001 y-0.0000001", "n3 Tname=%0a%,%1f600%=%2c% x180 y90",
            "n9007199254740993 T x1 y1", "w-5 T N", "w12884901888 Ta=b Nn1,n-1,n9007199254740993",
            "r7 Ttype=x Mn1@,w1@outer,r-7@%40%",
        ]
        try folder.put(lines.joined(separator: "\n") + "\n", into: "a.opl")
        for dense in ["true", "false"] {
            let path = folder.file("\(dense).osm.pbf")
            try await Osmium.run("cat", folder.file("a.opl"), "-f", "pbf,pbf_dense_nodes=\(dense)", "-o", path)
            #expect(try MapExtract(path: path).lines() == (try await MapExtract.expectedLines(of: path)))
        }
    }

    @Test(arguments: ["lz4", "zstd", "lzma"])
    func `a compression that we do not read is named, with a way out`(method: String) throws {
        let field: UInt8 = ["lzma": 4, "lz4": 6, "zstd": 7][method] ?? 0
        try put(header() + block(type: "OSMData", [0x10, 0x01, field << 3 | 2, 0x01, 0x00]), into: "a.osm.pbf")
        #expect(
            problem(of: "a.osm.pbf")?.contains("compressed with \(method); write the file again: osmium cat") == true)
    }

    @Test func `other formats are named`() async throws {
        for ending in ["osm", "osm.gz", "osm.bz2", "opl"] {
            try await Osmium.run("cat", Osmium.sample, "-o", folder.file("a.\(ending)"))
            #expect(problem(of: "a.\(ending)")?.contains("osmium cat FILE -o map.osm.pbf") == true, "\(ending)")
        }
        try put([], into: "empty.osm.pbf")
        try put(Array("name,city\nAda,Ely\n".utf8), into: "a.csv")
        #expect(problem(of: "empty.osm.pbf")?.hasSuffix("is empty") == true)
        #expect(problem(of: "a.csv")?.contains("whose name usually ends in .osm.pbf") == true)
        #expect(problem(of: "")?.hasSuffix("is a directory") == true)
        #expect(problem(of: "missing")?.hasSuffix("no such file") == true)
    }

    @Test func `a history and an unknown feature are refused by name`() throws {
        try put(header(requiring: "HistoricalInformation"), into: "history.osm.pbf")
        try put(header(requiring: "Holograms"), into: "new.osm.pbf")
        #expect(problem(of: "history.osm.pbf")?.contains("osmium time-filter") == true)
        #expect(problem(of: "new.osm.pbf")?.contains("Holograms") == true)
    }

    @Test func `the limits of the format hold`() throws {
        let whole = header()
        let bomb = block(type: "OSMData", [0x10, 0x81, 0x80, 0x80, 0x10, 0x1A, 0x02, 0x78, 0x9C])
        let cases: [(bytes: [UInt8], problem: String)] = [
            (whole + bomb, "unpacks to more than 32 MiB"),
            (whole + [0, 1, 0, 1], "its header is too large"),
            (whole + [0, 0, 0, 11, 0x0A, 7] + Array("OSMData".utf8) + [0x18, 100], "cut short"),
            (
                whole + [0, 0, 0, 14, 0x0A, 7] + Array("OSMData".utf8) + [0x18, 0x81, 0x80, 0x80, 0x10],
                "more than 32 MiB"
            ),
            (whole + block(type: "OSMData", [0x10, 0x05, 0x1A, 0x02, 0x78, 0x9C]), "compressed bytes are damaged"),
            (whole + block(type: "OSMData", [0x0A, 0x05, 0x12]), "runs over the end"),
            (block(type: "OSMData", [0x0A, 0x00]) + whole, "does not begin with a header"),
            (whole + [0, 0], "cut short"),
        ]
        for (bytes, problem) in cases {
            try put(bytes, into: "a.osm.pbf")
            let found = self.problem(of: "a.osm.pbf")
            #expect(found?.contains(problem) == true, "\(problem): \(found ?? "none")")
            #expect(found?.contains("at byte") == true)
        }
    }

    @Test func `a cut file is an error that names a byte`() throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: Osmium.sample)))
        for end in stride(from: 20, to: bytes.count - 1, by: 17_011) {
            try put(Array(bytes[..<end]), into: "a.osm.pbf")
            #expect(problem(of: "a.osm.pbf")?.contains("at byte") == true, "\(end)")
        }
    }

    @Test func `damaged bytes end with an error or with objects`() async throws {
        let plain = folder.file("plain.osm.pbf")
        try await Osmium.run("cat", Osmium.sample, "-f", "pbf,pbf_compression=none", "-o", plain)
        let bytes = Array(try Data(contentsOf: URL(filePath: plain)))
        var random = Random(state: 43)
        var errors = 0
        for _ in 0..<60 {
            var damaged = bytes
            for _ in 0..<40 {
                damaged[.random(in: 200..<damaged.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            try put(damaged, into: "a.osm.pbf")
            let problem = problem(of: "a.osm.pbf")
            if problem != nil { errors += 1 }
            #expect(problem?.contains("at byte") != false)
        }
        #expect(errors > 30)
    }

    @Test func `the parts come in the order of the file, and the first error is thrown`() throws {
        let extract = try MapExtract(path: Osmium.sample)
        let seen = Locked<[Int64]>([])
        try extract.read(.nodes, threads: 4) { block in
            var first: Int64?
            try block.forEachNode { if first == nil { first = $0.id } }
            return first
        } combine: { part in
            if let part { seen.withLock { $0.append(part) } }
        }
        #expect(seen.withLock(\.count) == 9)
        #expect(seen.withLock { $0 == $0.sorted() })
        #expect(throws: MapDamage("2")) {
            let count = Locked(0)
            try extract.read(.nodes, threads: 4) { _ in
            } combine: { _ in
                let number = count.withLock {
                    $0 += 1; return $0
                }
                if number > 1 { throw MapDamage("\(number)") }
            }
        }
    }

    private func put(_ bytes: [UInt8], into name: String) throws {
        try Data(bytes).write(to: URL(filePath: folder.file(name)))
    }

    private func problem(of name: String) -> String? {
        do {
            _ = try MapExtract(path: folder.file(name)).lines()
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func block(type: String, _ content: [UInt8]) -> [UInt8] {
        let header = [0x0A, UInt8(type.utf8.count)] + type.utf8 + [0x18, UInt8(content.count)]
        return [0, 0, 0, UInt8(header.count)] + header + content
    }

    private func header(requiring feature: String = "DenseNodes") -> [UInt8] {
        let message = [0x22, UInt8(feature.utf8.count)] + feature.utf8
        return block(type: "OSMHeader", [0x0A, UInt8(message.count)] + message)
    }
}

extension String {
    /// Osmium writes the locations of a way's nodes, which we don't read.
    fileprivate var withoutLocations: String {
        guard hasPrefix("w"), let nodes = range(of: " N", options: .backwards) else { return self }
        return self[..<nodes.upperBound]
            + self[nodes.upperBound...].split(separator: ",").map { $0.prefix { $0 != "x" } }.joined(separator: ",")
    }
}

/// SplitMix64: https://prng.di.unimi.it/splitmix64.c
private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
