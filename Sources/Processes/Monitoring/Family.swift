/// A counter, a gauge or a histogram.
package protocol Instrument: Sendable {
    /// Prometheus' name for the type.
    static var typeName: String { get }

    /// The current samples, each with the additions to its name and labels.
    var samples: [Sample] { get }
}

/// An instrument that shows the last value that was set.
package protocol SettableInstrument: Instrument {
    func set(_ value: Double)
}

/// One number of an instrument. A histogram has one for each bucket and two more; any other instrument has one.
package struct Sample: Sendable {
    var suffix = ""
    var label: (name: String, value: String)?
    var value: Double
}

/// All instruments of one name, one for each combination of the labels' values.
package final class Family<Kind: Instrument>: Sendable {
    let name: String
    let help: String
    let labels: [String]
    private let make: @Sendable () -> Kind
    /// Distinguishes families of the same kind and labels: a histogram's buckets.
    let detail: [Double]
    private let instruments = Locked<[[String]: Kind]>([:])

    init(
        name: String, help: String, labels: [String], detail: [Double] = [], make: @escaping @Sendable () -> Kind
    ) {
        for word in [name] + labels {
            precondition(isMetricName(word), "no metric or label can be called \"\(word)\": a-z, 0-9 and _ only")
        }
        self.name = name
        self.help = help
        self.labels = labels
        self.detail = detail
        self.make = make
    }

    /// Every instrument by its labels' values.
    var all: [[String]: Kind] { instruments.withLock { $0 } }

    /// The instrument for these values of the labels, in the order in which the labels were declared.
    ///
    /// Code that counts thousands of times a second should store the instrument: the look-up takes a lock, the update
    /// doesn't.
    package subscript(_ values: String...) -> Kind {
        precondition(values.count == labels.count, "metric \(name) takes a value for each of its labels: \(labels)")
        return instruments.withLock { instruments in
            let instrument = instruments[values] ?? make()
            instruments[values] = instrument
            return instrument
        }
    }
}

extension Family where Kind: SettableInstrument {
    /// Exports exactly these values: other series of the family are dropped. The keys are values of the labels.
    package func replace(by values: [[String]: Double]) {
        precondition(
            values.keys.allSatisfy { $0.count == labels.count },
            "metric \(name) takes a value for each of its labels: \(labels)")
        instruments.withLock { instruments in
            instruments = instruments.filter { values[$0.key] != nil }
            for (key, value) in values {
                let instrument = instruments[key] ?? make()
                instrument.set(value)
                instruments[key] = instrument
            }
        }
    }
}

/// A family of any kind, as the registry stores it.
protocol MetricFamily: Sendable {
    var signature: String { get }
    var text: String { get }
}

private func isMetricName(_ word: String) -> Bool {
    word.first?.isLetter == true
        && word.utf8.allSatisfy { letter in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= letter || UInt8(ascii: "0")...UInt8(ascii: "9") ~= letter
                || letter == UInt8(ascii: "_")
        }
}
