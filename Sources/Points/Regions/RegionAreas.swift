import Formats
import Geocoding

/// The areas of a region with complete borders: towns, the districts and countries around them, and postcodes.
struct RegionAreas: Sendable {
    struct Area: Sendable {
        let osmID: Int64
        /// 0 for a postcode.
        let level: Int
        let name: String
        let others: [String]
        let code: String
        let isTown: Bool
        /// An index of ``areas``.
        let parent: Int?
        /// Its label, else a point inside.
        let middle: MapPosition
    }

    let areas: [Area]
    /// In the order of their numbers. The ids in them are indexes of ``areas``.
    let cells: [AreaCell]
    /// The country of positions outside all areas.
    private let country: String

    init(_ objects: RegionObjects, country: Country?) throws {
        let tree = AreaTree(objects, country: country?.code ?? "")
        areas = objects.areas.enumerated().map { index, area in
            Area(
                osmID: area.id, level: area.kind.level ?? 0, name: objects.texts[area.name],
                others: area.others.map { objects.texts[$0] }, code: objects.texts[area.isoCode],
                isTown: tree.isTown[index], parent: tree.parents[index], middle: area.label ?? tree.innerPoints[index])
        }
        var cells: [AreaCell] = []
        try AreaCells.cut(objects, ids: Dictionary(areas.indices.map { ($0, $0) }) { first, _ in first }) {
            cells.append($0)
        }
        self.cells = cells
        let known = areas.first { $0.level == 2 && $0.code.utf8.count == 2 }?.code
        self.country = country?.code ?? known ?? ""
    }

    private func areas(containing position: MapPosition) -> [Int] {
        let number = AreaCell.number(at: position)
        var (low, high) = (0, cells.count)
        while low < high {
            let middle = (low + high) / 2
            if cells[middle].cell <= number { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return [] }
        return (try? cells[low - 1].areas(containing: position)) ?? []
    }

    /// The innermost town.
    func town(at position: MapPosition) -> Int? {
        areas(containing: position).filter { areas[$0].isTown }.max { areas[$0].level < areas[$1].level }
    }

    func country(of town: Int?) -> String {
        around(town) { $0.level == 2 && $0.code.utf8.count == 2 }?.code ?? country
    }

    /// The name of the first-order division.
    func region(of town: Int?) -> String { around(town) { $0.level == 4 }?.name ?? "" }

    func postcode(at position: MapPosition) -> String {
        areas(containing: position).first { areas[$0].level == 0 }.map { areas[$0].name } ?? ""
    }

    /// The first area, from the town outwards, for which this holds.
    private func around(_ town: Int?, _ body: (Area) -> Bool) -> Area? {
        var next = town
        while let index = next {
            if body(areas[index]) { return areas[index] }
            next = areas[index].parent
        }
        return nil
    }
}
