/// The capabilities of a provider, and its terms of use.
public struct ProviderTerms: Hashable, Sendable {
    /// The most queries in one call.
    public var batch: Int

    /// The forms of query that it understands. Never empty.
    public var forms: Set<Query.Form>
    public var canReverse: Bool

    /// The countries that it covers, in upper case codes of two letters; nil for the whole world.
    public var countries: Set<String>?

    /// The finest answer that it can give. A provider that knows only towns is not called again for a street.
    public var finest: Precision

    /// The steps that are worth a call: the others never found a place if the first found nothing. A link of a chain
    /// may choose others.
    public var steps: Set<LadderStep>

    /// The limits for users without an agreement of their own. All of them apply at once.
    public var limits: [CallLimit]

    /// The attribution to show next to the results; empty for none.
    public var attribution: String
    public var storage: StorageRule

    /// The whole terms of use; nil if nobody wrote them down.
    public var use: TermsOfUse?

    public init(
        batch: Int = 1, forms: Set<Query.Form> = [.structured, .freeForm], canReverse: Bool = false,
        countries: Set<String>? = nil, finest: Precision = .rooftop,
        steps: Set<LadderStep> = Set(LadderStep.allCases), limits: [CallLimit] = [], attribution: String = "",
        storage: StorageRule = .unlimited, use: TermsOfUse? = nil
    ) {
        self.batch = batch
        self.forms = forms
        self.canReverse = canReverse
        self.countries = countries
        self.finest = finest
        self.steps = steps
        self.limits = limits
        self.attribution = use?.attribution ?? attribution
        self.storage = use?.storage ?? storage
        self.use = use
    }
}

/// A number of calls in a period.
public struct CallLimit: Hashable, Sendable {
    public var calls: Int
    public var per: Duration

    public init(_ calls: Int, per: Duration) {
        self.calls = calls
        self.per = per
    }
}

/// How long a provider's terms permit to keep an answer.
public enum StorageRule: Hashable, Sendable {
    case unlimited
    /// After this it must be asked again.
    case days(Int)
    /// Only while a person works with it.
    case session
}
