import Formats
package import HTTP

/// The HTML pages. They contain no data: they read it from `/v1` with the rights of the signed-in person.
///
/// All pages share one document, which looks at its own path.
package enum PageRoutes {
    /// The paths of pages. Everybody may load a page: `/v1` decides what it may show.
    static let paths = [
        "/", "/sign-in", "/map", "/contacts", "/contacts/{id}", "/review", "/lanes", "/lanes/{name}", "/trackers",
        "/trackers/{user}", "/jobs",
        "/jobs/{id}", "/workers", "/workers/{name}", "/answers", "/tokens", "/settings", "/files", "/gateway",
    ]

    /// The files that pages load. Others are pages themselves, or parts of an exported map.
    private static var assets: [String] {
        PageAsset.names.filter { !$0.hasSuffix(".html") && !$0.hasPrefix("file.") }
    }

    /// An error page, for a person whose browser requested something that doesn't exist or isn't theirs.
    package static func error(_ status: Int, _ sentence: String) -> ServerResponse {
        let title =
            switch status {
            case 401: "Sign in to see this"
            case 403: "Your token does not permit this"
            case 404: "There is no such page"
            case 405: "This address is for programs"
            case 429, 500...: "The server can't answer now"
            default: "The server does not understand this address"
            }
        return PageFile.error(status, title: title, sentence: sentence)
    }

    /// Without `tiles` no page loads anything from another host.
    package static func add(to router: inout Router, tiles: MapTiles? = nil) {
        let shell = PageFile("shell.html", picturesFrom: tiles?.origin)
        for path in paths { router.add(.get, path) { shell.response(to: $0) } }
        for name in assets {
            let file = PageFile(name)
            router.add(.get, "/assets/\(name)") { file.response(to: $0) }
        }
    }
}
