/// The header has no column of an address.
struct UnknownHeader: Error, CustomStringConvertible {
    let header: [String]
    /// True if the name of a column is known.
    let hasName: Bool

    /// True if the first line looks like an address: it may be a contact, which is private, and not a header. Many a word
    /// is also the name of a small town.
    private var isContact: Bool {
        let fields = header.compactMap { ColumnContent.field(of: $0) }
        return !hasName && (fields.contains { $0 != .city } || fields.count > 1)
    }

    var description: String {
        if isContact {
            return """
                the first line is not a header, and no column is known as a part of an address
                  Name all columns, - for one to ignore: --columns name,street,city,-
                  Or add a first line: name,street,city,region,postcode,country
                """
        }
        let names = [header.first ?? "", header.dropFirst().first ?? header.first ?? ""].map { [$0].shown }
        return """
            no column is known as a part of an address
              found: \(header.shown)
              works: name,street,city,region,postcode,country
              Or write a file columns.txt with lines like these, and add --mapping columns.txt:
                street = \(names[0])
                city = \(names[1])
              Or, if the first line is not a header, name all columns: --columns name,street,city,-
            """
    }
}

/// A mapping names columns that the header lacks.
struct MissingColumns: Error, CustomStringConvertible {
    let mapping: String
    let rules: [ColumnMapping.Rule]
    let header: [String]

    var description: String {
        let lines = rules.map { "\n  \(mapping), line \($0.line): \([$0.column].shown)" }.joined()
        return "columns that the mapping names are missing from the header\(lines)\n  found: \(header.shown)"
    }
}

extension [String] {
    /// Shortened for an error message: a file may be anything, with a very long first line.
    var shown: String {
        let names = prefix(20).map { name in
            String(
                String.UnicodeScalarView(
                    name.unicodeScalars.prefix(40).filter { $0.properties.generalCategory != .control }))
        }
        let rest = count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
