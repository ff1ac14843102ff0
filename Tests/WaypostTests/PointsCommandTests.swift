import DatabaseTesting
import Foundation
import MapTesting
import Postgres
import Testing

@Suite(.database)
struct PointsCommandTests: CommandSuite {
    let program = Program()

    private func file(_ rows: [String]) throws -> String {
        let path = program.folder + "/houses.csv"
        let lines = ["LON,LAT,NUMBER,STREET,CITY,POSTCODE"] + rows
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func `a file is loaded, listed and dropped`() async throws {
        let path = try file([
            "9.5209,47.1410,1,Städtle,Vaduz,9490", "9.5210,47.1412,3,Städtle,Vaduz,9490",
            "9.5210,47.1412,,Städtle,Vaduz,9490",
        ])
        let load = ["points", "load", path, "--name", "oa", "--country", "LI"]
        try await waypost(load + ["--dry-run"]).expect(has: "2 points can be loaded as oa")
        try await waypost("points list").expect(has: "There are no points")
        let loaded = try await waypost(load + ["--attribution", "© Vaduz", "--licence", "CC0"]).expect(
            0, has: "Loaded 2 points of 1 street as oa.", "Left out: 1, no house number",
            "The chain default is now: gazetteer oa")
        // Neither the output nor the log of changes contains an address.
        let log = try await waypost("log").output
        #expect(log.contains("points.load") && !(log + loaded.output).contains("Städtle"), "\(log)")
        let list = try #require(try await json("points list") as? [[String: Any]])
        #expect(list.count == 1)
        #expect(list[0]["points"] as? Int == 2)
        #expect(list[0]["licence"] as? String == "CC0")
        try await waypost("points drop oa").expect(2)
        try await waypost("points drop oa --yes").expect(has: "The chain default is now: gazetteer")
        try await waypost("points list").expect(has: "There are no points")
    }

    @Test(arguments: [
        (["houses.csv", "--name", "A b"], 2, "small letters"),
        (["houses.csv", "--name", "nominatim"], 2, "nominatim is the name of a provider"),
        (["houses.csv", "--name", "gazetteer"], 2, "gazetteer is the name of a provider"),
        (["houses.csv", "--name", "oa", "--columns", "number"], 2, "--columns:"),
        (
            ["houses.csv", "--name", "oa", "--columns", "number=NR,street=STREET,longitude=LON,latitude=LAT"], 2,
            "no column \"NR\""
        ),
        (
            ["houses.csv", "--name", "oa", "-n", "--columns", "number=NR,street=STREET,longitude=LON,latitude=LAT"], 2,
            "\"NUMBER\""
        ),
        (["nowhere.csv", "--name", "oa", "--country", "LI"], 1, "no such file"),
        (["empty.csv", "--name", "oa", "--country", "LI"], 1, "nothing was changed"),
    ])
    func `a mistake is named and changes nothing`(_ words: [String], _ code: Int32, _ hint: String) async throws {
        _ = try file(["9.5209,47.1410,1,Städtle,Vaduz,9490"])
        try Data("LON,LAT,NUMBER,STREET,CITY,POSTCODE\n9.5,47.1,,,,\n".utf8)
            .write(to: URL(filePath: program.folder + "/empty.csv"))
        let path = program.folder + "/" + words[0]
        let outcome = try await waypost(["points", "load", path] + words.dropFirst())
        #expect(outcome.code == code, "\(outcome.error)")
        #expect(outcome.error.contains(hint), "\(outcome.error)")
        try await waypost("points list").expect(has: "There are no points")
    }

    @Test func `a map is loaded under the name of its file, listed and dropped`() async throws {
        let (map, path) = (Osmium.sample, program.folder + "/Land-latest.osm.pbf")
        try FileManager.default.copyItem(atPath: map, toPath: path)
        try await waypost(["region", "load", path, "-n"]).expect(
            0, has: "The extract has 198 houses, 819 streets, 20 places, 14 areas.", "2 at the nearest street",
            "22 borders cut by the edge of the extract: Altstätten, ")
        try await waypost("region list").expect(has: "There are no regions")
        let loaded = try await waypost(["region", "load", path]).expect(
            0, has: "Loaded land: 198 houses", "The chain reverse is now: land gazetteer")
        let log = try await waypost("log").output
        #expect(log.contains("points.load") && !(log + loaded.output).contains("Städtle"), "\(log)")
        let list = try #require(try await json("region list") as? [[String: Any]])
        #expect(list.map { $0["areas"] as? Int } == [14])
        #expect(list[0]["licence"] as? String == "ODbL 1.0")
        try await waypost("points list").expect(has: "There are no points")
        try await waypost("region drop land --yes").expect(has: "Deleted land.")
        try await waypost("region list").expect(has: "There are no regions")
    }

    @Test(arguments: [
        (["Land 1.osm.pbf"], 2, "give one with --name"), (["gazetteer.osm.pbf"], 2, "is the name of a provider"),
        (["nowhere.osm.pbf"], 1, "no such file"), (["text.osm.pbf"], 1, "osmium cat"),
    ])
    func `a mistake about a map is named`(_ words: [String], _ code: Int32, _ hint: String) async throws {
        try Data("<osm/>".utf8).write(to: URL(filePath: program.folder + "/text.osm.pbf"))
        let outcome = try await waypost(["region", "load", program.folder + "/" + words[0]])
        #expect(outcome.code == code && outcome.error.contains(hint), "\(outcome.error)")
    }
}
