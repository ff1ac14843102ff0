import ExtremesTesting
import Locations
import Testing
import Tracking

/// The file formats of histories. The samples have the structure of real files, with made-up positions.
struct HistoryFileTests {
    @Test func `points of GPX 1.1 are read in order, with their lines`() throws {
        let found = try read(
            .gpx,
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- made by hand > with <signs> -->
            <gpx version="1.1" creator="a &amp; b" xmlns="http://www.topografix.com/GPX/1/1">
              <metadata><time>2020-01-01T00:00:00Z</time></metadata>
              <wpt lat="60.1" lon="24.1"><name>A &lt;place&gt;</name><time>2023-05-01T06:00:00Z</time></wpt>
              <trk><name><![CDATA[A <trk> & more]]></name><trkseg>
                <trkpt lat="60.17" lon="24.94"><ele>12.5</ele><time>2023-05-01T08:00:00Z</time></trkpt>
                <trkpt lon='24.95' lat='60.18'>
                  <time>2023-05-01T10:00:10.250+02:00</time>
                  <extensions><gpxtpx:hr xmlns:gpxtpx="urn:x">80</gpxtpx:hr><time>1999-01-01T00:00:00Z</time></extensions>
                </trkpt>
              </trkseg></trk>
              <rte><rtept lat="-33.5" lon="-70.25"><time> 2023-05-02T08:00:00 </time></rtept></rte>
            </gpx>
            """)
        #expect(
            found == [
                .fix(line: 5, Fix(lat: 60.1, lng: 24.1, timestamp: 1_682_920_800)),
                .fix(line: 7, Fix(lat: 60.17, lng: 24.94, timestamp: 1_682_928_000)),
                .fix(line: 8, Fix(lat: 60.18, lng: 24.95, timestamp: 1_682_928_010.25)),
                .fix(line: 13, Fix(lat: -33.5, lng: -70.25, timestamp: 1_683_014_400)),
            ])
    }

    @Test func `a point of GPX 1.0 with a prefix is read`() throws {
        let found = try read(
            .gpx,
            """
            <g:gpx version="1.0" xmlns:g="http://www.topografix.com/GPX/1/0"><g:trk><g:trkseg>\
            <g:trkpt lat="1" lon="2"><g:time>2023-05-01T08:00:00Z</g:time><g:speed>1</g:speed></g:trkpt>\
            </g:trkseg></g:trk></g:gpx>
            """)
        #expect(found == [.fix(line: 1, Fix(lat: 1, lng: 2, timestamp: 1_682_928_000))])
    }

    @Test(arguments: [
        (#"<trkpt lat="1" lon="2"/>"#, "has no time"),
        (#"<trkpt lat="1" lon="2"><time></time></trkpt>"#, "has no time"),
        (#"<trkpt lat="1"><time>2023-05-01T08:00:00Z</time></trkpt>"#, "has no lat and lon that are numbers"),
        (#"<trkpt lat="1,5" lon="2"><time>2023-05-01T08:00:00Z</time></trkpt>"#, "has no lat and lon that are numbers"),
        (
            #"<trkpt lat="1" lon="2"><time>May 1st</time></trkpt>"#,
            "has a time that is not one such as 2026-11-22T15:00:00Z"
        ),
    ]) func `a bad point is refused, and later ones are read`(_ point: String, _ reason: String) throws {
        let good = #"<trkpt lat="3" lon="4"><time>2023-05-01T08:00:00Z</time></trkpt>"#
        #expect(
            try read(.gpx, "<gpx><trk><trkseg>\n\(point)\n\(good)</trkseg></trk></gpx>") == [
                .refused(line: 2, reason: reason), .fix(line: 3, Fix(lat: 3, lng: 4, timestamp: 1_682_928_000)),
            ])
    }

    @Test(arguments: [
        ("<kml></kml>", "line 1: the first element is kml and not gpx"),
        ("<gpx><trk>\n", "line 2: the XML ends in the middle"),
        ("<gpx><trk></gpx>", "line 1: it is not XML: mismatched tag"),
        ("<gpx></gpx><gpx></gpx>", "line 1: it is not XML: junk after document element"),
        ("<gpx></gpx>more", "line 1: it is not XML: junk after document element"),
        (
            #"<!DOCTYPE gpx [<!ENTITY a "b">]><gpx></gpx>"#,
            "line 1: the XML declares entities of its own, which are not read"
        ),
        ("<gpx><time></gpx", "line 1: the XML ends in the middle"),
        ("<gpx><trkpt lat=1></trkpt></gpx>", "line 1: it is not XML: not well-formed (invalid token)"),
        ("<gpx><!-- \n...", "line 1: the XML ends in the middle"),
        ("", "line 1: the XML ends in the middle"),
        ("<gpx>\n<name>a & b</name></gpx>", "line 2: it is not XML: not well-formed (invalid token)"),
        ("<gpx><name>&a;</name></gpx>", "line 1: it is not XML: undefined entity"),
        (
            String(repeating: "<gpx>", count: 201) + String(repeating: "</gpx>", count: 201),
            "line 1: elements are nested deeper than 200"
        ),
        ("<gpx><trk a=\"" + String(repeating: " ", count: 2 << 20), "line 1: a tag is too long"),
        (
            "<gpx><wpt><time>\n" + String(repeating: "9", count: 2 << 20) + "</time></wpt></gpx>",
            "line 2: a text is too long"
        ),
    ]) func `a file that is not GPX ends in an error with its line`(_ text: String, _ sentence: String) {
        #expect { try read(.gpx, text) } throws: { "\($0)" == sentence }
    }

    @Test func `the points in front of an error are read`() throws {
        var reader = reader(.gpx, #"<gpx><wpt lat="1" lon="2"><time>2023-05-01T08:00:00Z</time></wpt>"#.utf8)
        #expect(try reader.next() == .fix(line: 1, Fix(lat: 1, lng: 2, timestamp: 1_682_928_000)))
        for _ in 1...2 { #expect(throws: (any Error).self) { try reader.next() } }
    }

    @Test(arguments: ["", #"<?xml version="1.0" encoding="windows-1252"?>"#, #"<!DOCTYPE gpx SYSTEM "gpx.dtd">"#])
    func `bytes that are not UTF-8, a declared encoding and a document type do no harm`(_ head: String) throws {
        let bytes =
            Array("\(head)<gpx><wpt lat='1' lon='2'><name>".utf8) + [0x80, 0xE4, 0xFF]
            + Array("ä</name><time>2023-05-01T08:00:00Z</time></wpt></gpx>".utf8)
        #expect(try read(.gpx, bytes) == [.fix(line: 1, Fix(lat: 1, lng: 2, timestamp: 1_682_928_000))])
    }

    @Test func `Records.json is read in the forms of different years`() throws {
        let found = try read(
            .records,
            """
            {"locations": [
            {"latitudeE7": 601700000, "longitudeE7": 249400000, "accuracy": 20, "source": "WIFI", "deviceTag": -123,
             "activity": [{"activity": [{"type": "STILL", "confidence": 100}], "timestamp": "2023-05-01T07:00:00Z"}],
             "timestamp": "2023-05-01T08:00:00.123Z"},
            {"timestampMs": "1682928060000", "latitudeE7": 601800000, "longitudeE7": 249500000, "accuracy": 5},
            {"timestampMs": "1682928060000", "latitudeE7": -335000000, "longitudeE7": 3592467296},
            {"source": "GPS", "timestamp": "2023-05-01T08:01:00Z"},
            {"latitudeE7": "x", "longitudeE7": 1, "timestamp": "2023-05-01T08:01:00Z"}
            ], "settings": {"locations": [1]}}
            """)
        #expect(
            found == [
                .fix(line: 2, Fix(lat: 60.17, lng: 24.94, accuracy: 20, timestamp: 1_682_928_000.123)),
                .fix(line: 5, Fix(lat: 60.18, lng: 24.95, accuracy: 5, timestamp: 1_682_928_060)),
                .fix(line: 6, Fix(lat: -33.5, lng: -70.25, timestamp: 1_682_928_060)),
                .refused(line: 7, reason: "has no latitudeE7"),
                .refused(line: 8, reason: "has a latitudeE7 that is not a number"),
            ])
    }

    @Test func `a month of Semantic Location History has visits and journeys`() throws {
        let found = try read(
            .semantic,
            """
            {"timelineObjects": [
            {"placeVisit": {"location": {"latitudeE7": 601700000, "longitudeE7": 249400000, "placeId": "a", "name": "Home"},
              "duration": {"startTimestamp": "2023-05-01T08:00:00Z", "endTimestamp": "2023-05-01T09:00:00Z"},
              "simplifiedRawPath": {"points": []}}},
            {"activitySegment": {"startLocation": {"latitudeE7": 601700000, "longitudeE7": 249400000},
              "endLocation": {"latitudeE7": 601900000, "longitudeE7": 249600000},
              "duration": {"startTimestampMs": "1682931600000", "endTimestampMs": "1682932200000"},
              "waypointPath": {"waypoints": [{"latE7": 1, "lngE7": 2}]},
              "simplifiedRawPath": {"points": [
                {"latE7": 601800000, "lngE7": 249500000, "accuracyMeters": 7, "timestamp": "2023-05-01T09:05:00Z"}]}}},
            {"activitySegment": {"startLocation": {}, "endLocation": {}, "duration": {}}}
            ]}
            """)
        #expect(
            found == [
                .fix(line: 2, Fix(lat: 60.17, lng: 24.94, timestamp: 1_682_928_000, waitTime: 3_600)),
                .fix(line: 5, Fix(lat: 60.17, lng: 24.94, timestamp: 1_682_931_600)),
                .fix(line: 5, Fix(lat: 60.18, lng: 24.95, accuracy: 7, timestamp: 1_682_931_900)),
                .fix(line: 5, Fix(lat: 60.19, lng: 24.96, timestamp: 1_682_932_200)),
            ])
    }

    @Test func `Timeline.json of an Android phone has segments and raw signals`() throws {
        let found = try read(
            .timeline,
            """
            {"semanticSegments": [
            {"startTime": "2023-05-01T10:00:00.000+02:00", "endTime": "2023-05-01T12:00:00.000+02:00",
             "timelinePath": [{"point": "60.17°, 24.94°", "time": "2023-05-01T10:01:00.000+02:00"},
                              {"point": "60.17°", "time": "2023-05-01T10:02:00.000+02:00"}]},
            {"startTime": "2023-05-01T12:00:00.000+02:00", "endTime": "2023-05-01T13:00:00.000+02:00",
             "startTimeTimezoneUtcOffsetMinutes": 120,
             "visit": {"hierarchyLevel": 0, "probability": 0.9, "topCandidate": {"placeId": "a", "semanticType": "HOME",
               "probability": 0.4, "placeLocation": {"latLng": "-33.5°, -70.25°"}}}},
            {"startTime": "2023-05-01T13:00:00.000+02:00", "endTime": "2023-05-01T14:00:00.000+02:00",
             "activity": {"start": {"latLng": "60.1°, 24.1°"}, "end": {"latLng": "60.2°, 24.2°"}, "distanceMeters": 1}},
            {"startTime": "2023-05-01T14:00:00.000+02:00", "endTime": "2023-05-01T15:00:00.000+02:00",
             "timelineMemory": {"trip": {}}}
            ], "rawSignals": [
            {"position": {"LatLng": "60.3°, 24.3°", "accuracyMeters": 13, "altitudeMeters": 5.5, "source": "WIFI",
              "timestamp": "2023-05-01T16:00:00.000+02:00", "speedMetersPerSecond": 0.1}},
            {"wifiScan": {"deliveryTime": "2023-05-01T16:00:00.000+02:00", "devicesRecords": []}}
            ], "userLocationProfile": {"frequentPlaces": [{"placeLocation": "60°, 24°"}]}}
            """)
        #expect(
            found == [
                .fix(line: 2, Fix(lat: 60.17, lng: 24.94, timestamp: 1_682_928_060)),
                .refused(line: 2, reason: "has a point that is not two numbers of degrees"),
                .fix(line: 5, Fix(lat: -33.5, lng: -70.25, timestamp: 1_682_935_200, waitTime: 3_600)),
                .fix(line: 9, Fix(lat: 60.1, lng: 24.1, timestamp: 1_682_938_800)),
                .fix(line: 9, Fix(lat: 60.2, lng: 24.2, timestamp: 1_682_942_400)),
                .fix(line: 14, Fix(lat: 60.3, lng: 24.3, accuracy: 13, timestamp: 1_682_949_600)),
            ])
    }

    @Test func `Timeline.json of an iPhone is a list with geo URIs`() throws {
        let found = try read(
            .timelineList,
            """
            [
            {"endTime": "2023-05-01T13:00:00.000+02:00", "startTime": "2023-05-01T12:00:00.000+02:00",
             "visit": {"hierarchyLevel": "0", "topCandidate": {"probability": "0.4", "semanticType": "Home",
               "placeID": "a", "placeLocation": "geo:-33.500000,-70.250000"}, "probability": "0.9"}},
            {"endTime": "2023-05-01T14:00:00.000+02:00", "startTime": "2023-05-01T13:00:00.000+02:00",
             "activity": {"start": "geo:60.1,24.1", "end": "geo:60.2,24.2", "distanceMeters": "10.5"}},
            {"endTime": "2023-05-01T16:00:00.000Z", "startTime": "2023-05-01T14:00:00.000Z",
             "timelinePath": [{"point": "geo:60.3,24.3", "durationMinutesOffsetFromStartTime": "12"},
                              {"point": "geo:60.4,24.4", "durationMinutesOffsetFromStartTime": "soon"}]}
            ]
            """)
        #expect(
            found == [
                .fix(line: 2, Fix(lat: -33.5, lng: -70.25, timestamp: 1_682_935_200, waitTime: 3_600)),
                .fix(line: 5, Fix(lat: 60.1, lng: 24.1, timestamp: 1_682_938_800)),
                .fix(line: 5, Fix(lat: 60.2, lng: 24.2, timestamp: 1_682_942_400)),
                .fix(line: 7, Fix(lat: 60.3, lng: 24.3, timestamp: 1_682_950_320)),
                .refused(line: 7, reason: "has a durationMinutesOffsetFromStartTime that is not a number"),
            ])
    }

    @Test func `locations of an OwnTracks recording are read, and other messages skipped`() throws {
        let found = try read(
            .ownTracks,
            [
                #"2023-05-01T08:00:01Z\#t*                 \#t{"_type":"location","lat":60.17,"lon":24.94,"tst":1682928000,"acc":5,"tid":"aa","_id":"x1"}"#,
                #"2023-05-01T08:00:02Z\#tlwt               \#t{"_type":"lwt","tst":1682928000}"#,
                #"2023-05-01T08:00:03Z\#t*                 \#t{"_type":"location","lat":60.17,"tst":1682928000}"#,
                #"2023-05-01T08:00:04Z\#t*                 \#t{"_type":"location""#,
                "half a line", "",
            ].joined(separator: "\n"))
        #expect(
            found == [
                .fix(line: 1, Fix(id: "x1", lat: 60.17, lng: 24.94, accuracy: 5, timestamp: 1_682_928_000)),
                .refused(line: 3, reason: "has no lon"), .refused(line: 4, reason: "is not JSON"),
                .refused(line: 5, reason: "is on a line without time, tab, kind, tab, message"),
            ])
    }

    @Test(arguments: [
        (#"<?xml version="1.0"?><gpx version="1.1">"#, HistoryFormat.gpx),
        ("\u{FEFF}\n<g:gpx xmlns:g='x'>", .gpx),
        (#"{ "locations": [ { "latitudeE7": 1"#, .records),
        (#"{"locations":[{"timestampMs":"1"#, .records),
        (#"{"timelineObjects": [{"#, .semantic),
        (#"{"semanticSegments": ["#, .timeline),
        (#"{"rawSignals": ["#, .timeline),
        (#"[{"endTime": "x", "startTime": "y", "visit""#, .timelineList),
        ("2015-08-18T07:33:44Z\t*                 \t{\"_type\"", .ownTracks),
        (#"{"type":"FeatureCollection","features":[]}"#, nil),
        ("name,street\nAda,Main St", nil), ("BEGIN:VCARD", nil), ("<kml>", nil), ("", nil),
        (#"{"locations":[{"name":"a"}]}"#, nil), (#"[{"name":"activity"}]"#, nil),
    ]) func `the format is detected from the first bytes`(_ beginning: String, _ format: HistoryFormat?) {
        #expect(HistoryFormat(beginning: Array(beginning.utf8)) == format)
    }

    @Test func `chunks of any size give the same fixes`() throws {
        let gpx = """
            <?xml version="1.0"?><!-- a --><gpx><trk><name><![CDATA[x]]></name><trkseg><trkpt lat="1" lon="2"><time>\
            2023-05-01T08:00:00&#90;</time></trkpt></trkseg></trk></gpx>
            """
        let expected = try read(.gpx, gpx)
        #expect(expected == [.fix(line: 1, Fix(lat: 1, lng: 2, timestamp: 1_682_928_000))])
        for size in 1...9 { #expect(try read(.gpx, gpx, inPiecesOf: size) == expected) }
    }

    private func read(_ format: HistoryFormat, _ text: String, inPiecesOf size: Int = .max) throws -> [HistoryEntry] {
        try read(format, Array(text.utf8), inPiecesOf: size)
    }

    private func read(_ format: HistoryFormat, _ bytes: [UInt8], inPiecesOf size: Int = .max) throws -> [HistoryEntry] {
        var reader = reader(format, bytes, inPiecesOf: size)
        var found: [HistoryEntry] = []
        while let entry = try reader.next() { found.append(entry) }
        return found
    }
}

/// Reads a text or other bytes as if they were a file.
private func reader(_ format: HistoryFormat, _ bytes: some Sequence<UInt8>, inPiecesOf size: Int = .max)
    -> any HistoryReader
{
    var rest = Array(bytes)[...]
    return format.reader { buffer in
        let piece = rest.prefix(min(buffer.count, size))
        buffer.copyBytes(from: piece)
        rest.removeFirst(piece.count)
        return piece.count
    }
}

/// A number in a history may be anything. It is a fix that can be true, or it is refused.
struct ExtremeHistoryTests {
    private static let samples: [(format: HistoryFormat, text: String)] = [
        (
            .gpx,
            """
            <?xml version="1.0"?><gpx version="1.1"><trk><trkseg><trkpt lat="60.17" lon="24.94"><ele>12.5</ele>\
            <time>2023-05-01T08:00:00.25+02:00</time></trkpt></trkseg></trk><wpt lat="&#54;0.1" lon="24.1">\
            <time>2023-05-01T06:00:00Z</time></wpt></gpx>
            """
        ),
        (
            .records,
            """
            {"locations": [{"latitudeE7": 601700000, "longitudeE7": 249400000, "accuracy": 20, "timestampMs": "1682920800000"},
            {"latitudeE7": 601700000, "longitudeE7": 4294967000, "timestamp": "2023-05-01T06:00:00Z"}]}
            """
        ),
        (
            .timeline,
            """
            {"semanticSegments": [{"startTime": "2023-05-01T06:00:00.000+02:00", "endTime": "2023-05-01T08:00:00.000+02:00",
            "timelinePath": [{"point": "60.17°, 24.94°", "durationMinutesOffsetFromStartTime": "5"}]},
            {"startTime": 1682920800, "endTime": 1682920900, "visit": {"topCandidate": {"placeLocation": {"latLng": "60.1°, 24.9°"}}}}]}
            """
        ),
        (
            .ownTracks,
            "2023-05-01T06:00:00Z\t*                 \t{\"_type\":\"location\",\"lat\":60.17,\"lon\":24.94,\"tst\":1682920800,\"acc\":9}\n"
        ),
    ]

    @Test(arguments: 0..<samples.count) func `each number may be extreme`(_ index: Int) throws {
        let (format, text) = Self.samples[index]
        #expect(try fixes(format, text).count > 0)
        for variant in Extremes.variants(of: text, each: Extremes.numbers.count) {
            for fix in (try? fixes(format, variant)) ?? [] {
                #expect(fix.timestamp >= 946_684_800 && fix.timestamp + fix.waitTime <= Self.now + 300, "\(variant)")
                #expect(abs(fix.lat) <= 90 && abs(fix.lng) <= 180, "\(variant)")
            }
        }
    }

    private static let now = 1_795_000_000.0

    private func fixes(_ format: HistoryFormat, _ text: String) throws -> [Fix] {
        var reader = reader(format, text.utf8)
        var fixes: [Fix] = []
        while let entry = try reader.next() {
            guard case .fix(_, let fix) = entry, TrackingRule().problem(of: fix, now: Self.now) == nil else { continue }
            fixes.append(fix)
        }
        return fixes
    }
}
