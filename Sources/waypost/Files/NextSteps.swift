import Contacts
import Geocoding
import Processes

/// Advice on the addresses of a file that were not located well.
struct NextSteps: Sendable {
    let sentences: [String]

    /// `knowsStreets` if a provider other than the gazetteer was called.
    init(
        after progress: AddressProgress, isTable: Bool, account: String, knowsStreets: Bool, hasDefaultCountry: Bool,
        cluster: Application.Cluster
    ) {
        var steps: [String] = []
        let done = progress.answered
        if isTable, done > 2, progress.located * 3 < done {
            steps.append(
                "Only \(Readable.count(progress.located)) of \(Readable.count(done)) addresses were located. Are the "
                    + "columns right? The lines above the result say how each is read; --mapping corrects them.")
        }
        if progress.waiting > 0 {
            steps.append(
                cluster == .temporary
                    ? "Nothing is kept of a temporary cluster; without --temporary the same command would go on."
                    : "Run the same command again to go on: answered addresses are not asked again. With --timeout 2h it "
                        + "waits longer.")
        }
        if progress.needsReview > 0, cluster != .temporary {
            steps.append("'waypost review list' shows what is in doubt, for you to decide.")
        }
        if progress.weak > 0 {
            steps.append(Self.weakness(progress, account, knowsStreets, isKept: cluster != .temporary))
        }
        if progress.provisional > 0, cluster != .temporary {
            let count = progress.provisional
            steps.append(
                "For \(Words.count(count, "address", "addresses")) a provider did not look; the column reason names "
                    + "it. 'waypost rematch --weak' asks again; otherwise the cluster does some days later.")
        }
        let missed = progress.missedWithoutCountry
        if missed > 0, !hasDefaultCountry {
            steps.append(
                "\(Words.count(missed, "address", "addresses")) without a country not found. Wrong columns? See above. All "
                    + "in one country? --country DE")
        }
        if progress.failed > 0, cluster != .temporary {
            steps.append(
                "'waypost jobs list --state dead' says why requests failed, and 'waypost jobs retry' asks again.")
        }
        if cluster == .passing {
            steps.append("Contacts and answers are kept in this folder; 'waypost forget' deletes them.")
        }
        sentences = steps
    }

    /// `869 marks show only the postcode or the town. For houses in DE (400), FR (210): …`
    private static func weakness(
        _ progress: AddressProgress, _ account: String, _ knowsStreets: Bool, isKept: Bool
    ) -> String {
        let coarse = progress.weakByPrecision.filter { $0.key > .street }.values.reduce(0, +)
        let marks =
            coarse == 0
            ? "\(Words.count(progress.weak, "mark")) \(progress.weak == 1 ? "shows" : "show") only the street."
            : "\(Words.count(coarse, "mark")) \(coarse == 1 ? "shows" : "show") only the postcode or the town."
        let again = "'waypost rematch --weak --account \(account.contains(" ") ? "\"\(account)\"" : account)'"
        if progress.outdated > 0, isKept {
            let count = Words.count(progress.outdated, "address", "addresses")
            return "\(marks) \(count) could be found better now: \(again) asks again."
        }
        if knowsStreets { return "\(marks) The column precision tells which." }
        let countries = progress.weakByCountry.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let named = countries.prefix(3).map { "\($0.key) (\(Readable.count($0.value)))" }.joined(separator: ", ")
        return
            "\(marks) For houses\(named.isEmpty ? "" : " in \(named)\(countries.count > 3 ? ", …" : "")"): load open address "
            + "data with 'waypost points load', or set a provider of docs/providers.md"
            + (isKept ? "; then \(again)." : ".")
    }
}
