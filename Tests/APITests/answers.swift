import Geocoding
import Postgres
import Questions

extension Connection {
    /// Answers all waiting questions, like a worker.
    func locateAll(with names: (inout Placemark) -> Void = { _ in }) throws {
        let ids: [Int] = try query("SELECT id FROM geocodes WHERE status = 'waiting'").map { try $0.read("id") }
        guard let coordinate = Coordinate(latitude: 39.5, longitude: -119.8) else { return }
        var place = Placemark(coordinate: coordinate)
        names(&place)
        let answer = Place(placemark: place, precision: .rooftop, areaConfidence: 0.9, provider: "gazetteer")
        let chain = Chain([Chain.Link("gazetteer")])
        try GeocodeStore().record(
            ids.map { (Question(id: $0, subject: .address(Address(city: "Reno")), chain: chain), .located(answer)) },
            from: "gazetteer", on: self)
        try query("DELETE FROM jobs")
    }

    /// Puts the question of this street into review, with two candidates. Returns it.
    func doubt(street: String) throws -> Int {
        func place(_ latitude: Double, _ number: String) -> Place? {
            guard let coordinate = Coordinate(latitude: latitude, longitude: -119.8) else { return nil }
            var place = Placemark(coordinate: coordinate)
            place.thoroughfare = "Main Street"
            place.subThoroughfare = number
            place.locality = "Reno"
            place.countryCode = "US"
            return Place(
                placemark: place, precision: .rooftop, areaConfidence: 0.6, provider: "nominatim", step: .structured)
        }
        let id: Int = try query("SELECT id FROM geocodes WHERE street = \(street)")[0].read("id")
        let candidates = [place(39.5, "1"), place(39.6, "12")].compactMap(\.self)
        try GeocodeStore().record(
            [
                (
                    Question(id: id, subject: .address(Address(city: "Reno")), chain: Chain([Chain.Link("gazetteer")])),
                    .needsReview(candidates)
                )
            ], from: "gazetteer", on: self)
        try query("DELETE FROM jobs")
        return id
    }
}
