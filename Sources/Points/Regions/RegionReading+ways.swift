import Formats

extension RegionReading {
    /// Finds houses, streets, places and lines of interpolation that are ways, and the ways of boundaries.
    func readWays(of extract: MapExtract, onProgress: @Sendable (Int) -> Void) throws {
        let wantedWays = wantedWays
        try extract.read(.ways, onProgress: onProgress) { block in
            var part = RegionPart(block)
            var nodes: [Int64] = []
            try block.forEachWay { way in
                part.count += 1
                let start = part.tags.count
                let keys = part.addTags(way.tags)
                let isMember = wantedWays.contains(way.id)
                let isArea = keys.isSuperset(of: .boundaryOfWay)
                guard isMember || keys.isWanted || isArea else { return part.dropTags(from: start) }
                nodes.removeAll(keepingCapacity: true)
                try way.appendNodes(to: &nodes)
                let isLine =
                    isMember || isArea || !keys.isDisjoint(with: .interpolation)
                    || keys.isSuperset(of: .street) || keys.isSuperset(of: .place)
                let first = part.nodes.count
                if isLine { part.nodes += nodes } else { part.nodes += nodes.corners }
                part.objects.append(
                    RegionPart.Object(
                        id: way.id, tags: start..<part.tags.count, parts: first..<part.nodes.count))
            }
            return part
        } combine: { [self] part in
            objects.counts.ways += part.count
            var (texts, tags) = (BlockTexts(part), RegionTags())
            for object in part.objects {
                texts.read(object, of: part, into: &tags, &objects.texts)
                try addWay(object.id, part.nodes[object.parts], tags)
            }
        }
    }

    private func addWay(_ id: Int64, _ nodes: ArraySlice<Int64>, _ tags: RegionTags) throws {
        var line: Range<Int>?
        /// The places of the nodes' positions, which several uses of the way share.
        func positions() -> Range<Int> {
            if let line { return line }
            let start = objects.positions.count
            for node in nodes { wanted.add(node, position: addPosition()) }
            line = start..<objects.positions.count
            return start..<objects.positions.count
        }
        try use(tags, of: id, nodes, positions)
        for tags in borrowedTags[id] ?? [] { try use(tags, of: id, nodes, positions) }
        for relation in relationsOfStreets[id] ?? [] where streetRelations[relation].address.street == 0 {
            streetRelations[relation].address.street = tags[.name]
        }
        let isArea = nodes.count > 3 && nodes.first == nodes.last && areaKind(tags) != nil
        if isArea, let kind = areaKind(tags) { areas.append(AreaDraft(id: -id, kind: kind, tags: tags, ways: [id])) }
        if isArea || wantedWays.contains(id), let first = nodes.first, let last = nodes.last, nodes.count > 1 {
            boundaryWays[id] = BoundaryWay(first: first, last: last, line: positions())
        }
        try checkSize()
    }

    /// Adds the houses, the street and the place that the tags describe.
    private func use(
        _ tags: RegionTags, of id: Int64, _ nodes: ArraySlice<Int64>, _ positions: () -> Range<Int>
    ) throws {
        if tags[.interpolation] != 0 {
            let line = positions()
            interpolations.append(
                InterpolationDraft(method: tags[.interpolation], address: tags.address, line: line, nodes: Array(nodes))
            )
            interpolationNodes.formUnion(nodes)
        } else {
            for house in try addHouses(tags, kind: .building, at: .unknown, relation: streetsOfWays[id]) {
                for node in Array(nodes).corners { wanted.add(node, house: house) }
            }
        }
        if isStreet(tags) {
            let line = positions()
            objects.streets.append(
                RegionObjects.Street(
                    name: tags[.name], others: tags.otherNames,
                    postcode: tags[.postalCode] != 0 ? tags[.postalCode] : tags[.postcode],
                    start: UInt32(line.lowerBound), count: UInt32(line.count), isSquare: isSquare(tags)))
        }
        if let kind = placeKind(tags) {
            placesOfWays.append((objects.places.count, positions()))
            addPlace(kind, tags, at: .unknown)
        }
    }

    func addPlace(_ kind: RegionObjects.PlaceKind, _ tags: RegionTags, at position: MapPosition) {
        let digits = objects.texts[tags[.population]].filter(\.isWholeNumber)
        objects.places.append(
            RegionObjects.Place(
                kind: kind, name: tags[.name], others: tags.otherNames, position: position,
                population: UInt32(digits) ?? 0))
    }
}

extension RegionKeys {
    fileprivate static let boundaryOfWay: RegionKeys = [.boundary, .named, RegionKeys(.adminLevel)]
}

extension [Int64] {
    /// Two nodes whose middle is that of a building: the first one, and the one opposite.
    fileprivate var corners: [Int64] {
        guard let first, count > 1 else { return self }
        return [first, self[count / 2]]
    }
}
