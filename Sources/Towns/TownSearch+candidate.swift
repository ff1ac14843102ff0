import Geocoding

extension TownSearch {
    func name(of town: TownMatch) -> String {
        gazetteer.image.string(at: gazetteer.places[town.place].name)
    }

    func candidate(town: TownMatch, share: Double, hasPostcode: Bool = false) -> Candidate? {
        let place = gazetteer.places[town.place]
        guard var placemark = placemark(place.coordinate, country: place.country, region: place.region) else {
            return nil
        }
        placemark.locality = name(of: town)
        if hasPostcode { placemark.postalCode = address.postcode }
        if let spelling = town.spelling { placemark.call(spelling) }
        if town.isExact || town.isPiece, !sought.city.isEmpty { placemark.call(address.city) }
        return Candidate(placemark, .city, share: share * town.likeness)
    }

    /// `name` is the name of the place in the address.
    func candidate(postcode row: Int, called name: String?, likeness: Double = 1) -> Candidate? {
        let found = gazetteer.postcodes[row]
        guard var placemark = placemark(found.coordinate, country: found.country, region: found.region) else {
            return nil
        }
        placemark.locality = gazetteer.image.string(at: found.place)
        placemark.postalCode = address.postcode
        if let name { placemark.call(name) }
        return Candidate(placemark, .postcode, share: likeness)
    }

    private func placemark(_ position: Position, country: UInt16, region: UInt16) -> Placemark? {
        guard let coordinate = Coordinate(latitude: position.latitude, longitude: position.longitude) else {
            return nil
        }
        var placemark = Placemark(coordinate: coordinate)
        placemark.administrativeArea = gazetteer.image.string(at: gazetteer.regions[Int(region)].name)
        placemark.countryCode = CountryKey(country).code
        return placemark
    }
}

extension Placemark {
    /// Gives the place the name from the address, which is one of its names. A search for München finds Munich, and the
    /// result should have the name that was searched for.
    fileprivate mutating func call(_ asked: String) {
        guard let name = locality, Folding.loose(name) != Folding.loose(asked) else { return }
        locality = asked
        self.name = name
    }
}
