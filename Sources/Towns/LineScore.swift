/// The points for and against a reading of a line. They were set by hand on one half of the truth set, until the other
/// half had good results too. Only the sums have a meaning.
enum LineScore {
    // The weight of a country by its spelling: codes are also words of other languages.
    static let countryOfTwoLetters = 2.5
    static let countryOfThreeLetters = 3.0
    static let mistypedCountry = 3.0
    static let countryByName = 4.0
    static let countryByNameAlone = 4.5
    /// The country of the setting, if the line names none.
    static let likelyCountry = 2.0
    /// From this weight on, a mention names the country in full.
    static let fullName = 3.0
    /// A town in another country than the one that the line names in full.
    static let otherCountry = -6.0
    /// A town that has its country's name, with further words before or after it: Mexico City is also called Mexico.
    static let countryForTown = -6.0
    /// The same in a country that is one town.
    static let cityState = -2.0
    static let cityStates = Set(["SG", "HK", "MO", "MC", "LU", "GI", "SM", "VA"].map { CountryKey($0) })
    /// A town needs this many points more than its country alone.
    static let least = 3.0
    static let leastWithoutCommas = 1.0

    // The position of the town's words.
    /// For each word after the first: a long name rarely matches by chance.
    static let word = 0.6
    /// A piece of their own, between commas or next to a postcode.
    static let wholePiece = 2.0
    /// In the middle of a piece, if the line has several pieces.
    static let middleOfPiece = -1.0
    static let behindStreet = 0.7
    /// After a street word at the start of a piece: `Via Roma 12`
    static let nameOfStreet = -5.0
    /// After a word that is not a street's: `San Martín` in `José de San Martín`.
    static let behindOtherWord = -3.0
    /// At the start of a region's longer name: `Zamora` in `Zamora Chinchipe`
    static let withinRegion = -4.0
    /// Before a street word, a house number or a word for a province.
    static let beforeStreet = -5.0
    /// After a word for a province.
    static let behindKind = -3.0
    static let streetWordAlone = -1.0
    static let streetWordWithin = -2.0
    static let streetWordInPiece = -5.0
    /// No town gets more points for its population and surroundings. A reading that is this far behind the best can't
    /// win.
    static let most = 16.0

    // Points for the town itself.
    /// For each doubling of its population: 2.4 for a village, 5.6 for Tokyo.
    static let people = 0.24
    static let shortName = -0.5
    static let postcodeName = -1.0
    static let ownRegion = 4.0
    /// The region is the piece behind the town: `… Apt. KOZAN/ADANA`.
    static let regionPiece = 1.2
    /// A larger town nearby is named after it.
    static let surroundings = 2.0

    // Points for a postcode.
    static let besidePostcode = 1.0
    /// A known postcode of the country that the line names, without a known town.
    static let postcodeOfCountry = 6.0
    /// A known postcode after the code of its region: `IL 60601`.
    static let postcodeOfRegion = 9.0
    static let regionOfPostcode = 2.0
    static let ownPostcode = 5.0
    /// A short number that is not next to the town may be a house number.
    static let ownShortPostcode = 2.0
    static let foreignPostcode = -0.8
    /// The same in a country that the line names, where the postcode alone has six points.
    static let foreignPostcodeOfCountry = 1.5
    static let shapeOfPostcode = 1.0
    /// A place known only from its postcode: these points replace those for population and for the postcode.
    static let areaOfPostcode = 2.4
    static let placeOfPostcode = 6.0
    static let placeOfShortPostcode = 3.0
    static let ownSign = 1.0
    static let foreignSign = -3.0

    // Points against unexplained words after the town.
    static let unexplainedPiece = 1.2
    static let unexplainedWord = 0.2
    static let unexplainedInTown = 1.0
}
