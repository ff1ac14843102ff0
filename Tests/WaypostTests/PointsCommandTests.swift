import DatabaseTesting
import Foundation
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
}
