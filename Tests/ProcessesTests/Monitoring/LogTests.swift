import Processes
import Testing

struct LogTests {
    @Test func `logfmt keeps the order of the fields and the unit of each`() {
        let lines = written(.logfmt) { log in
            log.info(
                "claimed",
                ["jobs": 4, "share": 0.5, "late": false, "took": Duration.milliseconds(1_250), "by": "ada"])
        }
        #expect(
            lines == [
                "time=2026-07-31T05:37:16.123Z level=info message=claimed jobs=4 share=0.5 late=false took=1.25s by=ada\n"
            ])
    }

    @Test func `JSON has the same fields, with numbers as numbers`() {
        let lines = written(.json) { $0.warning("lane blocked", ["jobs": 4, "share": Double.infinity]) }
        #expect(
            lines == [
                #"{"time":"2026-07-31T05:37:16.123Z","level":"warning","message":"lane blocked","jobs":4,"share":"inf"}"#
                    + "\n"
            ])
    }

    @Test func `a terminal shows the level in colour and the fields dim`() throws {
        let line = try #require(written(.terminal, coloured: true) { $0.error("lost", ["lane": "apple"]) }.first)
        #expect(line.hasSuffix(":16.123 \u{1B}[1;31merror  \u{1B}[0m lost \u{1B}[2mlane=apple\u{1B}[0m\n"))
    }

    @Test func `a log with worker, lane and job has them on every line`() {
        let lines = written(.logfmt) { log in
            let worker = log.with(worker: "worker-1", lane: "gazetteer")
            worker.with(job: 17).info("done")
            worker.with(lane: "apple").info("idle")
        }
        #expect(lines[0].hasSuffix("message=done worker=worker-1 lane=gazetteer job=17\n"))
        #expect(lines[1].hasSuffix("message=idle worker=worker-1 lane=apple\n"))
    }

    @Test func `lines below the level are not written`() {
        let lines = written(.logfmt, level: .warning) { log in
            log.debug("one")
            log.info("two")
            log.warning("three")
            log.error("four")
        }
        #expect(lines.map { $0.contains("three") || $0.contains("four") } == [true, true])
    }

    @Test(
        arguments: [Log.Format.terminal, .logfmt, .json], ["\n", "\r", "\u{1B}[2K", "\u{85}", "\u{2028}", "\u{202E}"])
    func `neither a message nor a field can forge a second line`(format: Log.Format, trick: String) throws {
        let forged = "done\(trick)time=2026-07-31T05:37:16.123Z level=error message=\"no\""
        let line = try #require(written(format) { $0.info(forged, ["reason": forged]) }.first)
        #expect(line.hasSuffix("\n"))
        for scalar in trick.unicodeScalars where !("!"..."~").contains(scalar) {
            #expect(!line.dropLast().unicodeScalars.contains(scalar))
        }
    }

    @Test func `quotes and backslashes stay inside their value`() {
        let value = #"a "b" \c"#
        #expect(written(.logfmt) { $0.info("x", ["v": value]) }[0].hasSuffix(#" v="a \"b\" \\c""# + "\n"))
        #expect(written(.json) { $0.info("x", ["v": value]) }[0].hasSuffix(#","v":"a \"b\" \\c"}"# + "\n"))
    }

    @Test(arguments: ["", "two words", "a=b"])
    func `an ambiguous value is quoted`(value: String) {
        #expect(written(.logfmt) { $0.info("x", ["v": value]) }[0].hasSuffix(" v=\"\(value)\"\n"))
    }

    @Test(arguments: [Log.Format.terminal, .logfmt, .json])
    func `a line is cut so that one write to a pipe takes it whole`(format: Log.Format) {
        let long = String(repeating: "ä\u{1B}", count: 100_000)
        let lines = written(format) { $0.info(long, ["first": long, "second": long, "jobs": 4]) }
        #expect(lines[0].utf8.count <= 4_096)
        #expect(lines[0].contains("jobs"))
        #expect(lines[0].hasSuffix(format == .json ? "}\n" : "\n"))
    }

    private func written(
        _ format: Log.Format, level: Log.Level = .info, coloured: Bool = false, by body: (Log) -> Void
    ) -> [String] {
        let lines = Locked<[String]>([])
        let now = 1_785_476_236_123
        body(
            Log(level: level, format: format, coloured: coloured, now: { now }) { line in
                lines.withLock { $0.append(line) }
            })
        return lines.withLock { $0 }
    }
}
