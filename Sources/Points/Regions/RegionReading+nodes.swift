import Formats

extension RegionReading {
    /// Finds houses and places that are nodes, and the positions of the nodes of ways.
    func readNodes(of extract: MapExtract, onProgress: @Sendable (Int) -> Void) throws {
        wanted.sort()
        let wanted = wanted
        try extract.read(.nodes, onProgress: onProgress) { block in
            var part = RegionPart(block)
            guard block.kinds.contains(.nodes) else { return part }
            try wanted.wishes.withUnsafeBufferPointer { wishes in
                var finder = WantedNodes.Finder(wishes)
                try block.forEachNode { node in
                    part.count += 1
                    guard let position = node.position else { return }
                    if let wish = finder.place(of: node.id) {
                        part.placed.append(PlacedNode(wish: wish, position: position))
                    }
                    guard !node.tags.isEmpty else { return }
                    let start = part.tags.count
                    guard part.addTags(node.tags).isWanted else { return part.dropTags(from: start) }
                    part.objects.append(
                        RegionPart.Object(id: node.id, position: position, tags: start..<part.tags.count))
                }
            }
            return part
        } combine: { [self] part in
            objects.counts.nodes += part.count
            for placed in part.placed { place(placed, wanted.wishes) }
            var (texts, tags) = (BlockTexts(part), RegionTags())
            for object in part.objects {
                texts.read(object, of: part, into: &tags, &objects.texts)
                if let position = object.position { try addNode(object.id, at: position, tags) }
            }
        }
    }

    /// Gives a node's position to all that need it.
    private func place(_ placed: PlacedNode, _ wishes: [WantedNodes.Wish]) {
        let id = wishes[placed.wish].id
        for wish in wishes[placed.wish...] {
            guard wish.id == id else { return }
            let target = Int(wish.target & ~WantedNodes.isPosition)
            if wish.target & WantedNodes.isPosition != 0 {
                objects.positions[target] = placed.position
            } else {
                objects.houses[target].position = objects.houses[target].position.middle(to: placed.position)
            }
        }
    }

    private func addNode(_ id: Int64, at position: MapPosition, _ tags: RegionTags) throws {
        let isEntrance = tags[.entrance] != 0 || objects.texts[tags[.building]] == "entrance"
        let houses = try addHouses(
            tags, kind: isEntrance ? .entrance : .node, at: position, relation: streetsOfNodes[id])
        if let house = houses.first, interpolationNodes.contains(id) {
            numberedNodes[id] = house
        }
        if tags[.name] != 0, isSquare(tags) {
            objects.streets.append(
                RegionObjects.Street(
                    name: tags[.name], others: tags.otherNames, postcode: tags[.postcode],
                    start: UInt32(objects.positions.count), count: 1, isSquare: true))
            objects.positions.append(position)
        }
        if let kind = placeKind(tags) { addPlace(kind, tags, at: position) }
        try checkSize()
    }
}
