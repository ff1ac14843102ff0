/// The price of 1,000 calls: `5 USD`.
package struct Price: Hashable, Sendable {
    package let per1000Calls: Double
    /// ISO 4217, such as EUR.
    package let currency: String

    /// Returns nil unless it is an amount of a currency.
    package init?(per1000Calls: Double, currency: String) {
        let letters = currency.utf8
        guard per1000Calls.isFinite, per1000Calls >= 0, letters.count == 3,
            letters.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
        else { return nil }
        self.per1000Calls = per1000Calls
        self.currency = currency
    }

    /// Reads the format of ``text``; small letters are accepted.
    package init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let amount = Double(words[0]) else { return nil }
        self.init(per1000Calls: amount, currency: words[1].uppercased())
    }

    /// `5 USD`, `0.75 EUR`
    package var text: String {
        (Int(exactly: per1000Calls).map(String.init) ?? "\(per1000Calls)") + " \(currency)"
    }

    package func cost(of calls: Int) -> Double { Double(calls) * per1000Calls / 1_000 }
}

/// The planned cost of calls in a calendar month, in one currency: `100 EUR`. It stops nothing and is only shown for
/// comparison.
package struct Budget: Hashable, Sendable {
    package let amount: Double
    /// ISO 4217, such as EUR.
    package let currency: String

    package init?(text: String) {
        guard let price = Price(text: text), price.per1000Calls > 0 else { return nil }
        (amount, currency) = (price.per1000Calls, price.currency)
    }

    /// Reads several budgets, each in a currency of its own: `100 EUR, 20 USD`.
    package static func list(_ text: String) -> [Budget]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let budgets = parts.compactMap { Budget(text: String($0)) }
        let currencies = Set(budgets.map(\.currency))
        return budgets.count == parts.count && currencies.count == budgets.count ? budgets : nil
    }
}
