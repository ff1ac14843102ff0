/// A tile service, whose pictures the pages show below their own marks; https://leafletjs.com calls it a tile layer.
package struct MapTiles: Sendable, Equatable {
    /// A URL with `{z}`, `{x}` and `{y}` in it.
    package let template: String
    /// The attribution that the terms of the map require.
    package let attribution: String
    /// Scheme, host and port: the only origin from which pages may load pictures.
    let origin: String

    /// Nil if the template is invalid. The host must be fixed and use HTTPS; on this machine plain HTTP is allowed.
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
