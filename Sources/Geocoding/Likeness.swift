/// The similarity of an answer of some precision to the question: the product of one factor for each component.
///
/// Parts that an answer of this precision doesn't have do not count against it: a town has no street, a street has no
/// house number.
struct Likeness {
    let matches: Matches
    let precision: Precision
    /// The postcode differs but begins alike.
    let isPostcodeNear: Bool

    var value: Double {
        let town = country * region * postcode * city
        return town * (precision <= .street ? street : 1) * (precision <= .interpolated ? houseNumber : 1)
    }

    private var country: Double {
        switch matches.country {
        case .unasked, .same: 1
        case .similar: 0.9
        case .missing: 0.95
        case .different: 0.05
        }
    }

    private var region: Double {
        switch matches.region {
        case .unasked, .same, .missing: 1
        case .similar: 0.95
        case .different: matches.postcode == .same ? 0.6 : 0.3
        }
    }

    private var postcode: Double {
        switch matches.postcode {
        case .unasked, .same: 1
        case .similar: 0.95
        // A town has many postcodes.
        case .missing: precision <= .postcode ? 0.85 : 0.95
        case .different where precision >= .city && matches.city == .same && isPostcodeNear: 0.9
        case .different: isSameHouse ? 0.8 : isTownKnown ? 0.6 : 0.3
        }
    }

    private var city: Double {
        switch matches.city {
        case .unasked, .same: 1
        // If nothing else identifies the town, one typo may make the name of another town.
        case .similar: precision <= .street || matches.postcode == .same ? 0.95 : 0.85
        // A region does not answer a question for a town.
        case .missing: precision > .city ? 0.3 : matches.postcode.isLike ? 0.9 : 0.7
        // Munich is München: if street and postcode agree, they confirm the town.
        case .different: matches.postcode != .same ? 0.3 : matches.street == .same ? 0.8 : 0.5
        }
    }

    private var street: Double {
        switch matches.street {
        case .unasked, .same: 1
        case .similar: 0.85
        case .missing: 0.5
        case .different: 0.3
        }
    }

    private var houseNumber: Double {
        switch matches.houseNumber {
        case .unasked, .same: 1
        case .similar: 0.9
        case .missing: 0.7
        case .different: 0.55
        }
    }

    /// Only the postcode differs. People write a wrong postcode more often than two streets of a town have the same
    /// name.
    private var isSameHouse: Bool {
        precision <= .interpolated && matches.street == .same && matches.houseNumber == .same && matches.city == .same
            && matches.country != .different && matches.region != .different
    }

    private var isTownKnown: Bool { matches.city.isLike }
}

extension Match {
    fileprivate var isLike: Bool { self == .same || self == .similar }
}
