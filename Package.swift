// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// One room. SwiftPM refuses other imports, and `.ci/check-rooms` checks the SQL.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil) -> Target {
    .target(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "waypost",
    // The libraries for apps need these versions for Duration and Collection.replacing. Servers run on Linux.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .executable(name: "waypost", targets: ["waypost"]),
        // Libraries for apps: they need only the toolchain.
        .library(name: "Geocoding", targets: ["Geocoding"]),
        .library(name: "Tracking", targets: ["Tracking"]),
    ],
    targets: [
        .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLzma", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "CEmbedded", exclude: ["assets"], cSettings: [.headerSearchPath("../../sql/seed")]),
        .target(name: "CWords", exclude: ["tables"]),
        .systemLibrary(name: "CLinux"),

        room("Processes", ["CLinux"]),
        room("Postgres", ["CLibpq", "CLinux", "Processes"]),
        room("JSON"),
        room("HTTP", ["CCurl", "CSSL", "CLinux", "CZlib", "Processes", "JSON"]),
        room("Terminal", ["Processes"]),
        room("Geocoding", ["CWords"]),
        room("Tracking"),
        room("Towns", ["CEmbedded", "CLzma", "Geocoding"]),
        .target(
            name: "Schema", dependencies: ["Postgres"], path: "sql",
            exclude: ["schema.sql", "seed"],
            resources: [
                .embedInCode("tables"), .embedInCode("migrations"), .embedInCode("functions"),
                .embedInCode("roles.sql"), .embedInCode("owner.sql"),
            ],
            swiftSettings: strict),
        room("Queue", ["Processes", "Postgres"]),
        room("Formats", ["CWords", "CExpat", "CZlib", "CEmbedded", "Processes", "HTTP", "JSON", "Geocoding", "Towns"]),
        room("Questions", ["Processes", "HTTP", "Postgres", "JSON", "Queue", "Geocoding"]),
        room("Contacts", ["Processes", "Postgres", "Queue", "Questions", "Geocoding", "Formats"]),
        room("Sinks", ["Processes", "HTTP", "Postgres", "JSON", "Queue", "Questions", "Tracking"]),
        room(
            "Locations",
            ["Processes", "Postgres", "JSON", "Queue", "Questions", "Geocoding", "Tracking", "Formats", "Sinks"]),
        room("Points", ["Postgres", "Queue", "Questions", "Geocoding", "Formats"]),
        .target(
            name: "Providers", dependencies: ["Processes", "HTTP", "JSON", "Geocoding", "Towns"],
            resources: [.embedInCode("Descriptions")], swiftSettings: strict),
        room(
            "Cluster",
            ["Postgres", "Processes", "HTTP", "Schema", "Queue", "Questions", "Contacts", "Locations", "Sinks"]),
        room("Access", ["Processes", "Postgres", "HTTP", "Queue"]),
        room(
            "Shapes",
            [
                "Access", "Processes", "JSON", "Queue", "Geocoding", "Questions", "Contacts", "Formats", "Locations",
                "Tracking",
            ]),
        room("Gateway", ["HTTP", "JSON", "Geocoding"]),
        .target(
            name: "API",
            dependencies: [
                "Access", "Gateway", "Processes", "Postgres", "HTTP", "JSON", "Queue", "Questions", "Contacts",
                "Geocoding",
                "Towns", "Formats", "Locations", "Sinks", "Shapes", "Tracking",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "waypost",
            dependencies: [
                "CEmbedded", "Access", "Postgres", "Processes", "Terminal", "Geocoding", "Schema", "Queue", "Questions",
                "Contacts", "Points", "Providers", "HTTP", "JSON", "Formats", "Locations", "Tracking", "Cluster", "API",
                "Towns", "Shapes", "Sinks",
            ],
            swiftSettings: strict,
            linkerSettings: [
                // Without exported symbols the linker can leave out more. gdb finds the debug information by the build
                // id. Packed relocations need glibc 2.36, and a linker that writes them: lld.
                .unsafeFlags(
                    [
                        "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "--build-id", "-Xlinker", "-z",
                        "-Xlinker", "pack-relative-relocs",
                    ], .when(platforms: [.linux], configuration: .release))
            ]),

        room("DatabaseTesting", ["Processes", "Postgres", "Schema"], path: "Tests/DatabaseTesting"),
        .target(
            name: "TrackingTesting", dependencies: ["Tracking"], path: "Tests/TrackingTesting",
            exclude: ["tracks.json"], swiftSettings: strict),
        .target(
            name: "ServerTesting", dependencies: ["Processes"], path: "Tests/ServerTesting",
            exclude: ["settable-clock.c"], swiftSettings: strict),
        tests(
            of: "Postgres",
            ["CLibpq", "Postgres", "Processes", "DatabaseTesting", "ExtremesTesting", "Polling", "ServerTesting"]),
        room("ExtremesTesting", path: "Tests/ExtremesTesting"),
        tests(of: "Processes", ["Processes", "ExtremesTesting", "Polling"]),
        room("HTTPTesting", ["Processes"], path: "Tests/HTTPTesting"),
        tests(of: "HTTP", ["HTTP", "HTTPTesting", "Processes", "Polling"]),
        tests(
            of: "Tracing",
            [
                "Access", "API", "Cluster", "Contacts", "Providers", "HTTP", "JSON", "Processes", "Postgres",
                "Queue", "Questions", "DatabaseTesting", "ExtremesTesting", "HTTPTesting", "JSONTesting", "Polling",
            ]),
        tests(of: "Terminal", ["Terminal", "Processes"]),
        tests(of: "Geocoding", ["CWords", "Geocoding"], exclude: ["address-hash.json", "house-distances.tsv"]),
        tests(of: "Tracking", ["Tracking", "TrackingTesting"]),
        tests(
            of: "Locations",
            [
                "Locations", "JSON", "Processes", "Questions", "Geocoding", "Tracking", "TrackingTesting",
                "DatabaseTesting", "ExtremesTesting", "ServerTesting",
            ]),
        tests(of: "Schema", ["Schema", "Postgres", "DatabaseTesting", "Polling"]),
        tests(
            of: "Queue", ["Queue", "Processes", "DatabaseTesting", "ExtremesTesting", "Polling"],
            exclude: ["slots.json"]),
        tests(
            of: "Questions", ["Questions", "Queue", "Geocoding", "DatabaseTesting"], exclude: ["Spellings"]),
        room("JSONTesting", path: "Tests/JSONTesting"),
        room("MapTesting", ["Processes"], path: "Tests/MapTesting"),
        room("Polling", ["Processes"], path: "Tests/Polling"),
        tests(of: "JSON", ["JSON", "JSONTesting"]),
        tests(of: "Shapes", ["Shapes", "JSON", "JSONTesting", "Queue"]),
        tests(
            of: "Formats",
            [
                "Formats", "Contacts", "JSON", "HTTP", "Processes", "DatabaseTesting", "ExtremesTesting", "HTTPTesting",
                "JSONTesting", "MapTesting",
            ],
            exclude: ["Samples", "Workbook/compare.py"]),
        tests(of: "Contacts", ["Contacts", "Questions", "Formats", "DatabaseTesting"]),
        tests(
            of: "Access",
            ["Access", "Contacts", "DatabaseTesting", "HTTP", "Polling", "Postgres", "Processes"]),
        tests(
            of: "API",
            [
                "API", "Access", "HTTP", "JSON", "Formats", "Contacts", "Questions", "Geocoding", "Queue", "Processes",
                "Postgres", "DatabaseTesting", "ExtremesTesting", "HTTPTesting", "JSONTesting", "Shapes",
                "TrackingTesting", "Polling",
            ]),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "API", "Access", "Cluster", "Contacts", "DatabaseTesting", "Gateway", "Geocoding", "HTTP",
                "HTTPTesting", "JSON",
                "MapTesting",
                "Points", "Polling", "Postgres", "Processes", "Providers", "Queue", "Questions", "Formats",
            ],
            resources: [.copy("nominatim.jsonl")], swiftSettings: strict),
        tests(
            of: "Providers",
            [
                "Providers", "CSSL", "HTTP", "Processes", "Geocoding", "ExtremesTesting", "HTTPTesting",
                "JSONTesting",
            ],
            exclude: ["Exchanges"]),
        room("SinkTesting", ["HTTPTesting", "JSON", "Processes", "Tracking"], path: "Tests/SinkTesting"),
        tests(
            of: "Sinks",
            [
                "Sinks", "HTTP", "JSON", "Postgres", "Processes", "Tracking", "DatabaseTesting", "ExtremesTesting",
                "HTTPTesting", "Polling", "SinkTesting",
            ]),
        tests(
            of: "Points",
            [
                "Points", "Cluster", "Contacts", "Formats", "Processes", "Postgres", "Questions", "Queue", "Geocoding",
                "Towns", "DatabaseTesting", "MapTesting", "Polling", "SpellingTesting",
            ]),
        tests(of: "Towns", ["Towns", "CLzma", "CZlib", "Geocoding"], exclude: ["towns.txt"]),
        tests(
            of: "Cluster",
            [
                "Cluster", "Providers", "Locations", "Sinks", "Tracking", "HTTP", "DatabaseTesting", "HTTPTesting",
                "Polling", "ServerTesting", "SinkTesting", "Questions",
            ]),
        room("SpellingTesting", ["Geocoding", "Questions"], path: "Tests/SpellingTesting"),
        tests(of: "RealNominatim", ["Cluster", "Providers", "HTTP", "Towns", "DatabaseTesting", "SpellingTesting"]),
        tests(of: "Chaos", ["Chaos", "Processes"]),
        tests(
            of: "Waypost",
            [
                "waypost", "HTTP", "Locations", "Questions", "Processes", "Postgres", "Queue", "Terminal", "Tracking",
                "DatabaseTesting", "ExtremesTesting", "HTTPTesting", "MapTesting", "Polling", "SinkTesting",
            ], exclude: ["Screens"]),

        .executableTarget(
            name: "SeedMaker", dependencies: ["CLzma", "CZlib", "Geocoding", "Towns"], path: "SeedMaker",
            swiftSettings: strict),
        .executableTarget(
            name: "Chaos",
            dependencies: [
                "Cluster", "Contacts", "HTTP", "Postgres", "Processes", "Queue", "Questions", "Schema", "ServerTesting",
            ],
            path: "Chaos", swiftSettings: strict),
        .executableTarget(
            name: "Fuzz", dependencies: ["Formats", "Gateway", "HTTP", "Points", "Questions", "Geocoding", "JSON"],
            path: "Fuzz",
            swiftSettings: strict),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Processes", "Postgres", "HTTP", "Geocoding", "Schema", "Queue", "Questions", "Formats", "Contacts",
                "Locations", "Tracking", "Cluster", "Access", "API", "Towns", "Points",
            ],
            path: "Benchmarks", exclude: ["gateway", "overview", "peers", "scale", "truth"], swiftSettings: strict),
    ]
)

// Rooms without loops that run for each address are made small. Apps don't use them: SwiftPM permits these flags only
// in the package at the root.
for target in package.targets
where [
    "API", "Access", "Cluster", "Locations", "Providers", "Shapes", "Sinks", "Terminal", "waypost",
].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
}

// TESTS=Queue,Cluster leaves out the tests of other rooms. See docs/contributing.md.
if let rooms = Context.environment["TESTS"]?.split(separator: ",") {
    package.targets.removeAll { $0.type == .test && !rooms.contains($0.name.dropLast("Tests".count)) }
}
