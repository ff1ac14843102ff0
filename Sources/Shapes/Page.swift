package import JSON

/// The number of items in a page of a list, by default and at most.
package struct PageSize: Sendable {
    package let usual: Int
    package let most: Int

    /// Jobs, answers and questions, which a person goes through. Also the default of lists on the command line.
    package static let work = PageSize(usual: 50, most: 1_000)
    /// Friends, changes, trackers and acts.
    package static let records = PageSize(usual: 100, most: 1_000)
    /// The places of a map, and locations.
    package static let places = PageSize(usual: 1_000, most: 10_000)
    package static let towns = PageSize(usual: 10, most: 50)
    /// Lists in Monica's format.
    package static let monica = PageSize(usual: 10, most: 100)
}

/// A whole list as one response: `{"data": […]}`.
package struct List<Item: JSONRepresentable>: JSONRepresentable {
    let items: [Item]

    package init(_ items: [Item]) { self.items = items }

    package func write(to json: inout JSONWriter) {
        json.object { $0.list("data", items) { $1.write(to: &$0) } }
    }

    package static var schema: Schema { .object { Field("data", [Item].schema) } }
}

/// A page of a list: `{"data": […], "next_after": …}`. The second member is the `after` of the next page, or null.
package struct Page<Item: JSONRepresentable, Next: JSONRepresentable>: JSONRepresentable {
    let items: [Item]
    let next: Next?

    package init(_ items: [Item], next: Next?) { (self.items, self.next) = (items, next) }

    /// The first `limit` of `found`. One more than requested shows that there are more.
    package init(_ found: [Item], limit: Int, next: (Item) -> Next) {
        items = Array(found.prefix(limit))
        self.next = found.count > limit ? items.last.map(next) : nil
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.list("data", items) { $1.write(to: &$0) }
            json.member("next_after") { next.write(to: &$0) }
        }
    }

    package static var schema: Schema {
        .object {
            Field("data", [Item].schema)
            Field("next_after", Next?.schema)
        }
    }
}

/// A page of a list whose latest item comes first: `{"data": […], "next_before": …}`.
package struct PageBefore<Item: JSONRepresentable>: JSONRepresentable {
    let items: [Item]
    let next: Int?

    package init(_ items: [Item], next: Int?) { (self.items, self.next) = (items, next) }

    /// The first `limit` of `found`. One more than requested shows that there are more.
    package init(_ found: [Item], limit: Int, next: (Item) -> Int) {
        items = Array(found.prefix(limit))
        self.next = found.count > limit ? items.last.map(next) : nil
    }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.list("data", items) { $1.write(to: &$0) }
            json.member("next_before", next)
        }
    }

    package static var schema: Schema {
        .object {
            Field("data", [Item].schema)
            Field("next_before", Int?.schema)
        }
    }
}
