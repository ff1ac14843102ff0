import API
import Foundation
import Processes
import Testing

@testable import waypost

/// The parts of a process's environment that `/v1/settings` may show.
struct ShownSettingsTests {
    @Test func `a secret is shown only as set`() throws {
        let secrets = [
            "DATABASE_URL": "postgresql://ada:canary@db/x", "WAYPOST_DIRECT_URL": "postgresql://ada:canary@db/x",
            "WAYPOST_READ_URL": "postgresql://ada:canary@db/x",
            "WAYPOST_NOMINATIM_URL": "http://n.example/canary",
            "WAYPOST_CONTACT": "canary@example.org", "WAYPOST_SEALING_KEYS": String(repeating: "5eed", count: 16),
            "WAYPOST_MONICA_TOKEN": "canary", "WAYPOST_PELIAS_KEY": "canary", "WAYPOST_GOOGLE_KEY": "canary",
            "WAYPOST_OPENCAGE_KEY": "canary", "WAYPOST_GEOAPIFY_KEY": "canary", "WAYPOST_LOCATIONIQ_KEY": "canary",
            "WAYPOST_HERE_KEY": "canary", "WAYPOST_MAPBOX_KEY": "canary", "WAYPOST_GEOCODIO_KEY": "canary",
        ]
        let shown = try Settings(environment: secrets.merging(["WAYPOST_CONNECTIONS": "7"]) { $1 }).shown
        for setting in shown where secrets.keys.contains(setting.name) {
            #expect(setting.isSecret && setting.isSet && setting.value == nil, "\(setting.name)")
        }
        #expect(Set(shown.map(\.name)).isSuperset(of: secrets.keys))
        for setting in shown { #expect(setting.value?.contains(/canary|5eed/) != true, "\(setting.name)") }
        let connections = shown.first { $0.name == "WAYPOST_CONNECTIONS" }
        #expect(connections?.value == "7" && connections?.isSet == true)
        #expect(shown.first { $0.name == "WAYPOST_STOP_LIMIT" }?.value == "25s")
        #expect(shown.first { $0.name == "WAYPOST_STOP_LIMIT" }?.isSet == false)
    }

    @Test func `each secret may come from a file, and is shown as set`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let names = try Settings(environment: [:]).shown.filter(\.isSecret).map(\.name).filter {
            $0.contains(/_KEY$|_KEYS$|TOKEN|DATABASE_URL$|DIRECT_URL$|READ_URL$/)
        }
        #expect(names.count == 14)
        for name in names {
            // A database is checked for the form of its URL.
            let text = name.hasSuffix("_URL") ? "postgresql://canary@db/x" : String(repeating: "5eed", count: 16)
            try Data(text.utf8).write(to: URL(filePath: path))
            let shown = try Settings(environment: ["\(name)_FILE": path]).shown.first { $0.name == name }
            #expect(shown?.isSet == true, "\(name)")
            let error = #expect(throws: SettingsError.self) {
                try Settings(environment: ["\(name)_FILE": path, name: "x"])
            }
            #expect(error?.mistakes == ["\(name) and \(name)_FILE are both set; keep one of them"])
        }
    }

    @Test func `proxies and other sites are shown as they are set, and mistakes in them are reported`() throws {
        let environment = [
            "WAYPOST_CONNECTIONS_PER_ADDRESS": "64", "WAYPOST_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8",
            "WAYPOST_CLIENT_ADDRESS_HEADER": "CF-Connecting-IP", "WAYPOST_ALLOWED_ORIGINS": "https://app.example.org",
        ]
        let settings = try Settings(environment: environment)
        for (name, value) in environment {
            let shown = settings.shown.first { $0.name == name }
            #expect(shown?.value == value && shown?.isSet == true, "\(name)")
        }
        #expect(settings.server.trustedProxies != nil && settings.server.allowedOrigins != nil)
        let error = #expect(throws: SettingsError.self) {
            try Settings(environment: [
                "WAYPOST_CONNECTIONS_PER_ADDRESS": "2", "WAYPOST_TRUSTED_PROXIES": "proxy.example",
                "WAYPOST_CLIENT_ADDRESS_HEADER": "no header", "WAYPOST_ALLOWED_ORIGINS": "app.example.org",
            ])
        }
        for name in environment.keys { #expect(error?.mistakes.contains { $0.contains(name) } == true, "\(name)") }
        // Without trusted proxies any client could send the header.
        #expect(throws: SettingsError.self) {
            try Settings(environment: ["WAYPOST_CLIENT_ADDRESS_HEADER": "CF-Connecting-IP"])
        }
    }

    @Test func `a setting named like a secret is a secret`() throws {
        let shown = try Settings(environment: [:]).shown
        for setting in shown where setting.name.contains(/_KEY$|_KEYS$|TOKEN|PASSWORD|SECRET|_URL$/) {
            #expect(setting.isSecret || setting.name == "WAYPOST_TLS_KEY", "\(setting.name)")
        }
    }
}
