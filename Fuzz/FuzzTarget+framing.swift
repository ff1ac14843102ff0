import Glibc
import HTTP

extension FuzzTarget {
    /// The parser of the HTTP server: it gives the same requests however the bytes are split.
    static let framing = FuzzTarget(
        name: "framing",
        seeds: [
            "GET /a?b HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\nHEAD http://a:80/ HTTP/1.0\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.2\r\nHost:\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\nabc",
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n2;x=y\r\nbc\r\n0\r\nX: y\r\n\r\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n7fffffffffffffff\r\nabc",
        ],
        run: { bytes in
            let whole = FramedRequests(bytes, pieces: .max)
            for size in [1, 7] where FramedRequests(bytes, pieces: size) != whole {
                preconditionFailure("pieces of \(size) bytes give other requests")
            }
        })
}

/// The requests that the parser finds in some bytes.
struct FramedRequests: Equatable, CustomStringConvertible {
    private struct Request: Equatable {
        let method: String
        var body: [UInt8] = []
    }

    private var whole: [Request] = []
    private var begun: Request?
    private var status: Int?

    init(_ bytes: [UInt8], pieces: Int) {
        var framing = RequestFraming(largestHead: 32 << 10, largestBody: .max)
        var (input, rest) = ([UInt8](), bytes[...])
        while !rest.isEmpty {
            input += rest.prefix(pieces)
            rest = rest.dropFirst(pieces)
            do throws(HeadError) { try take(&input, &framing) } catch {
                status = error.status
            }
            if status != nil {
                // How much of its body was passed on depends on the pieces.
                begun = nil
                return
            }
        }
    }

    private mutating func take(_ input: inout [UInt8], _ framing: inout RequestFraming) throws(HeadError) {
        while true {
            let (taken, part) = try input.withUnsafeBufferPointer { bytes throws(HeadError) in
                try framing.next(in: UnsafeRawBufferPointer(bytes))
            }
            precondition((0...input.count).contains(taken), "\(taken) bytes were taken of \(input.count)")
            input.removeFirst(taken)
            switch part {
            case .head(let head, let body):
                guard head.hasMethod else {
                    status = 501
                    return
                }
                begun = Request(method: head.method)
                if body == .none { end() }
            case .body(let piece): begun?.body += piece
            case .end: end()
            case nil: return
            }
        }
    }

    private mutating func end() {
        if let begun { whole.append(begun) }
        begun = nil
    }

    /// The method and body of each whole request, and then the status of a refusal, or 0.
    var description: String {
        let texts = whole.map { request in
            "\(request.method):" + request.body.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return (texts + ["\(status ?? 0)"]).joined(separator: " ")
    }

    /// Reads requests in hexadecimal, one on each line, and prints those that the parser finds.
    static func answerLines() {
        while let line = readLine() {
            let digits = Array(line.utf8).compactMap { Character(Unicode.Scalar($0)).hexDigitValue.map(UInt8.init) }
            let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            print(FramedRequests(bytes, pieces: .max))
            fflush(nil)
        }
    }
}
