/// A position in the unit of OpenStreetMap, a ten-millionth of a degree.
package struct MapPosition: Hashable, Sendable {
    package let latitude, longitude: Int32

    package init(latitude: Int32, longitude: Int32) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

/// A key and a value, as numbers of the block's texts.
package struct MapTag: Sendable {
    package let key, value: UInt32
}

package struct MapNode {
    package internal(set) var id: Int64 = 0
    /// Nil if it is not on Earth.
    package internal(set) var position: MapPosition?
    package internal(set) var tags: [MapTag] = []
}

package struct MapWay {
    package internal(set) var id: Int64 = 0
    package internal(set) var tags: [MapTag] = []
    var packedNodes: WireCursor?

    /// Appends the ids of its nodes. Most ways of a map are not needed, so their nodes are not decoded.
    package func appendNodes(to nodes: inout [Int64]) throws {
        guard var cursor = packedNodes else { return }
        var id: Int64 = 0
        while !cursor.isAtEnd {
            try cursor.add(to: &id)
            nodes.append(id)
        }
    }
}

package struct MapMember: Sendable {
    package let kind: MapKinds
    package let id: Int64
    /// A number of the block's texts.
    package let role: UInt32
}

package struct MapRelation {
    package internal(set) var id: Int64 = 0
    package internal(set) var tags: [MapTag] = []
    var roles, ids, kinds: WireCursor?
    var textCount = 0

    package func members() throws -> [MapMember] {
        guard var ids, var roles, var kinds else { return [] }
        var members: [MapMember] = []
        var id: Int64 = 0
        while !ids.isAtEnd {
            try ids.add(to: &id)
            let role = try roles.varint()
            guard role < UInt64(textCount) else { throw MapDamage.noText }
            let kind: MapKinds =
                switch try kinds.varint() {
                case 0: .nodes
                case 1: .ways
                case 2: .relations
                default: throw MapDamage("a member has an unknown kind")
                }
            members.append(MapMember(kind: kind, id: id, role: UInt32(role)))
        }
        return members
    }
}

extension MapDamage {
    static let noText = MapDamage("a text is not in its table")
}

/// The unit and the origin of the positions in a block, in billionths of a degree.
struct MapGrid {
    var granularity: Int64 = 100
    var latitude: Int64 = 0
    var longitude: Int64 = 0

    func position(latitude: Int64, longitude: Int64) -> MapPosition? {
        guard let north = scaled(latitude, from: self.latitude, atMost: 900_000_000),
            let east = scaled(longitude, from: self.longitude, atMost: 1_800_000_000)
        else { return nil }
        return MapPosition(latitude: north, longitude: east)
    }

    @inline(__always)
    private func scaled(_ value: Int64, from origin: Int64, atMost most: Int64) -> Int32? {
        let (product, isTooLarge) = value.multipliedReportingOverflow(by: granularity)
        let (sum, isSumTooLarge) = product.addingReportingOverflow(origin)
        let result = sum / 100
        guard !isTooLarge, !isSumTooLarge, -most <= result, result <= most else { return nil }
        return Int32(result)
    }
}
