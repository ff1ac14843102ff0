import Formats

extension RegionReading {
    /// Finds boundaries, houses, squares and places that are relations, and relations that give houses a street.
    func readRelations(of extract: MapExtract, onProgress: @Sendable (Int) -> Void) throws {
        try extract.read(.relations, onProgress: onProgress) { block in
            var part = RegionPart(block)
            guard block.kinds.contains(.relations) else { return part }
            try block.forEachRelation { relation in
                part.count += 1
                let start = part.tags.count
                let keys = part.addTags(relation.tags)
                guard keys.isWanted || !keys.isDisjoint(with: .boundary) || part.isStreetRelation(from: start) else {
                    return part.dropTags(from: start)
                }
                let members = try relation.members()
                part.objects.append(
                    RegionPart.Object(
                        id: relation.id, tags: start..<part.tags.count,
                        parts: part.members.count..<part.members.count + members.count))
                part.members += members
            }
            return part
        } combine: { [self] part in
            objects.counts.relations += part.count
            var (texts, tags) = (BlockTexts(part), RegionTags())
            for object in part.objects {
                texts.read(object, of: part, into: &tags, &objects.texts)
                let members = part.members[object.parts].map { member in
                    (member: member, role: part.block.withText(member.role) { String(decoding: $0, as: UTF8.self) })
                }
                addRelation(object.id, members, tags)
            }
        }
    }

    private func addRelation(
        _ id: Int64, _ members: [(member: MapMember, role: String)], _ tags: RegionTags
    ) {
        switch objects.texts[tags[.type]] {
        case "associatedStreet", "street": addStreetRelation(members, tags)
        case "boundary", "multipolygon":
            if let kind = areaKind(tags) { addArea(id, kind, members, tags) }
            fallthrough
        default:
            let hasCentre = members.contains { $0.role == "label" || $0.role == "admin_centre" }
            // A place with a node for its centre is known by this node.
            guard tags.number != 0 || isSquare(tags) || placeKind(tags) != nil && !hasCentre else { return }
            let ways = members.filter { $0.member.kind == .ways }
            guard let way = (ways.first { $0.role == "outer" } ?? ways.first)?.member.id else { return }
            borrowedTags[way, default: []].append(tags)
            wantedWays.insert(way)
        }
    }

    /// The kind of the area that these tags describe; nil if they do not describe one.
    func areaKind(_ tags: RegionTags) -> RegionObjects.AreaKind? {
        switch objects.texts[tags[.boundary]] {
        case "administrative":
            guard tags[.name] != 0, let level = Int(objects.texts[tags[.adminLevel]]), (1...12).contains(level) else {
                return nil
            }
            return .boundary(level)
        case "postal_code": return tags[.postalCode] == 0 ? nil : .postcode
        default: return nil
        }
    }

    private func addArea(
        _ id: Int64, _ kind: RegionObjects.AreaKind, _ members: [(member: MapMember, role: String)], _ tags: RegionTags
    ) {
        var area = AreaDraft(id: id, kind: kind, tags: tags)
        var seen: Set<Int64> = []
        for (member, role) in members {
            switch (member.kind, role) {
            case (.ways, "outer"), (.ways, "inner"), (.ways, ""), (.ways, "exclave"), (.ways, "enclave"):
                if seen.insert(member.id).inserted { area.ways.append(member.id) }
            case (.nodes, "label"): area.labelNode = member.id
            case (.nodes, "admin_centre"): area.labelNode = area.labelNode ?? member.id
            default: break
            }
        }
        if let node = area.labelNode {
            let position = addPosition()
            wanted.add(node, position: position)
            area.label = position
        }
        wantedWays.formUnion(area.ways)
        areas.append(area)
    }

    /// https://wiki.openstreetmap.org/wiki/Relation:associatedStreet
    private func addStreetRelation(_ members: [(member: MapMember, role: String)], _ tags: RegionTags) {
        var address = tags.address
        if address.street == 0 { address.street = tags[.name] }
        let relation = streetRelations.count
        streetRelations.append(StreetRelation(address: address))
        objects.counts.streetRelations += 1
        for (member, role) in members {
            switch (member.kind, role) {
            case (.nodes, "house"), (.nodes, "address"): streetsOfNodes[member.id] = relation
            case (.ways, "house"), (.ways, "address"): streetsOfWays[member.id] = relation
            case (.ways, "street") where address.street == 0:
                relationsOfStreets[member.id, default: []].append(relation)
                wantedWays.insert(member.id)
            default: break
            }
        }
    }
}

extension RegionPart {
    /// True if the tags from `start` have a type that gives houses a street.
    fileprivate func isStreetRelation(from start: Int) -> Bool {
        tags[start...].contains { tag in
            tag.key == .type
                && block.withText(tag.value) {
                    $0.elementsEqual("associatedStreet".utf8) || $0.elementsEqual("street".utf8)
                }
        }
    }
}
