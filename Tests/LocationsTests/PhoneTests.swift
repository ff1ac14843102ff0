import JSON
import Locations
import Testing
import Tracking

/// Messages as documented by the apps' projects.
struct PhoneTests {
    private func parsed(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test func `OwnTracks: a location is read, and other messages are skipped`() throws {
        // A message of an Android phone, from OwnTracks' booklet.
        let message = try parsed(
            """
            {"_type":"location","BSSID":"d8:47:32:aa:bb:cc","SSID":"home","_id":"1f2d3c4b","acc":14,"alt":59,"batt":87,"bs":1,
             "conn":"w","created_at":1700000003,"lat":60.1699,"lon":24.9384,"m":1,"t":"u","tid":"ad","topic":"owntracks/ada/pixel",
             "tst":1700000000,"vac":2,"vel":0}
            """)
        let received = try #require(OwnTracks.fix(in: message))
        #expect(received.device == "ad")
        #expect(
            try received.fix.get()
                == Fix(id: "1f2d3c4b", lat: 60.1699, lng: 24.9384, accuracy: 14, timestamp: 1_700_000_000))
        for other in [#"{"_type":"transition","lat":1,"lon":2}"#, #"{"_type":"lwt","tst":1}"#, "{}", "[]"] {
            #expect(try OwnTracks.fix(in: parsed(other)) == nil)
        }
    }

    @Test func `Overland: each feature of a batch is a fix`() throws {
        let batch = try parsed(
            """
            {"locations":[
              {"type":"Feature","geometry":{"type":"Point","coordinates":[-122.030581,37.331800]},
               "properties":{"timestamp":"2023-11-14T22:13:20Z","altitude":0,"speed":4,"horizontal_accuracy":30,
                 "vertical_accuracy":-1,"motion":["driving","stationary"],"pauses":false,"activity":"other_navigation",
                 "desired_accuracy":100,"deferred":1000,"significant_change":"disabled","locations_in_payload":1,
                 "battery_state":"charging","battery_level":0.89,"device_id":"ada","wifi":""}},
              {"type":"Feature","geometry":{"type":"Point","coordinates":[]},"properties":{"timestamp":"2023-11-14T22:13:20Z"}}],
             "current":{},"trip":{}}
            """)
        let received = try #require(Overland.fixes(in: batch))
        #expect(received.map(\.device) == ["ada", nil])
        #expect(
            try received[0].fix.get() == Fix(lat: 37.3318, lng: -122.030581, accuracy: 30, timestamp: 1_700_000_000))
        #expect(throws: ReceivedFix.Unusable(reason: "has no coordinates of two numbers")) { try received[1].fix.get() }
        #expect(try Overland.fixes(in: parsed("[]")) == nil)
    }

    @Test(arguments: [
        ["id": "ada", "lat": "60.17", "lon": "24.94", "timestamp": "1700000000", "hdop": "1.2", "altitude": "12"],
        ["id": "ada", "lat": "60.17", "lon": "24.94", "timestamp": "1700000000000", "accuracy": "9.5", "batt": "80"],
        ["deviceid": "ada", "location": "60.17,24.94", "timestamp": "2023-11-14T22:13:20Z", "valid": "true"],
        ["id": "ada", "lat": "60.17", "lon": "24.94", "timestamp": "2023-11-14 22:13:20", "speed": "3"],
        ["id": "ada", "lat": "60.17", "lon": "24.94"],
    ])
    func `OsmAnd: a query is a fix`(_ query: [String: String]) throws {
        let received = OsmAnd.fix(in: query.map { (name: $0.key, value: $0.value) }, now: 1_700_000_000)
        #expect(received.device == "ada")
        let accuracy = query["accuracy"].flatMap { Double($0) }
        #expect(try received.fix.get() == Fix(lat: 60.17, lng: 24.94, accuracy: accuracy, timestamp: 1_700_000_000))
    }

    @Test func `OsmAnd: the JSON of Traccar's client from version 9 on is read`() throws {
        let text = """
            {"location":{"timestamp":"2023-11-14T22:13:20.500Z","coords":{"latitude":60.17,"longitude":24.94,"accuracy":9,"speed":1,
             "heading":90,"altitude":5},"is_moving":true,"odometer":12,"event":"motionchange","uuid":"f-1",
             "battery":{"level":0.8,"is_charging":false},"activity":{"type":"walking"},"extras":{}},"device_id":"ada"}
            """
        let received = try #require(OsmAnd.fixes(in: parsed(text))?.first)
        #expect(received.device == "ada")
        #expect(
            try received.fix.get()
                == Fix(id: "f-1", lat: 60.17, lng: 24.94, accuracy: 9, timestamp: 1_700_000_000.5))
    }

    @Test(arguments: [
        (#"{"lng":1,"timestamp":1}"#, "has no lat"),
        (#"{"lat":"60","lng":1,"timestamp":1}"#, "has a lat that is not a number"),
        (#"{"lat":1,"lng":1}"#, "has no timestamp"),
        (
            #"{"lat":1,"lng":1,"timestamp":"yesterday"}"#,
            "has a timestamp that is neither a number nor a time such as 2026-11-22T15:00:00Z"
        ),
        (
            #"{"lat":1,"lng":1,"timestamp":1,"waitTime":3}"#,
            "has the member waitTime, which is not one of accuracy, id, lat, lng, timestamp, wait_time"
        ),
        (#"{"lat":1,"lng":1,"timestamp":1,"id":7}"#, "has an id that is not a text of at most 200 bytes"),
        ("7", "is not an object"),
    ])
    func `a wrong fix in our own form is refused with the reason`(_ text: String, _ reason: String) throws {
        let received = try ReceivedFix(parsed(text))
        #expect(throws: ReceivedFix.Unusable(reason: reason)) { try received.fix.get() }
    }

    @Test func `an app's own pending locations are accepted unchanged`() throws {
        let received = try ReceivedFix(
            parsed(
                """
                {"id":"a","user":"ada","lat":60.17,"lng":24.94,"accuracy":5,"timestamp":1700000000,"wait_time":90,
                 "uploaded":false,"removed":false,"fixes":[]}
                """))
        #expect(
            try received.fix.get()
                == Fix(id: "a", lat: 60.17, lng: 24.94, accuracy: 5, timestamp: 1_700_000_000, waitTime: 90))
    }
}
