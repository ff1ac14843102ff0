import Contacts
import Wording

/// Advice on the addresses of a file that were not located well.
struct NextSteps: Sendable {
    let sentences: [String]

    /// `knowsStreets` if a provider other than the gazetteer was called.
    init(
        after progress: AddressProgress, isTable: Bool, knowsStreets: Bool, hasDefaultCountry: Bool,
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
                    : "Run the same command again to go on: answered addresses are not asked again.")
        }
        if progress.needsReview > 0, cluster != .temporary {
            steps.append("'waypost review list' shows what is in doubt, for you to decide.")
        }
        if progress.weak > 0 {
            steps.append(
                knowsStreets
                    ? "Weak answers are coarser than what was asked; the column precision tells which they are."
                    : "The gazetteer knows towns and postcodes, no streets. Load open address data with 'waypost points "
                        + "load', or set a provider of docs/providers.md; then 'waypost "
                        + "rematch --weak' asks these addresses again.")
        }
        if progress.provisional > 0, cluster != .temporary {
            let count = progress.provisional
            steps.append(
                "For \(Words.count(count, "address", "addresses")) a provider did not look; the column reason names "
                    + "it. 'waypost rematch --weak' asks again; otherwise the cluster does some days later.")
        }
        if progress.missedWithoutCountry > 0, !hasDefaultCountry {
            let count = progress.missedWithoutCountry
            steps.append(
                "\(Words.count(count, "address", "addresses")) that \(count == 1 ? "was" : "were") not located "
                    + "\(count == 1 ? "names" : "name") no country: if all are in one, say --country XX.")
        }
        if progress.failed > 0, cluster != .temporary {
            steps.append(
                "'waypost jobs list --state dead' says why calls failed, and 'waypost jobs retry' asks "
                    + "again.")
        }
        sentences = steps
    }
}
