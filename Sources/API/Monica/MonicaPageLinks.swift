/// The links of Monica's framework for page buttons: the previous page, the first and last pages with the pages around
/// the current one, and the next page.
struct MonicaPageLinks {
    let current: Int
    let last: Int

    /// The pages with a button, in order; nil for a gap.
    var pages: [Int?] {
        guard last >= 14 else { return Self.row([1...last]) }
        if current <= 7 { return Self.row([1...10, last - 1...last]) }
        if current > last - 7 { return Self.row([1...2, last - 9...last]) }
        return Self.row([1...2, current - 3...current + 3, last - 1...last])
    }

    private static func row(_ groups: [ClosedRange<Int>]) -> [Int?] {
        var row: [Int?] = []
        for group in groups {
            if !row.isEmpty { row.append(nil) }
            for page in group { row.append(page) }
        }
        return row
    }

    /// Each button with its label and its page.
    var buttons: [(label: String, page: Int?)] {
        var buttons: [(label: String, page: Int?)] = [("❮ Previous", current > 1 ? current - 1 : nil)]
        for page in pages { buttons.append((page.map { "\($0)" } ?? "...", page)) }
        buttons.append(("Next ❯", current < last ? current + 1 : nil))
        return buttons
    }
}
