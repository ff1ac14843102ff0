package import Geocoding

/// Selects addresses of an account. An empty list permits all.
package struct PlaceFilter: Hashable, Sendable {
    package var account: String

    /// The feed that brought the friends last.
    package var feed: String?

    /// The labels of addresses, such as home or work. Case makes no difference.
    package var labels: [String]
    package var countries: [Country]
    package var statuses: [GeocodeStatus]

    /// Also leaves out answers without a confidence.
    package var minimumConfidence: Double?

    package init(
        account: String, feed: String? = nil, labels: [String] = [], countries: [Country] = [],
        statuses: [GeocodeStatus] = [],
        minimumConfidence: Double? = nil
    ) {
        self.account = account
        self.feed = feed
        self.labels = labels
        self.countries = countries
        self.statuses = statuses
        self.minimumConfidence = minimumConfidence
    }
}
