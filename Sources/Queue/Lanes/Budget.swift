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
