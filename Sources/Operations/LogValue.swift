/// What a log field may hold: strings, integers, doubles, Booleans and durations.
///
/// Types of the domain don't conform, and shouldn't: then an address or a coordinate can't be logged by accident.
package protocol LogValue: Sendable {
    var logged: LoggedValue { get }
}

/// A field's value, ready to be written in any format.
package enum LoggedValue: Sendable, Equatable {
    case text(String)
    /// A number or a Boolean, as it stands in JSON too.
    case literal(String)
}

extension String: LogValue {
    package var logged: LoggedValue { .text(self) }
}

extension Bool: LogValue {
    package var logged: LoggedValue { .literal(self ? "true" : "false") }
}

extension Int: LogValue {
    package var logged: LoggedValue { .literal(description) }
}

extension Int32: LogValue {
    package var logged: LoggedValue { .literal(description) }
}

extension Int64: LogValue {
    package var logged: LoggedValue { .literal(description) }
}

extension Double: LogValue {
    /// JSON has no word for infinity, so what isn't finite is a text.
    package var logged: LoggedValue { isFinite ? .literal(description) : .text(description) }
}

extension Duration: LogValue {
    package var logged: LoggedValue { .text(text) }
}
