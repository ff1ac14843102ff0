package import Formats

/// Cuts areas into the leaves of a quadtree.
package struct AreaCells {
    /// An area to cut. Its rings are made when they are needed.
    package struct Source: Sendable {
        let id: Int
        let box: GridBox
        let cornerCount: Int
        let rings: @Sendable () -> [[MapPosition]]

        /// `id` is not negative, and has 31 bits.
        package init(id: Int, rings: @escaping @Sendable () -> [[MapPosition]]) {
            let all = rings()
            (self.id, self.rings) = (id, rings)
            cornerCount = all.reduce(0) { $0 + $1.count }
            box = all.joined().reduce(into: GridBox()) { $0.add(GridPoint($1)) }
        }
    }

    /// An area, cut to a square.
    private struct Piece {
        let id: Int
        var rings: [[GridPoint]]
    }

    /// Above this number of corners, areas are not cut but only chosen by their boxes, which needs no memory.
    private static let mostCornersInMemory = 2_000_000
    private static let mostDepthOfChoice = 10

    private let sources: [Source]
    private let emit: (AreaCell) throws -> Void

    /// Calls `emit` with each leaf, in the order of their numbers. A square without areas has no leaf.
    package static func cut(_ sources: [Source], emit: (AreaCell) throws -> Void) throws {
        try withoutActuallyEscaping(emit) { emit in
            try AreaCells(sources: sources, emit: emit).choose(sources.indices.filter { _ in true }, in: .world)
        }
    }

    /// The areas of a region that are in `ids`, by their ids for the cells.
    package static func cut(
        _ objects: RegionObjects, ids: [Int: Int], emit: (AreaCell) throws -> Void
    ) throws {
        let sources = ids.sorted { $0.value < $1.value }.map { area, id in
            Source(id: id) { objects.rings(of: objects.areas[area]) }
        }
        try cut(sources, emit: emit)
    }

    private func choose(_ candidates: [Int], in square: CellSquare) throws {
        let candidates = candidates.filter { square.isTouched(by: sources[$0].box) }
        guard !candidates.isEmpty else { return }
        let cornerCount = candidates.reduce(0) { $0 + sources[$1].cornerCount }
        if cornerCount > Self.mostCornersInMemory, square.depth < Self.mostDepthOfChoice {
            for quarter in square.quarters { try choose(candidates, in: quarter) }
            return
        }
        let pieces = candidates.map { index in
            Piece(id: sources[index].id, rings: sources[index].rings().map { $0.map { GridPoint($0) } })
        }
        try cut(pieces.compactMap { Self.piece($0, in: square) }, inside: [], square)
    }

    /// Splits a square until each leaf has few corners.
    private func cut(_ pieces: [Piece], inside: [Int], _ square: CellSquare) throws {
        var inside = inside
        var cutPieces: [Piece] = []
        for var piece in pieces {
            let count = piece.rings.count
            piece.rings.removeAll { square.isFilled(by: $0) }
            let isFilled = (count - piece.rings.count) % 2 == 1
            if piece.rings.isEmpty {
                if isFilled { inside.append(piece.id) }
            } else {
                if isFilled { piece.rings.append(square.corners) }
                cutPieces.append(piece)
            }
        }
        let cornerCount = cutPieces.reduce(0) { $1.rings.reduce($0) { $0 + $1.count } }
        if cornerCount <= AreaCell.mostCorners || square.depth == AreaCell.mostDepth {
            guard !inside.isEmpty || !cutPieces.isEmpty else { return }
            return try emit(
                AreaCell(
                    cell: square.cell, depth: square.depth, inside: inside,
                    edge: AreaCell.edge(cutPieces.map { ($0.id, $0.rings) }, in: square)))
        }
        for quarter in square.quarters {
            try cut(cutPieces.compactMap { Self.piece($0, in: quarter) }, inside: inside, quarter)
        }
    }

    private static func piece(_ piece: Piece, in square: CellSquare) -> Piece? {
        let lines: [GridLine] = [
            .east(of: square.x), .west(of: square.maxX), .north(of: square.y), .south(of: square.maxY),
        ]
        let rings = piece.rings.compactMap { ring in
            let clipped = lines.reduce(ring) { $0.clipped(to: $1) }.cleaned(in: square)
            return clipped.isEmpty ? nil : clipped
        }
        return rings.isEmpty ? nil : Piece(id: piece.id, rings: rings)
    }
}
