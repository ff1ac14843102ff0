import Geocodes
import Geocoding
import Postgres

extension Connection {
    /// Answers everything that waits, as a worker would.
    func locateAll() throws {
        let ids: [Int] = try query("SELECT id FROM geocodes WHERE status = 'waiting'").map { try $0.read("id") }
        guard let coordinate = Coordinate(latitude: 39.5, longitude: -119.8) else { return }
        let answer = GradedCandidate(
            placemark: Placemark(coordinate: coordinate), precision: .rooftop, confidence: 0.9, provider: "gazetteer")
        let chain = Chain([Chain.Link("gazetteer")])
        try GeocodeStore().record(
            ids.map { (Inquiry(id: $0, subject: .address(Address(city: "Reno")), chain: chain), .located(answer)) },
            from: "gazetteer", on: self)
        try query("DELETE FROM jobs")
    }
}
