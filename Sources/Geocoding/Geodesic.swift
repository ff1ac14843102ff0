#if canImport(Darwin)
    import Foundation
#else
    import Glibc
#endif

/// The shortest path between two places on the ellipsoid of WGS 84.
///
/// T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested equations",
/// Survey Review 23 (1975): https://www.ngs.noaa.gov/PUBS_LIB/inverse.pdf. It is precise to less than a millimetre. It
/// does not converge between places that are almost opposite each other; such a path is divided.
enum Geodesic {
    private static let flattening = 1 / 298.257_223_563
    private static let equatorialRadius = 6_378_137.0
    private static let polarRadius = equatorialRadius * (1 - flattening)

    /// In metres.
    static func distance(from start: Coordinate, to end: Coordinate) -> Double {
        let start = Point(start)
        let end = Point(end)
        return vincenty(start, end) ?? divided(start, end)
    }

    /// A place on the auxiliary sphere, with its reduced latitude. In radians.
    private struct Point {
        var sine: Double
        var cosine: Double
        var longitude: Double

        init(_ coordinate: Coordinate) {
            let latitude = coordinate.latitude * .pi / 180
            self.init(
                latitude: atan2((1 - flattening) * sin(latitude), cos(latitude)),
                longitude: coordinate.longitude * .pi / 180)
        }

        init(latitude: Double, longitude: Double) {
            sine = sin(latitude)
            cosine = cos(latitude)
            self.longitude = longitude
        }
    }

    /// The names are those of the paper: λ is the difference in longitude on the sphere, σ the angle between the two
    /// places, α the azimuth at the equator. Returns nil if λ does not converge.
    private static func vincenty(_ start: Point, _ end: Point) -> Double? {
        let difference = remainder(end.longitude - start.longitude, 2 * .pi)
        let sines = start.sine * end.sine
        let cosines = start.cosine * end.cosine
        var lambda = difference
        for _ in 0..<100 {
            let east = end.cosine * sin(lambda)
            let north = start.cosine * end.sine - start.sine * end.cosine * cos(lambda)
            let sinSigma = (east * east + north * north).squareRoot()
            if sinSigma == 0, cos(lambda) > 0 { return 0 }
            let cosSigma = sines + cosines * cos(lambda)
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosines * sin(lambda) / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            // The equator has no point that is nearest to a pole.
            let cosMiddle = cosSquaredAlpha < 1e-15 ? 0 : cosSigma - 2 * sines / cosSquaredAlpha
            let c = flattening / 16 * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha))
            let next =
                difference + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (cosMiddle + c * cosSigma * (2 * cosMiddle * cosMiddle - 1)))
            if abs(next - lambda) < 1e-12 {
                return length(sigma, sinSigma, cosSigma, cosMiddle, cosSquaredAlpha)
            }
            lambda = next
        }
        return nil
    }

    private static func length(
        _ sigma: Double, _ sinSigma: Double, _ cosSigma: Double, _ cosMiddle: Double, _ cosSquaredAlpha: Double
    ) -> Double {
        let u = cosSquaredAlpha * (equatorialRadius * equatorialRadius / (polarRadius * polarRadius) - 1)
        let a = 1 + u / 16_384 * (4_096 + u * (u * (320 - 175 * u) - 768))
        let b = u / 1_024 * (256 + u * (u * (74 - 47 * u) - 128))
        let outer = b / 6 * cosMiddle * (4 * sinSigma * sinSigma - 3) * (4 * cosMiddle * cosMiddle - 3)
        let correction = b * sinSigma * (cosMiddle + b / 4 * (cosSigma * (2 * cosMiddle * cosMiddle - 1) - outer))
        return polarRadius * a * (sigma - correction)
    }

    /// Returns the length of the path through the best of all points that are a quarter of the globe away from `start`.
    ///
    /// Every path to the other side crosses that circle, so the best detour is the shortest path.
    private static func divided(_ start: Point, _ end: Point) -> Double {
        func detour(_ azimuth: Double) -> Double {
            let middle = quarter(from: start, azimuth: azimuth)
            return (vincenty(start, middle) ?? .infinity) + (vincenty(middle, end) ?? .infinity)
        }
        let step = Double.pi / 36
        let coarse = (0..<72).map { Double($0) * step }.min { detour($0) < detour($1) } ?? 0
        var (low, high) = (coarse - step, coarse + step)
        while high - low > 1e-9 {
            let third = (high - low) / 3
            if detour(low + third) < detour(high - third) { high -= third } else { low += third }
        }
        return detour((low + high) / 2)
    }

    private static func quarter(from start: Point, azimuth: Double) -> Point {
        Point(
            latitude: asin(start.cosine * cos(azimuth)),
            longitude: start.longitude + atan2(sin(azimuth), -start.sine * cos(azimuth)))
    }
}

extension Coordinate {
    /// Along the ground, in metres, on the ellipsoid of WGS 84.
    public func distance(to other: Coordinate) -> Double {
        Geodesic.distance(from: self, to: other)
    }

    public func isWithin(_ metres: Double, of other: Coordinate) -> Bool {
        distance(to: other) <= metres
    }
}
