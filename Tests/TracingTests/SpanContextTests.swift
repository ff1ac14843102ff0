import Testing

@testable import HTTP

/// https://www.w3.org/TR/trace-context/#traceparent-header
struct SpanContextTests {
    private let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `a context reads back as it was sent`() throws {
        let context = try #require(SpanContext(traceparent: parent, tracestate: ["a=1", " b=2,,c=3"]))
        #expect(context.isSampled)
        #expect(context.traceparent == parent)
        #expect(context.state == "a=1,b=2,c=3")
        #expect(context.text == "\(parent) a=1,b=2,c=3")
        #expect(SpanContext(context.text) == context)
        #expect(SpanContext(parent)?.text == parent)
        #expect(context.sibling().trace == context.trace)
        #expect(context.sibling().span != context.span)
    }

    @Test func `only the last bit of the flags means sampled`() {
        #expect(SpanContext(traceparent: parent.dropLast(2) + "02")?.isSampled == false)
        #expect(SpanContext(traceparent: parent.dropLast(2) + "ff")?.isSampled == true)
    }

    @Test func `a later version may have more fields`() {
        #expect(SpanContext(traceparent: "01" + parent.dropFirst(2) + "-what")?.isSampled == true)
        #expect(SpanContext(traceparent: "cc" + parent.dropFirst(2)) != nil)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4bf92f3577b34da6a3ce929d0e0e+736-00f067aa0ba902b7-01",
    ])
    func `a text that is not a context is refused`(text: String) {
        #expect(SpanContext(traceparent: text) == nil)
    }

    @Test func `a state that is too long or has odd characters is left out`() {
        func state(_ headers: String...) -> String? { SpanContext(traceparent: parent, tracestate: headers)?.state }
        #expect(state(String(repeating: "a", count: 513)) == "")
        #expect(state((1...33).map { "a\($0)=1" }.joined(separator: ",")) == "")
        #expect(state("a=1\r\nX-Evil: 1") == "")
        #expect(state("a=é") == "")
        #expect(state((1...32).map { "a\($0)=1" }.joined(separator: ","))?.isEmpty == false)
    }

    @Test func `a share of the traces is sampled, and each process samples the same`() throws {
        let tenth = try #require(Sampler(name: "parentbased_traceidratio", argument: "0.1"))
        let traces = (1...20_000).map { _ in TraceID.random() }
        let kept = traces.count { tenth.keeps($0, under: nil) }
        #expect((1_600...2_400).contains(kept))
        let half = try #require(Sampler(name: "traceidratio", argument: "0.5"))
        #expect(traces.allSatisfy { !tenth.keeps($0, under: nil) || half.keeps($0, under: nil) })
        let none = try #require(Sampler(name: "always_off", argument: nil))
        let all = try #require(Sampler(name: "always_on", argument: nil))
        for isSampled in [true, false] {
            let parent = SpanContext(trace: .random(), isSampled: isSampled)
            #expect(tenth.keeps(parent.trace, under: parent) == isSampled)
            #expect(
                Sampler(name: "parentbased_always_off", argument: nil)?.keeps(parent.trace, under: parent) == isSampled)
            #expect(!none.keeps(parent.trace, under: parent))
            #expect(all.keeps(parent.trace, under: parent))
        }
        #expect(Sampler.usual == Sampler(name: "parentbased_always_on", argument: nil))
        for wrong in ["1.1", "-0.1", "some", "nan"] { #expect(Sampler(name: "traceidratio", argument: wrong) == nil) }
        #expect(Sampler(name: "jaeger_remote", argument: nil) == nil)
    }
}
