import Foundation
import Glibc
import Polling
import Processes
import Testing

/// The whole product: the real program and its processes.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct GeocodeTests {
    private let program = Program()

    @Test func `a bad row is reported by its line, and the others become places`() async throws {
        try program.write(
            """
            name,street,city,postcode,country
            Ada,Mannerheimintie 1,Helsinki,00100,Finland
            Bob,Marienplatz 1,München,,Deutschland
            Eve,"1 "Main St,Reno,,US
            Nil,1 Nowhere Lane,Zzyzxville,,US
            """, to: "contacts.csv")
        let outcome = try await program.run("geocode contacts.csv --temporary -o places.geojson -o places.csv").expect(
            1, error: "contacts.csv, line 4")
        #expect(!outcome.error.contains("Eve"))

        let json = try JSONSerialization.jsonObject(with: Data(program.read("places.geojson").utf8)) as? [String: Any]
        let features = try #require(json?["features"] as? [[String: Any]])
        #expect(features.count == 2)
        let table = try program.read("places.csv").split(separator: "\n")
        // The file itself with the answers added, including the refused row.
        #expect(table.count == 5)
        #expect(
            table[0]
                == "name,street,city,postcode,country,latitude,longitude,precision,confidence,area_confidence,provider,status,matched_address,weak,reason,attribution"
        )
        #expect(table[3].hasPrefix("\"Eve,") && table[3].hasSuffix(",refused,,,the row can't be read,"))
        #expect(table.contains { $0.contains("Zzyzxville") && $0.contains("not_found") })
        #expect(!program.exists(".waypost"))
    }

    /// Geocodes the sample once undisturbed, and once while its workers are killed.
    @Test func `killing a worker in the middle does not change the output`() async throws {
        try await program.run("geocode", Program.sample, "--temporary", "-o", "calm.csv").expect(0)

        let disturbed = try RunningProgram(program, "geocode", Program.sample, "--temporary", "-o", "disturbed.csv")
        var killed: Set<Int32> = []
        try await pollUntil {
            for pid in try disturbed.children("worker") where kill(pid, SIGKILL) == 0 { killed.insert(pid) }
            return killed.count >= 2
        }
        #expect(await disturbed.process.exit().isSuccess)
        // The rows have the file's order, so only the answers could differ.
        #expect(try program.read("calm.csv") == program.read("disturbed.csv"))
        #expect(try program.read("calm.csv").split(separator: "\n").count > 1_000)
    }
}
