/// A map service whose pictures the pages show below their own marks: what https://leafletjs.com calls a tile layer.
package struct MapTiles: Sendable, Equatable {
    /// An address with `{z}`, `{x}` and `{y}` in it.
    package let template: String
    /// Whose map it is, as its terms want it said.
    package let attribution: String
    /// Scheme, host and port: the one place from which pages may load pictures.
    let origin: String

    /// Nil where it is no such template. The host is fixed, and is reached by HTTPS; on this machine plain HTTP will do.
    package init?(template: String, attribution: String) {
        let form = #/(https?:\/\/([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?)\/[A-Za-z0-9\/._~=&?%+,@:{}-]*/#
        guard template.utf8.count <= 2_000, let parts = template.wholeMatch(of: form) else { return nil }
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains(parts.2.lowercased())
        guard isHere || template.hasPrefix("https://") else { return nil }
        let places = template.matches(of: #/{[^{}]*}/#).map { String($0.0) }
        guard places.sorted() == ["{x}", "{y}", "{z}"] else { return nil }
        let rest = places.reduce(template) { $0.replacing($1, with: "") }
        guard !rest.contains("{"), !rest.contains("}") else { return nil }
        self.template = template
        self.attribution = attribution
        origin = parts.1.lowercased()
    }
}
