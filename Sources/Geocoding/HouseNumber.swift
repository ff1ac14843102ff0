/// A house number, for comparison with another spelling of it.
struct HouseNumber {
    private let text: String

    init(_ text: String) {
        self.text = PointKey.number(text)
    }

    func match(_ found: String?) -> Match {
        let other = HouseNumber(found ?? "")
        if other.text.isEmpty { return .missing }
        if text == other.text { return .same }
        return isNextDoor(to: other) ? .similar : .different
    }

    /// `12` and `12a`, `12-14` and `13`, `791/39` and `39`.
    private func isNextDoor(to other: Self) -> Bool {
        let (one, two) = (numbers, other.numbers)
        if one.contains(where: two.contains) { return true }
        return range.map { range in two.contains(where: range.contains) } ?? false
            || other.range.map { range in one.contains(where: range.contains) } ?? false
    }

    /// `12` of `12-14`; nil if it is not a range. In some countries such a number is a block and a house.
    func first(in country: Country?) -> String? {
        guard let range, !["US", "JP", "KR", "TW", "CO", "BR"].contains(country?.code) else { return nil }
        return String(range.lowerBound)
    }

    /// Without the half of `123 1/2`.
    private var numbers: [Int] {
        text.prefix { $0 != " " }.split { $0 == "-" || $0 == "/" }.compactMap { Int($0.prefix { $0.isNumber }) }
    }

    private var range: ClosedRange<Int>? {
        guard text.contains("-"), numbers.count == 2, numbers[0] < numbers[1], numbers[1] - numbers[0] < 100 else {
            return nil
        }
        return numbers[0]...numbers[1]
    }
}
