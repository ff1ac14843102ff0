/// What a provider can do, and what its terms of use permit.
public struct ProviderTerms: Hashable, Sendable {
    /// How many queries it takes in one call.
    public var batch: Int

    /// The forms of query that it understands. Never empty.
    public var forms: Set<Query.Form>
    public var canReverse: Bool

    /// Where it knows anything, in upper case codes of two letters; nil for the whole world.
    public var countries: Set<String>?

    /// The finest answer that it can give. A provider that knows only towns is not called again for a street.
    public var finest: Precision

    /// The steps that are worth a call: the others never found anything where the first found nothing. A link of a
    /// chain may choose others.
    public var steps: Set<LadderStep>

    /// The limits for users who have no agreement of their own with it. All of them hold at once.
    public var limits: [CallLimit]

    /// The source to name beside the results; empty for none.
    public var attribution: String
    public var storage: StorageRule

    public init(
        batch: Int = 1, forms: Set<Query.Form> = [.structured, .freeForm], canReverse: Bool = false,
        countries: Set<String>? = nil, finest: Precision = .rooftop,
        steps: Set<LadderStep> = Set(LadderStep.allCases), limits: [CallLimit] = [], attribution: String = "",
        storage: StorageRule = .unlimited
    ) {
        self.batch = batch
        self.forms = forms
        self.canReverse = canReverse
        self.countries = countries
        self.finest = finest
        self.steps = steps
        self.limits = limits
        self.attribution = attribution
        self.storage = storage
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

/// For how long a provider's terms let an answer be kept.
public enum StorageRule: Hashable, Sendable {
    case unlimited
    /// Then it must be asked for again.
    case days(Int)
    /// Only while it is being worked with.
    case session
}
