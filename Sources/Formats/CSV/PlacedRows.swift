/// The rows of a table that wait for the places of their addresses. Each has a `Content`, as much of it as a copy needs.
struct PlacedRows<Reader: RecordReader, Content> {
    private(set) var source: ContactsTable<Reader>
    /// The number of the table's own columns, without those that an earlier copy has added.
    let ownCount: Int
    private let places: PlaceColumns
    private var rows: [Row] = []
    /// The contact of the previous row, the number of its addresses, and the number in the rows before.
    private var lastKey: String?
    private var lastCount = 0
    private var before = 0

    private struct Row {
        let content: Content
        /// Nil for a row that is not a contact.
        let key: String?
        /// For each address, the index of its group in the header.
        let groups: [Int]
        /// Addresses of the same contact in previous rows.
        let before: Int
        /// False for a subtotal or a repeated header: its new cells stay blank.
        let isContact: Bool
    }

    /// The rows of `source`, which must not have been read yet.
    init(of source: ContactsTable<Reader>, adding added: AddedColumns) {
        self.source = source
        places = PlaceColumns(adding: added)
        ownCount =
            source.columns.header.count - (source.hasHeader ? PlaceColumns.count(behind: source.columns) : 0)
    }

    /// The names of the columns to add.
    var names: [String] { places.names(beside: source.columns, own: ownCount) }

    /// Reads up to `limit` rows and returns the keys of their contacts; nil at the end.
    mutating func read(limit: Int, content: (ContactsTable<Reader>) -> Content) throws -> [String]? {
        rows.removeAll(keepingCapacity: true)
        while rows.count < limit, let entry = try source.nextRow() {
            switch entry {
            case .contact(_, let friend): keep(content(source), key: friend.sourceKey, groups: source.lastGroups)
            case .refused: keep(content(source), key: nil, groups: [])
            case .noted where !source.isContact: keep(content(source), key: nil, groups: [], isContact: false)
            case .noted: break
            }
        }
        return rows.isEmpty ? nil : rows.compactMap(\.key)
    }

    private mutating func keep(_ content: Content, key: String?, groups: [Int], isContact: Bool = true) {
        before = key != nil && key == lastKey ? before + lastCount : 0
        (lastKey, lastCount) = (key, groups.count)
        rows.append(Row(content: content, key: key, groups: groups, before: before, isContact: isContact))
    }

    /// The rows that were read last, each with its new cells.
    func filled(with found: [String: [ContactPlace]]) -> [(Content, [OutputColumn.Value])] {
        let count = source.columns.addresses.count
        return rows.map { row in
            var known = [ContactPlace?](repeating: nil, count: count)
            guard row.isContact else { return (row.content, places.cells(of: known)) }
            guard let key = row.key else { return (row.content, places.refusal(addresses: count)) }
            // If a field has several values, its columns get the place of the first one.
            for place in (found[key] ?? []).reversed() {
                let number = place.position - 1 - row.before
                if row.groups.indices.contains(number) { known[row.groups[number]] = place }
            }
            return (row.content, places.cells(of: known))
        }
    }
}
