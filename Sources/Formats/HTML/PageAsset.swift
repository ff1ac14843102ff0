import CEmbedded

/// A file of our pages, compiled into the program.
package enum PageAsset {
    /// The bytes of a file. An unknown name is a bug in the program.
    package static func bytes(_ name: String) -> UnsafeBufferPointer<UInt8> {
        guard let asset = all.first(where: { self.name(of: $0) == name }) else {
            preconditionFailure("there is no asset \(name)")
        }
        return UnsafeBufferPointer(start: asset.pointee.text, count: page_size(asset))
    }

    package static var names: [String] { all.compactMap(name(of:)) }

    private static var all: some Sequence<UnsafePointer<page_asset>> {
        sequence(state: page_assets()) { next in
            defer { next = next?.successor() }
            return next.flatMap { name(of: $0) == nil ? nil : $0 }
        }
    }

    private static func name(of asset: UnsafePointer<page_asset>) -> String? {
        asset.pointee.name.map { String(cString: $0) }
    }

    package static func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

    /// Joins modules into one script, without their imports and exports. A module must come after those that it
    /// imports.
    package static func module(_ names: String...) -> String {
        names.map { name in
            text(name).split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.hasPrefix("import ") }
                .map { $0.hasPrefix("export ") ? $0.dropFirst("export ".count) : $0 }
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
