/// A type that a log field may have: strings, integers, doubles, Booleans and durations.
///
/// Types of the domain must not conform, so that an address or a coordinate can't be logged by accident.
package protocol LogValue: Sendable {
    var logged: LoggedValue { get }
}

/// A field's value, ready for any format.
package enum LoggedValue: Sendable, Equatable {
    case text(String)
    /// A number or a Boolean, as JSON writes it.
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
    /// JSON can't express infinity, so a value that isn't finite is a text.
    package var logged: LoggedValue { isFinite ? .literal(description) : .text(description) }
}

extension Duration: LogValue {
    package var logged: LoggedValue { .text(text) }
}
