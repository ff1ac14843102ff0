package import Formats

extension RegionObjects {
    package enum Pass: Int, Sendable, CaseIterable {
        case relations, ways, nodes
    }

    /// Reads an extract in three passes. `onProgress` gets the pass, and the bytes of the file that are done.
    ///
    /// It blocks the thread, and works on all cores.
    package init(
        reading extract: MapExtract, onProgress: @escaping @Sendable (Pass, Int) -> Void = { _, _ in }
    ) throws {
        let reading = RegionReading()
        try reading.readRelations(of: extract) { onProgress(.relations, $0) }
        try reading.readWays(of: extract) { onProgress(.ways, $0) }
        reading.nameHousesOfRelations()
        try reading.readNodes(of: extract) { onProgress(.nodes, $0) }
        reading.nameHousesOfRelations()
        reading.finish()
        self = reading.objects
    }
}

extension RegionReading {
    /// Gives houses without a street the street of their relation.
    func nameHousesOfRelations() {
        for (house, relation) in housesOfRelations {
            let known = streetRelations[relation].address
            var address = objects.addresses[Int(objects.houses[house].address)]
            guard known.street != 0 else { continue }
            address.street = known.street
            if address.city == 0 { address.city = known.city }
            if address.postcode == 0 { address.postcode = known.postcode }
            objects.houses[house].address = number(of: address)
            objects.counts.housesOfRelations += 1
        }
        housesOfRelations = []
    }

    func finish() {
        wanted = WantedNodes()
        finishAreas()
        finishPlaces()
        addInterpolatedHouses()
        finishStreets()
        let count = objects.houses.count
        objects.houses.removeAll { $0.position == .unknown }
        objects.counts.housesWithoutPosition = count - objects.houses.count
        objects.counts.housesWithoutStreet = objects.houses.count { house in
            let address = objects.addresses[Int(house.address)]
            return address.street == 0 && address.place == 0
        }
    }

    /// A place that is a way lies in the middle of the box around it.
    private func finishPlaces() {
        for (place, line) in placesOfWays {
            let known = objects.positions[line].filter { $0 != .unknown }
            guard let north = known.map(\.latitude).max(), let south = known.map(\.latitude).min(),
                let east = known.map(\.longitude).max(), let west = known.map(\.longitude).min()
            else { continue }
            objects.places[place].position = MapPosition(latitude: south, longitude: west)
                .middle(to: MapPosition(latitude: north, longitude: east))
        }
        objects.places.removeAll { $0.position == .unknown }
    }

    /// Moves the known positions of each street together. The boundaries, which may share them, are finished.
    private func finishStreets() {
        for index in objects.streets.indices {
            var end = Int(objects.streets[index].start)
            for place in objects.streets[index].line where objects.positions[place] != .unknown {
                objects.positions.swapAt(end, place)
                end += 1
            }
            objects.streets[index].count = UInt32(end) - objects.streets[index].start
        }
        let count = objects.streets.count
        objects.streets.removeAll { $0.count == 0 }
        objects.counts.streetsWithoutPosition = count - objects.streets.count
    }

    private func finishAreas() {
        var lines: [Int64: Int32] = [:]
        for (id, way) in boundaryWays.sorted(by: { $0.key < $1.key })
        where !objects.positions[way.line].contains(.unknown) {
            lines[id] = Int32(objects.boundaryLines.count)
            objects.boundaryLines.append(way.line)
        }
        for area in areas {
            let name = area.kind == .postcode ? area.tags[.postalCode] : area.tags[.name]
            let ways = area.ways.compactMap { id in
                boundaryWays[id].flatMap { way in lines[id].map { RingWay(first: way.first, last: way.last, line: $0) }
                }
            }
            guard ways.count == area.ways.count, let rings = RingWay.rings(of: ways), !rings.isEmpty else {
                objects.brokenBoundaries.append(RegionObjects.BrokenBoundary(kind: area.kind, name: name))
                continue
            }
            let codes = [area.tags[.country], area.tags[.countryOrOther], area.tags[.subdivision]]
            let code = objects.texts[codes.first { $0 != 0 } ?? 0].uppercased()
            let label = area.label.map { objects.positions[$0] }
            objects.areas.append(
                RegionObjects.Area(
                    id: area.id, kind: area.kind, name: name, others: area.tags.otherNames,
                    isoCode: objects.texts.number(of: code), label: label == .unknown ? nil : label, rings: rings))
        }
    }
}

/// A way of a boundary, between its end nodes.
struct RingWay {
    let first, last: Int64
    let line: Int32

    /// Joins ways by their end nodes; nil if a ring does not close.
    ///
    /// A point is inside if it is inside an odd number of rings, so it does not matter which way continues a ring where
    /// more than two of them meet.
    static func rings(of ways: [RingWay]) -> [[RegionObjects.RingPiece]]? {
        var ends: [Int64: [Int]] = [:]
        for (index, way) in ways.enumerated() {
            ends[way.first, default: []].append(index)
            if way.first != way.last { ends[way.last, default: []].append(index) }
        }
        var isUsed = [Bool](repeating: false, count: ways.count)
        var rings: [[RegionObjects.RingPiece]] = []
        for start in ways.indices where !isUsed[start] {
            isUsed[start] = true
            var ring = [RegionObjects.RingPiece(line: ways[start].line, isReversed: false)]
            var node = ways[start].last
            while node != ways[start].first {
                var next: Int?
                while next == nil, let candidate = ends[node]?.popLast() {
                    if !isUsed[candidate] { next = candidate }
                }
                guard let next else { return nil }
                isUsed[next] = true
                let isReversed = ways[next].first != node
                ring.append(RegionObjects.RingPiece(line: ways[next].line, isReversed: isReversed))
                node = isReversed ? ways[next].first : ways[next].last
            }
            rings.append(ring)
        }
        return rings
    }
}
