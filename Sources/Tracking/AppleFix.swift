// For Apple's platforms only. Our own checks run on Linux, which does not compile this file: keep it simple.

#if canImport(CoreLocation)
    public import CoreLocation
    import Foundation

    extension Fix {
        public init(_ location: CLLocation) {
            self.init(
                lat: location.coordinate.latitude, lng: location.coordinate.longitude,
                accuracy: location.horizontalAccuracy, timestamp: location.timestamp.timeIntervalSince1970)
        }
    }
#endif
