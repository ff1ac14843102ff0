/// The faults of the provider: slow replies, stalls after which all replies come at once, closed kept connections, and
/// redirects.
struct ProviderFaults {
    enum Answer: Equatable {
        /// After this many seconds.
        case good(after: Double)
        case hangUp
        case redirect

        var isGood: Bool {
            if case .good = self { true } else { false }
        }
    }

    /// Every reply is good, and comes after this many seconds; nil for a provider with faults.
    let calmDelay: Double?
    /// A trial of under 40 s has shorter stalls: two seconds instead of six.
    let isShort: Bool
    private var random: SeededGenerator

    init(seed: UInt64, seconds: Double, calmDelay: Double?) {
        self.calmDelay = calmDelay
        isShort = seconds < 40
        random = SeededGenerator(seed, stream: 1_000)
    }

    /// The reply to a request that came `time` seconds after the first one.
    mutating func answer(at time: Double, isOnKeptConnection: Bool) -> Answer {
        if let calmDelay { return .good(after: calmDelay) }
        if isOnKeptConnection, Double.random(in: 0..<1, using: &random) < 0.1 { return .hangUp }
        if Double.random(in: 0..<1, using: &random) < 0.02 { return .redirect }
        return .good(after: delay(at: time))
    }

    private func delay(at time: Double) -> Double {
        let place = time.truncatingRemainder(dividingBy: isShort ? 10 : 20) / (isShort ? 10 : 20)
        return switch place {
        case 0.2..<0.4: 0.5
        case 0.4..<0.5: 0.05
        // Waits until the end of the stall.
        case 0.5..<(isShort ? 0.7 : 0.8): ((isShort ? 0.7 : 0.8) - place) * (isShort ? 10 : 20)
        default: 0.005
        }
    }
}
