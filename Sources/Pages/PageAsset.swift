import CPages

/// A file of our pages, compiled into the program.
package enum PageAsset {
    /// The bytes of a file. An unknown name is a bug in the program.
    package static func bytes(_ name: String) -> UnsafeBufferPointer<UInt8> {
        var asset = page_assets()
        while let found = asset?.pointee, let itsName = found.name {
            if String(cString: itsName) == name { return UnsafeBufferPointer(start: found.bytes, count: found.size) }
            asset = asset?.successor()
        }
        preconditionFailure("there is no asset \(name)")
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
