/// An operation with its start and its end.
///
/// It must contain no data of a contact: no name, no address, no coordinate. Traces are copied to systems where the
/// contacts' consent does not apply.
package struct Span: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// The numbers are defined by OTLP.
    package enum Kind: Int, Sendable {
        case `internal` = 1
        case server = 2
        case client = 3
        case producer = 4
        case consumer = 5
    }

    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Int)
    }

    package let context: SpanContext
    package let parent: SpanContext?
    /// True if the parent is in another process.
    package let isParentRemote: Bool
    package let name: String
    package let kind: Kind
    package let start: Instant
    package var end: Instant
    package var attributes: [(name: String, value: Value)]
    /// Related spans of other traces.
    package var links: [SpanContext] = []
    package var hasFailed = false

    package init(
        _ name: String, _ kind: Kind, _ context: SpanContext, under parent: SpanContext?, isParentRemote: Bool = false,
        from start: Instant, to end: Instant = .now, attributes: [(name: String, value: Value)] = []
    ) {
        self.context = context
        self.parent = parent
        self.isParentRemote = isParentRemote
        self.name = name
        self.kind = kind
        self.start = start
        self.end = end
        self.attributes = attributes
    }
}

extension Span.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .number(number) }
}
