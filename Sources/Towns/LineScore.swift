/// The points for and against a reading of a line. They were set by hand on one half of the truth set, until the other
/// half came out as well: only their sums say anything.
enum LineScore {
    // What a country is worth by how it is written: codes are words of other languages, too.
    static let countryOfTwoLetters = 2.5
    static let countryOfThreeLetters = 3.0
    static let mistypedCountry = 3.0
    static let countryByName = 4.0
    static let countryByNameAlone = 4.5
    /// Where a line must lie that says so by its setting and not in its text.
    static let likelyCountry = 2.0
    /// From this weight on a mention names the country in full.
    static let fullName = 3.0
    /// A town of another country than the one that the line names in full.
    static let otherCountry = -6.0
    /// A town that is the country as well, such as Singapore, with more behind or before it.
    static let countryForTown = -2.0
    /// A town that is called like a country beside its own name: Asunción is called Paraguay, too.
    static let countryForOtherName = -6.0

    // Where the words of a town stand.
    /// For each word behind the first: longer names are seldom met by chance.
    static let word = 0.6
    /// A piece of their own, between commas or beside a postcode.
    static let wholePiece = 2.0
    /// In the middle of a piece, where the line has several.
    static let middleOfPiece = -1.0
    static let behindStreet = 0.7
    /// Behind a word that is no street's: `San Martín` of `José de San Martín`.
    static let behindOtherWord = -3.0
    /// Before a word for a street, a house number or a word for a province.
    static let beforeStreet = -5.0
    /// Behind a word for a province.
    static let behindKind = -3.0
    static let streetWordAlone = -1.0
    static let streetWordWithin = -2.0
    static let streetWordInPiece = -5.0
    /// No town has more for its people and its surroundings: who is so far behind the best can't win any more.
    static let most = 16.0

    // What speaks for the town itself.
    /// For each doubling of its people: 2.4 for a village, 5.6 for Tokyo.
    static let people = 0.24
    static let shortName = -0.5
    static let ownRegion = 4.0
    /// A larger town near it that is named behind it.
    static let surroundings = 2.0

    // What a postcode is worth.
    static let besidePostcode = 1.0
    static let ownPostcode = 5.0
    /// A short number that is not beside the town may be a house's.
    static let ownShortPostcode = 2.0
    static let foreignPostcode = -0.8
    static let shapeOfPostcode = 1.0
    /// A place that is known by its postcode alone: what a village has for its people, and for the number itself.
    static let areaOfPostcode = 2.4
    static let placeOfPostcode = 6.0
    static let placeOfShortPostcode = 3.0
    static let ownSign = 1.0
    static let foreignSign = -3.0

    // What nothing explains behind the town.
    static let unexplainedPiece = 1.2
    static let unexplainedWord = 0.2
    static let unexplainedInTown = 1.0
}
