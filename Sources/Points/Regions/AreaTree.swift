package import Formats

/// The areas of a region with their parents, and which of them are towns.
package struct AreaTree: Sendable {
    /// A point inside each area.
    package private(set) var innerPoints: [MapPosition] = []
    /// For each area the index of the smallest one of a lower level that contains its inner point.
    package private(set) var parents: [Int?] = []
    /// True for the areas that are the town of an address.
    package private(set) var isTown: [Bool] = []

    private struct Outline {
        let box: GridBox
        let size: Int64

        func mayContain(_ position: MapPosition) -> Bool {
            let point = GridPoint(position)
            return box.west <= point.x && point.x <= box.east && box.south <= point.y && point.y <= box.north
        }
    }

    /// `country` is for areas without a boundary of a country around them.
    package init(_ objects: RegionObjects, country: String) {
        var outlines: [Outline] = []
        for area in objects.areas {
            let rings = objects.rings(of: area)
            innerPoints.append(MapPosition.inside(rings))
            let box = rings.joined().reduce(into: GridBox()) { $0.add(GridPoint($1)) }
            outlines.append(Outline(box: box, size: box.size))
        }
        findParents(objects, outlines)
        findTowns(objects, country)
    }

    /// Boundaries from the deepest level, and of each level the smallest first.
    private static func boundaries(_ objects: RegionObjects, _ outlines: [Outline]) -> [(index: Int, level: Int)] {
        objects.areas.indices.compactMap { index in objects.areas[index].kind.level.map { (index: index, level: $0) } }
            .sorted { first, second in
                (second.level, outlines[first.index].size, first.index)
                    < (first.level, outlines[second.index].size, second.index)
            }
    }

    private mutating func findParents(_ objects: RegionObjects, _ outlines: [Outline]) {
        let boundaries = Self.boundaries(objects, outlines)
        // The first boundary of a level below each level.
        let starts = (0...13).map { level in boundaries.firstIndex { $0.level < level } ?? boundaries.count }
        parents = objects.areas.indices.map { index in
            let point = innerPoints[index]
            return boundaries[starts[objects.areas[index].kind.level ?? 13]...].first { other in
                outlines[other.index].mayContain(point) && point.isInside(objects.rings(of: objects.areas[other.index]))
            }?.index
        }
    }

    private mutating func findTowns(_ objects: RegionObjects, _ country: String) {
        isTown = objects.areas.map { _ in false }
        var containsTown = isTown
        func add(_ index: Int) {
            isTown[index] = true
            for ancestor in ancestors(of: index) { containsTown[ancestor] = true }
        }
        // The deepest first, because a state that contains a city is not a city.
        let boundaries = isTown.indices.compactMap { index in
            objects.areas[index].kind.level.map { level in
                let levels = TownLevels.of(country: self.country(of: index, objects) ?? country)
                return (index: index, level: level, levels: levels)
            }
        }.sorted { ($1.level, $0.index) < ($0.level, $1.index) }
        for (index, level, levels) in boundaries where levels.levels.contains(level) { add(index) }
        for (index, level, levels) in boundaries
        where levels.cityLevels.contains(level) && !isTown[index] && !containsTown[index] { add(index) }
    }

    /// The areas around one, from the smallest.
    package func ancestors(of index: Int) -> [Int] {
        var result: [Int] = []
        var next = parents[index]
        while let ancestor = next {
            result.append(ancestor)
            next = parents[ancestor]
        }
        return result
    }

    /// The code of the country around an area; nil without its boundary.
    package func country(of index: Int, _ objects: RegionObjects) -> String? {
        ([index] + ancestors(of: index)).last { objects.areas[$0].kind == .boundary(2) }
            .map { objects.texts[objects.areas[$0].isoCode] }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension RegionObjects.AreaKind {
    /// Nil for a postcode.
    package var level: Int? {
        if case .boundary(let level) = self { level } else { nil }
    }
}

extension MapPosition {
    /// True if the position is inside an odd number of closed rings.
    func isInside(_ rings: [[MapPosition]]) -> Bool {
        var isInside = false
        for ring in rings {
            for (first, second) in zip(ring, ring.dropFirst())
            where (first.latitude > latitude) != (second.latitude > latitude) {
                if Double(longitude) < first.longitude(at: Double(latitude), to: second) { isInside.toggle() }
            }
        }
        return isInside
    }

    private func longitude(at latitude: Double, to other: MapPosition) -> Double {
        let height = Double(other.latitude) - Double(self.latitude)
        let width = Double(other.longitude) - Double(longitude)
        return Double(longitude) + (latitude - Double(self.latitude)) * width / height
    }

    /// A point inside rings: the middle of the widest piece of a line through the middle of the largest ring.
    fileprivate static func inside(_ rings: [[MapPosition]]) -> MapPosition {
        let boxes = rings.map { $0.reduce(into: GridBox()) { $0.add(GridPoint($1)) } }
        guard let largest = boxes.indices.max(by: { boxes[$0].size < boxes[$1].size }),
            let first = rings[largest].first, let south = rings[largest].map(\.latitude).min(),
            let north = rings[largest].map(\.latitude).max()
        else { return .unknown }
        // Between two possible latitudes, so the line meets no node.
        let middle = Double((Int64(south) + Int64(north)) / 2) + 0.5
        var crossings: [Double] = []
        for ring in rings {
            for (start, end) in zip(ring, ring.dropFirst())
            where (Double(start.latitude) > middle) != (Double(end.latitude) > middle) {
                crossings.append(start.longitude(at: middle, to: end))
            }
        }
        crossings.sort()
        let pieces = stride(from: 0, to: crossings.count - 1, by: 2).map { (crossings[$0], crossings[$0 + 1]) }
        guard let widest = pieces.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return first }
        return MapPosition(
            latitude: Int32(clamping: Int64(middle)), longitude: Int32(clamping: Int64((widest.0 + widest.1) / 2)))
    }
}
