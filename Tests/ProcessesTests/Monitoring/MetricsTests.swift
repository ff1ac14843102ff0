import Glibc
import Processes
import Testing

struct MetricsTests {
    let metrics = Metrics()

    @Test func `metrics are exported in the order of names and labels`() {
        let calls = metrics.counter("waypost_calls_total", "Calls to providers.", labels: "lane", "outcome")
        calls["nominatim", "located"].add(41)
        calls["nominatim", "located"].add()
        calls["apple", "failed"].add()
        metrics.gauge("waypost_backlog", "Jobs that wait.")[].set(2.5)
        #expect(
            metrics.text == """
                # HELP waypost_backlog Jobs that wait.
                # TYPE waypost_backlog gauge
                waypost_backlog 2.5
                # HELP waypost_calls_total Calls to providers.
                # TYPE waypost_calls_total counter
                waypost_calls_total{lane="apple",outcome="failed"} 1
                waypost_calls_total{lane="nominatim",outcome="located"} 42

                """)
    }

    @Test func `a histogram counts a value in its bucket and all larger ones`() {
        let took = metrics.histogram("took_seconds", "Time.", labels: "lane", buckets: [0.1, 1])
        took["apple"].observe(.milliseconds(100))
        took["apple"].observe(0.5)
        took["apple"].observe(7)
        #expect(
            metrics.text == """
                # HELP took_seconds Time.
                # TYPE took_seconds histogram
                took_seconds_bucket{lane="apple",le="0.1"} 1
                took_seconds_bucket{lane="apple",le="1"} 2
                took_seconds_bucket{lane="apple",le="+Inf"} 3
                took_seconds_sum{lane="apple"} 7.6
                took_seconds_count{lane="apple"} 3

                """)
    }

    @Test func `characters that would break the format are escaped`() {
        metrics.counter("x_total", "a\\b\n\"c\"", labels: "l")["a\\b\n\"c\""].add()
        #expect(
            metrics.text == #"""
                # HELP x_total a\\b\n"c"
                # TYPE x_total counter
                x_total{l="a\\b\n\"c\""} 1

                """#)
    }

    @Test func `the same name gives the same metric`() {
        metrics.counter("x_total", "X.", labels: "l")["a"].add()
        metrics.counter("x_total", "X.", labels: "l")["a"].add()
        #expect(metrics.counter("x_total", "X.", labels: "l")["a"].value == 2)
    }

    @Test func `a name can't be of two kinds`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let metrics = Metrics()
            _ = metrics.counter("x", "X.", labels: "lane")
            _ = metrics.gauge("x", "X.")
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("metric x is already a counter with the labels lane"))
    }

    @Test func `a histogram can't have two sets of buckets`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let metrics = Metrics()
            _ = metrics.histogram("x_seconds", "X.", buckets: [1])
            _ = metrics.histogram("x_seconds", "X.", buckets: [1, 2])
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(said.contains("metric x_seconds is already a histogram and the buckets 1"))
    }

    @Test func `a removed value is no longer exported`() {
        let tokens = metrics.gauge("tokens", "Tokens.", labels: "lane")
        tokens.replace(by: [["a"]: 1, ["b"]: 2])
        tokens.replace(by: [["b"]: 3, ["c"]: 4])
        #expect(metrics.text.hasSuffix("# TYPE tokens gauge\ntokens{lane=\"b\"} 3\ntokens{lane=\"c\"} 4\n"))
    }

    @Test func `a process exports its memory, CPU and other resources`() throws {
        metrics.watchProcess(version: "1.2", commit: "48dee4ae")
        let values = Dictionary(
            metrics.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
                let parts = line.split(separator: " ")
                return (String(parts[0]), Double(parts[1]) ?? .nan)
            }, uniquingKeysWith: { first, _ in first })
        #expect(values["waypost_build_info{version=\"1.2\",commit=\"48dee4ae\"}"] == 1)
        #expect(try #require(values["process_resident_memory_bytes"]) > 1_000_000)
        #expect(
            try #require(values["process_virtual_memory_bytes"]) > #require(values["process_resident_memory_bytes"]))
        #expect(try #require(values["process_cpu_seconds_total"]) > 0)
        #expect(try #require(values["process_threads"]) >= 1)
        #expect((3...1_000_000).contains(try #require(values["process_open_fds"])))
        #expect(try #require(values["process_max_fds"]) >= 1_000)
        let age = Double(time(nil)) - (try #require(values["process_start_time_seconds"]))
        #expect((-2...3_600).contains(age))
    }

    @Test func `a gauge can be computed at the scrape`() {
        let level = Locked(1.0)
        metrics.gauge("level", "Level.")[].read { level.withLock { $0 } }
        level.withLock { $0 = .infinity }
        #expect(metrics.text.hasSuffix("level +Inf\n"))
    }

    @Test func `no update is lost when many threads count`() async {
        let counter = metrics.counter("x_total", "X.")[]
        let gauge = metrics.gauge("y", "Y.")[]
        await withTaskGroup { group in
            for _ in 1...4 {
                group.addTask {
                    for _ in 1...200_000 { counter.add() }
                    for _ in 1...200_000 { gauge.add(-1) }
                }
            }
        }
        #expect(counter.value == 800_000)
        #expect(gauge.value == -800_000)
    }
}
