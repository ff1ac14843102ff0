import Formats
import MapTesting
import Processes

extension MapExtract {
    /// All objects in the notation of OPL, as osmium writes them without metadata, but without escapes:
    /// https://osmcode.org/opl-file-format/
    func lines() throws -> [String] {
        let lines = Locked<[String]>([])
        for kind in [MapKinds.nodes, .ways, .relations] {
            try read(kind) {
                try $0.lines(kind)
            } combine: { part in
                lines.withLock { $0 += part }
            }
        }
        return lines.withLock(\.self)
    }

    /// The objects as osmium reads them.
    static func expectedLines(of path: String) async throws -> [String] {
        try await Osmium.lines(of: path).map(Osmium.unescaped)
    }
}

extension MapBlock {
    fileprivate func lines(_ kind: MapKinds) throws -> [String] {
        var lines: [String] = []
        switch kind {
        case .nodes:
            try forEachNode { node in
                var line = "n\(node.id) T\(text(node.tags))"
                if let position = node.position {
                    line += " x\(degrees(position.longitude)) y\(degrees(position.latitude))"
                } else {
                    line += " x y"
                }
                lines.append(line)
            }
        case .ways:
            try forEachWay { way in
                var nodes: [Int64] = []
                try way.appendNodes(to: &nodes)
                lines.append("w\(way.id) T\(text(way.tags)) N\(nodes.map { "n\($0)" }.joined(separator: ","))")
            }
        default:
            try forEachRelation { relation in
                let members = try relation.members().map { member in
                    let kind = [MapKinds.nodes: "n", .ways: "w", .relations: "r"][member.kind] ?? "?"
                    return "\(kind)\(member.id)@\(text(member.role))"
                }
                lines.append("r\(relation.id) T\(text(relation.tags)) M\(members.joined(separator: ","))")
            }
        }
        return lines
    }

    private func text(_ tags: [MapTag]) -> String {
        tags.map { "\(text($0.key))=\(text($0.value))" }.joined(separator: ",")
    }

    private func text(_ number: UInt32) -> String { withText(number) { String(decoding: $0, as: UTF8.self) } }

    private func degrees(_ value: Int32) -> String {
        let digits = String(value.magnitude)
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        var fraction = padded.suffix(7)
        while fraction.last == "0" { fraction.removeLast() }
        return (value < 0 ? "-" : "") + padded.dropLast(7) + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
