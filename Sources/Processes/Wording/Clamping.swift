// Numbers from outside: a file, a reply, a row that another program wrote, or a quotient of such numbers. The
// initializers of the standard library end the process for infinity, NaN and values out of range.

extension Int {
    /// The nearest whole number from -2⁵³ to 2⁵³, so that sums of some of them do not overflow. NaN gives zero.
    package init(clamping number: Double) {
        let most = 0x1p53
        self = number.isNaN ? 0 : Int(Swift.min(Swift.max(number, -most), most).rounded())
    }
}

extension Duration {
    /// 285,000 years: about PostgreSQL's last moment. As microseconds it fits into 64 bits.
    package static let longest = Duration.seconds(9_000_000_000_000)

    /// This number of seconds in whole microseconds, at most ``longest`` in both directions. NaN gives zero.
    package init(clampingSeconds seconds: Double) {
        self = .microseconds(seconds.isNaN ? 0 : Int64((min(max(seconds, -9e12), 9e12) * 1e6).rounded()))
    }

    /// The duration in whole microseconds, at most ``longest`` in both directions.
    package var clampedMicroseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .zero - .longest), .longest).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
