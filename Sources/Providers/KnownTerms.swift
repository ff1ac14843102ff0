package import Geocoding

/// The terms of use of the built-in providers. docs/providers.md has the same table.
///
/// "Copy" in a date means that a stored copy of the page was read, because the page itself could not be.
extension TermsOfUse {
    package typealias Known = (lane: String, title: String, terms: TermsOfUse)

    package static let known: [Known] = [
        ("gazetteer", "gazetteer", gazetteer),
        ("nominatim", "nominatim, your own", nominatim),
        ("photon", "photon, your own", photon),
        ("photon", "photon, komoot's", komoot),
        ("pelias", "pelias, your own", pelias),
        ("pelias", "pelias, geocode.earth", geocodeEarth),
        ("apple", "apple", apple), ("google", "google", ShippedService.google.use),
        ("opencage", "opencage", ShippedService.opencage.use), ("geoapify", "geoapify", ShippedService.geoapify.use),
        ("locationiq", "locationiq", ShippedService.locationiq.use), ("here", "here", ShippedService.here.use),
        ("mapbox", "mapbox", mapbox), ("mapbox", "mapbox, permanent", permanentMapbox),
        ("geocodio", "geocodio", geocodio), ("census", "census", census),
    ]

    private static let unread = "not read since autumn 2026"
    private static let openStreetMap = "Data © OpenStreetMap contributors, ODbL 1.0"
    private static let theirLicence = "https://www.openstreetmap.org/copyright"

    static let gazetteer = own(
        link: "https://download.geonames.org/export/dump/readme.txt", read: unread,
        attribution: "© GeoNames (https://www.geonames.org), CC BY 4.0")

    static let nominatim = own(
        link: theirLicence, read: unread, attribution: openStreetMap,
        note: "the public server is refused (its policy of 2026-05-18)")

    static let photon = own(link: theirLicence, read: unread, attribution: openStreetMap)

    static let komoot = TermsOfUse(
        link: "https://photon.komoot.io", read: "2026-11-28 (copy)", attribution: openStreetMap, autocomplete: .yes,
        note: "a demo: extensive use is throttled or banned")

    static let pelias = own(
        link: theirLicence, read: unread,
        attribution: "© OpenStreetMap contributors, OpenAddresses, Who's On First, GeoNames")

    static let geocodeEarth = TermsOfUse(
        link: "https://geocode.earth/guidelines", read: "2026-11-28 (copy of a page of 2020-05-13)",
        attribution: "© Geocode Earth, \(pelias.attribution)", autocomplete: .yes)

    static let apple = TermsOfUse(
        link: "https://developer.apple.com/support/terms/", read: unread, storage: .session, attribution: "Apple Maps")

    static let mapbox = TermsOfUse(
        link: "https://docs.mapbox.com/help/dive-deeper/understand-temporary-vs-permanent-geocoding/",
        read: "2026-11-28 (copy)", storage: .session, attribution: "© Mapbox", autocomplete: .yes)

    static let permanentMapbox = {
        var terms = mapbox
        (terms.storage, terms.note) = (.unlimited, "WAYPOST_MAPBOX_PERMANENT; each call costs more")
        return terms
    }()

    static let geocodio = TermsOfUse(
        link: "https://www.geocod.io/terms-of-use", read: "2026-11-28 (copy, its summary)",
        attribution: "Geocoding by Geocodio")

    static let census = TermsOfUse(
        link: "https://geocoding.geo.census.gov/geocoder/", read: unread,
        attribution: "U.S. Census Bureau")
}
