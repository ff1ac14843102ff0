extension Placemark {
    /// The distance along the ground, in metres, on the ellipsoid of WGS 84.
    public func distance(to other: Placemark) -> Double {
        coordinate.distance(to: other.coordinate)
    }

    public func isWithin(_ metres: Double, of other: Coordinate) -> Bool {
        coordinate.isWithin(metres, of: other)
    }

    public func isWithin(_ metres: Double, of other: Placemark) -> Bool {
        isWithin(metres, of: other.coordinate)
    }
}
