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
package typealias Page<Item, Next: JSONRepresentable> = ListPage<Item, Next, NextAfter>

/// A page of a list whose latest item comes first: `{"data": […], "next_before": …}`.
package typealias PageBefore<Item> = ListPage<Item, Int, NextBefore>

package enum NextAfter: PageLink { package static let name = "next_after" }
package enum NextBefore: PageLink { package static let name = "next_before" }

/// The member that leads to the next page.
package protocol PageLink { static var name: String { get } }

package struct ListPage<Item, Next: JSONRepresentable, Link: PageLink> {
    package let items: [Item]
    package let next: Next?

    package init(_ items: [Item], next: Next?) { (self.items, self.next) = (items, next) }

    /// The first `limit` items. `read` gets a limit that is one higher: one more item shows that there are more.
    package init(_ limit: Int, next: (Item) -> Next, _ read: (Int) throws -> [Item]) rethrows {
        let found = try read(limit + 1)
        items = Array(found.prefix(limit))
        self.next = found.count > limit ? items.last.map(next) : nil
    }

    /// The same page with its items in another form.
    package func showing<Other>(_ items: [Other]) -> ListPage<Other, Next, Link> { .init(items, next: next) }
}

extension ListPage: JSONRepresentable where Item: JSONRepresentable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.list("data", items) { $1.write(to: &$0) }
            json.member(Link.name) { next.write(to: &$0) }
        }
    }

    package static var schema: Schema {
        .object {
            Field("data", [Item].schema)
            Field(Link.name, Next?.schema)
        }
    }
}
