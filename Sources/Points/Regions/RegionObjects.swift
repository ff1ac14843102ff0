package import Formats

/// The houses, streets, places and areas of an extract, as flat arrays: 20 million houses fit into 0.5 GB.
///
/// Texts are numbers of ``texts``.
package struct RegionObjects: Sendable {
    package typealias Position = MapPosition

    package internal(set) var texts = TextTable()
    /// Each combination of street, place, town and postcode once.
    package internal(set) var addresses: [HouseAddress] = []
    package internal(set) var houses: [House] = []
    package internal(set) var streets: [Street] = []
    package internal(set) var places: [Place] = []
    /// Areas whose rings close.
    package internal(set) var areas: [Area] = []
    /// Boundaries whose rings do not close or lack a node, as those of neighbours in an extract.
    package internal(set) var brokenBoundaries: [BrokenBoundary] = []
    package internal(set) var counts = Counts()
    /// The nodes of streets and boundaries.
    package internal(set) var positions: [Position] = []
    /// The ways of boundaries, as ranges of ``positions``.
    var boundaryLines: [Range<Int>] = []

    package struct HouseAddress: Hashable, Sendable {
        package var street: UInt32 = 0
        /// `addr:place`, for a house that belongs to no street.
        package var place: UInt32 = 0
        package var city: UInt32 = 0
        /// `addr:suburb`, else `addr:district`.
        package var district: UInt32 = 0
        package var postcode: UInt32 = 0
    }

    package enum HouseKind: UInt8, Sendable {
        case building, entrance, node, interpolated
    }

    package struct House: Sendable {
        package internal(set) var position: Position
        package let number: UInt32
        /// An index of ``RegionObjects/addresses``.
        package internal(set) var address: UInt32
        package let kind: HouseKind
    }

    /// One way of a street. The ways of a street are not joined here.
    package struct Street: Sendable {
        package let name: UInt32
        /// Names in other languages, and older, shorter and official ones.
        package let others: [UInt32]
        package let postcode: UInt32
        var start: UInt32
        var count: UInt32
        package let isSquare: Bool

        /// A range of ``RegionObjects/positions``.
        package var line: Range<Int> { Int(start)..<Int(start) + Int(count) }
    }

    package enum PlaceKind: UInt8, Sendable, CaseIterable {
        case city, borough, suburb, quarter, neighbourhood, town, village, hamlet, locality
        case isolatedDwelling
    }

    package struct Place: Sendable {
        package let kind: PlaceKind
        package let name: UInt32
        package let others: [UInt32]
        package internal(set) var position: Position
        /// 0 if it is unknown.
        package let population: UInt32
    }

    package enum AreaKind: Hashable, Sendable {
        /// A boundary of an administration, of level 1 to 12: https://wiki.openstreetmap.org/wiki/Key:admin_level
        case boundary(Int)
        case postcode
    }

    package struct Area: Sendable {
        /// The id of the relation, or the negative id of a way.
        package let id: Int64
        package let kind: AreaKind
        /// The postcode of a postcode's area.
        package let name: UInt32
        package let others: [UInt32]
        /// `ISO3166-1:alpha2` or `ISO3166-2`.
        package let isoCode: UInt32
        /// The position of the member with the role `label`, else `admin_centre`.
        package internal(set) var label: Position?
        /// See ``RegionObjects/rings(of:)``.
        var rings: [[RingPiece]]
    }

    /// A way of a boundary, in the direction of a ring.
    struct RingPiece: Hashable, Sendable {
        let line: Int32
        let isReversed: Bool
    }

    package struct BrokenBoundary: Hashable, Sendable {
        package let kind: AreaKind
        package let name: UInt32
    }

    package struct Counts: Hashable, Sendable {
        package internal(set) var nodes = 0
        package internal(set) var ways = 0
        package internal(set) var relations = 0
        /// Houses with a name and no number, which are left out.
        package internal(set) var housesWithoutNumber = 0
        /// Houses with neither a street nor a place.
        package internal(set) var housesWithoutStreet = 0
        /// Houses whose nodes are not in the extract, which are left out.
        package internal(set) var housesWithoutPosition = 0
        package internal(set) var streetsWithoutPosition = 0
        package internal(set) var interpolatedHouses = 0
        /// Lines of interpolation without two numbers, or with too many between them.
        package internal(set) var unusedInterpolations = 0
        /// Relations that give their houses a street.
        package internal(set) var streetRelations = 0
        /// Houses that got their street from a relation.
        package internal(set) var housesOfRelations = 0
    }

    /// The closed rings of an area. A point is inside if it is inside an odd number of rings.
    package func rings(of area: Area) -> [[Position]] {
        area.rings.map { pieces in
            var ring: [Position] = []
            for piece in pieces {
                let line = positions[boundaryLines[Int(piece.line)]]
                let isJoined = !ring.isEmpty
                ring.append(
                    contentsOf: piece.isReversed
                        ? Array(line.reversed().dropFirst(isJoined ? 1 : 0))
                        : Array(line.dropFirst(isJoined ? 1 : 0)))
            }
            return ring
        }
    }
}

extension MapPosition {
    /// Stands for a node that is not in the extract.
    static let unknown = MapPosition(latitude: .min, longitude: .min)

    /// The middle of two positions. Across the date line, and without one of them, it is one of the two.
    func middle(to other: MapPosition) -> MapPosition {
        if self == .unknown { return other }
        let (east, otherEast) = (Int64(longitude), Int64(other.longitude))
        guard abs(east - otherEast) < 1_800_000_000 else { return self }
        return MapPosition(
            latitude: Int32((Int64(latitude) + Int64(other.latitude)) / 2), longitude: Int32((east + otherEast) / 2))
    }
}
