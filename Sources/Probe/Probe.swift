import Foundation
import Geocoding
import Towns

@main enum Probe {
    static func main() {
        let asLine = CommandLine.arguments.contains("--line")
        let quiet = CommandLine.arguments.contains("--time")
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        _ = Gazetteer.shared.read(line: "x")
        let clock = ContinuousClock()
        let began = clock.now
        for line in lines {
            let address: Address
            if asLine { address = Gazetteer.shared.read(line: line) } else {
                let f = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                address = Address(street: f[0], city: f[1], region: f[2], postcode: f[3], country: f[4])
            }
            let found = Gazetteer.shared.search(address)
            if quiet { continue }
            let best = found.first
            let conf = best.map { Confidence(of: $0, for: address).value } ?? 0
            let p = best?.placemark
            print([address.street, address.city, address.region, address.postcode, address.country, best?.precision.rawValue ?? "-", String((conf * 100).rounded() / 100), p.map { "\($0.coordinate.latitude)" } ?? "", p.map { "\($0.coordinate.longitude)" } ?? "", p?.locality ?? "", p?.administrativeArea ?? "", p?.countryCode ?? "", "\(found.count)"].joined(separator: "\t"))
        }
        if quiet { print("\(Double(lines.count) / (Double((clock.now - began).components.attoseconds) / 1e18 + Double((clock.now - began).components.seconds)))/s") }
    }
}
