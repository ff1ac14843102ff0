package import Geocoding

extension Gazetteer {
    /// Returns the part of an address from which a given position is far away: its postcode or its town. Nil if the
    /// position is near, or if no postcode and no town of the address is known for sure.
    package func part(of address: Address, farFrom position: Coordinate) -> Precision? {
        let sure = search(address).filter {
            $0.precision <= .city && Confidence(of: $0, for: address).value >= Thresholds().located
        }
        guard let best = sure.first,
            sure.allSatisfy({ $0.placemark.coordinate.distance(to: position) > Self.far })
        else { return nil }
        return best.precision
    }

    /// In metres. In docs/confidence.md, all but a hundredth of the places are nearer to the middle of their postcode.
    private static let far = 50_000.0
}
