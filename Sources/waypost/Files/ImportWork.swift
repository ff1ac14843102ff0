import Contacts
import Formats
import HTTP
import Processes
import Terminal

extension SourceImport {
    /// Imports with a progress bar, as one trace.
    func run(_ source: Source, in app: Application) async throws -> Outcome {
        let http = app.settings.providers.newClient()
        let server = try source.server(app.settings, http)
        try source.showReading()
        var bar = ProgressBar("Importing", total: nil, unit: server == nil ? .bytes : .count)
        defer { bar.erase() }
        let outcome = try await app.traced("import") {
            try await run(on: app.database, server: server) { progress in
                bar.update(
                    done: progress.bytesRead, total: progress.totalSize,
                    label: Words.count(progress.contacts, "contact"))
            }
        }
        await http.close()
        return outcome
    }
}

extension Source {
    /// Nil for a file.
    fileprivate func server(_ settings: Settings, _ http: HTTPClient) throws -> MonicaServer? {
        guard case .server(let url) = place else { return nil }
        guard let token = settings.monicaToken else {
            throw UsageError(
                "WAYPOST_MONICA_TOKEN is not set; create a token in Monica under Settings > API, and set it")
        }
        return MonicaServer(url: url, token: token, http: http)
    }
}

extension Source {
    /// Shows how a table is read, so that a mistake is noticed before any provider is called.
    func showReading() throws {
        for line in try TableReading.lines(of: self) { Screen.errors.writeLine(line) }
    }
}

extension Refusals {
    /// The most that are printed as text.
    private static let mostNamed = 20

    /// Writes the refused lines with their reasons, without their content.
    func write(to screen: Screen) {
        for entry in first.prefix(Self.mostNamed) {
            screen.writeLine("\(source), line \(entry.line): \(entry.reason)")
        }
        guard count > Self.mostNamed else { return }
        let rest = Readable.count(count - Self.mostNamed)
        screen.writeLine("and \(rest) more: \(report ?? "--report FILE") lists all")
    }
}
