extension MapBlock {
    /// Calls `body` with each node of the block.
    package func forEachNode(_ body: (borrowing MapNode) throws -> Void) throws {
        var node = MapNode()
        try forEachGroup { group in
            while let (number, form) = try group.field() {
                switch number {
                case 1: try read(try group.message(form), into: &node, body)
                case 2: try readDense(try group.message(form), into: &node, body)
                default: try group.skip(form)
                }
            }
        }
    }

    private func read(
        _ message: WireCursor, into node: inout MapNode, _ body: (borrowing MapNode) throws -> Void
    ) throws {
        var message = message
        var (keys, values): (WireCursor?, WireCursor?)
        var (latitude, longitude) = (Int64(0), Int64(0))
        while let (number, form) = try message.field() {
            switch number {
            case 1: node.id = try message.signed(form)
            case 2: keys = try message.message(form)
            case 3: values = try message.message(form)
            case 8: latitude = try message.signed(form)
            case 9: longitude = try message.signed(form)
            default: try message.skip(form)
            }
        }
        try readTags(keys, values, into: &node.tags)
        node.position = grid.position(latitude: latitude, longitude: longitude)
        try body(node)
    }

    private func readDense(
        _ message: WireCursor, into node: inout MapNode, _ body: (borrowing MapNode) throws -> Void
    ) throws {
        var message = message
        var (ids, latitudes, longitudes, tags): (WireCursor?, WireCursor?, WireCursor?, WireCursor?)
        while let (number, form) = try message.field() {
            switch number {
            case 1: ids = try message.message(form)
            case 8: latitudes = try message.message(form)
            case 9: longitudes = try message.message(form)
            case 10: tags = try message.message(form)
            default: try message.skip(form)
            }
        }
        guard var ids, var latitudes, var longitudes else { return }
        var (id, latitude, longitude) = (Int64(0), Int64(0), Int64(0))
        // The field is absent if no node of the group has tags.
        var list = tags ?? WireCursor(UnsafeRawBufferPointer(start: nil, count: 0))
        while !ids.isAtEnd {
            try ids.add(to: &id)
            try latitudes.add(to: &latitude)
            try longitudes.add(to: &longitude)
            node.id = id
            node.position = grid.position(latitude: latitude, longitude: longitude)
            if !node.tags.isEmpty { node.tags.removeAll(keepingCapacity: true) }
            while !list.isAtEnd {
                let key = try list.varint()
                if key == 0 { break }
                node.tags.append(try tag(key, try list.varint()))
            }
            try body(node)
        }
    }

    /// Calls `body` with each way of the block.
    package func forEachWay(_ body: (borrowing MapWay) throws -> Void) throws {
        var way = MapWay()
        try forEachGroup { group in
            while let (number, form) = try group.field() {
                guard number == 3 else {
                    try group.skip(form)
                    continue
                }
                var message = try group.message(form)
                var (keys, values): (WireCursor?, WireCursor?)
                (way.id, way.packedNodes) = (0, nil)
                while let (number, form) = try message.field() {
                    switch number {
                    case 1: way.id = Int64(bitPattern: try message.number(form))
                    case 2: keys = try message.message(form)
                    case 3: values = try message.message(form)
                    case 8: way.packedNodes = try message.message(form)
                    default: try message.skip(form)
                    }
                }
                try readTags(keys, values, into: &way.tags)
                try body(way)
            }
        }
    }

    /// Calls `body` with each relation of the block.
    package func forEachRelation(_ body: (borrowing MapRelation) throws -> Void) throws {
        var relation = MapRelation()
        relation.textCount = textCount
        try forEachGroup { group in
            while let (number, form) = try group.field() {
                guard number == 4 else {
                    try group.skip(form)
                    continue
                }
                var message = try group.message(form)
                var (keys, values): (WireCursor?, WireCursor?)
                (relation.id, relation.roles, relation.ids, relation.kinds) = (0, nil, nil, nil)
                while let (number, form) = try message.field() {
                    switch number {
                    case 1: relation.id = Int64(bitPattern: try message.number(form))
                    case 2: keys = try message.message(form)
                    case 3: values = try message.message(form)
                    case 8: relation.roles = try message.message(form)
                    case 9: relation.ids = try message.message(form)
                    case 10: relation.kinds = try message.message(form)
                    default: try message.skip(form)
                    }
                }
                try readTags(keys, values, into: &relation.tags)
                try body(relation)
            }
        }
    }

    private func readTags(_ keys: WireCursor?, _ values: WireCursor?, into tags: inout [MapTag]) throws {
        tags.removeAll(keepingCapacity: true)
        guard var keys, var values else { return }
        while !keys.isAtEnd { tags.append(try tag(try keys.varint(), try values.varint())) }
    }

    @inline(__always)
    private func tag(_ key: UInt64, _ value: UInt64) throws(MapDamage) -> MapTag {
        guard key < UInt64(textCount), value < UInt64(textCount) else { throw .noText }
        return MapTag(key: UInt32(key), value: UInt32(value))
    }
}

extension WireCursor {
    fileprivate mutating func signed(_ form: Form) throws(MapDamage) -> Int64 {
        guard form == .varint else { throw MapDamage("a field has the wrong form") }
        return try signed()
    }
}
