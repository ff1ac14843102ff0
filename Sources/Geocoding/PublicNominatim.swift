/// The public Nominatim server of the OpenStreetMap Foundation, which no provider calls.
///
/// Its usage policy, as of 2026-05-18 (https://operations.osmfoundation.org/policies/nominatim/), forbids applications
/// and services whose primary function is related to geocoding, distributed scripts, and personal data. Waypost is all
/// three.
public enum PublicNominatim {
    /// The reason for a refusal, with what to do instead. It follows a name of a setting or of a provider.
    public static let refusal = """
        leads to the public Nominatim server, whose usage policy forbids services whose primary function is geocoding, \
        and personal data (https://operations.osmfoundation.org/policies/nominatim/). Use a Nominatim or Photon server \
        of your own, open address data (waypost points load), or a paid service: docs/providers.md has a list
        """

    /// The Foundation's domains for which the server has a certificate: https://github.com/openstreetmap/dns. A direct
    /// name of one of its machines is in them too, and no other host in them permits our calls.
    private static let domains = [
        "openstreetmap.org", "osm.org", "openstreetmap.com", "openstreetmap.net", "openstreetmaps.org", "openmaps.org",
        "nominatim.qgis.org",
    ]

    /// Returns whether a URL with this host leads to the server, however the name is written.
    ///
    /// An alias in another domain can't be seen here, nor an address of the content network, which serves thousands of
    /// other sites. Neither reaches the server: its certificate has only the names above.
    public static func isHost(_ host: String) -> Bool {
        // As in names for the DNS: other forms of letters and of the dot, invisible characters, a dot at the end.
        let plain = Normalization.compatiblyComposed(host).lowercased().unicodeScalars
            .filter { !$0.properties.isDefaultIgnorableCodePoint }
            .map { $0 == "\u{3002}" ? "." : Character($0) }
        let name = String(plain.reversed().drop { $0 == "." }.reversed())
        return domains.contains { name == $0 || name.hasSuffix(".\($0)") }
    }
}
