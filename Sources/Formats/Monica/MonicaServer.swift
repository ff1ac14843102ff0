package import HTTP
import JSON

/// The contacts of a Monica server: https://www.monicahq.com/api/contacts
///
///     var pages = MonicaServer(url: url, token: token, http: client).pages()
///     while let entries = try await pages.next() { … }
package struct MonicaServer: Sendable {
    package typealias Wait = @Sendable (Duration) async throws -> Void

    private let url: HTTPURL
    private let token: String
    private let http: HTTPClient
    private let wait: Wait

    /// How often one page is requested before giving up.
    static let attempts = 5
    /// The longest wait that a server may demand.
    static let longestWait = Duration.seconds(900)
    static let perPage = 100

    /// `url` is the server's URL, with or without `/api`.
    package init(
        url: HTTPURL, token: String, http: HTTPClient, wait: @escaping Wait = { try await Task.sleep(for: $0) }
    ) {
        (self.url, self.token, self.http, self.wait) = (url, token, http, wait)
    }

    /// The host, for errors.
    package var name: String { url.authority }

    package func pages(options: ReadingOptions = ReadingOptions()) -> MonicaPages {
        MonicaPages(server: self, options: options)
    }

    /// The body of a page; pages are counted from 1.
    ///
    /// The oldest contact comes first. So a new contact is added at the end, and moves no other contact to a page that
    /// was already read.
    func page(_ number: Int) async throws -> JSONValue {
        let base = url.text.hasSuffix("/api") || url.text.hasSuffix("/api/") ? url : url.appending(path: "api")
        let request = HTTPRequest(
            .get,
            base.appending(path: "contacts").appending(query: [
                "limit": "\(Self.perPage)", "page": "\(number)", "sort": "created_at",
            ]),
            headers: ["Authorization": "Bearer \(token)", "Accept": "application/json"])
        for attempt in 1... {
            let pause: Duration
            switch try await answer(to: request) {
            case .body(let body): return try read(body)
            case .later(let delay, let problem):
                guard attempt < Self.attempts else {
                    throw failure("\(problem), \(Self.attempts) times; try again later")
                }
                pause = delay ?? .seconds(1 << attempt)
            }
            guard pause <= Self.longestWait else {
                throw failure("requires a pause of more than 15 minutes; try again later")
            }
            try await wait(pause)
        }
        throw CancellationError()
    }

    private enum Answer {
        case body([UInt8])
        case later(Duration?, String)
    }

    private func answer(to request: HTTPRequest) async throws -> Answer {
        let response: HTTPResponse
        do {
            response = try await http.send(request)
        } catch {
            switch error.kind {
            case .unreachable, .late, .broken, .missed: return .later(nil, error.reason)
            case .cancelled: throw CancellationError()
            case .forbidden, .untrusted, .tooLarge, .redirected, .moved, .unsendable, .closed:
                throw failure(error.reason)
            }
        }
        switch response.status {
        case 200: return .body(response.body)
        case 401, 403: throw failure("refused the token; make another one in Monica under Settings > API")
        case 404: throw failure("has no Monica at this address; the API is missing there")
        case 429: return .later(response.retryAfter() ?? .seconds(60), "allows no more calls now")
        case 500...: return .later(response.retryAfter(), "answered \(response.status)")
        default: throw failure("answered \(response.status)")
        }
    }

    private func read(_ body: [UInt8]) throws -> JSONValue {
        guard let value = try? JSONValue(parsing: body), value.object?["data"]?.list != nil else {
            throw failure("answered with something else than a list of contacts; is it a Monica server?")
        }
        return value
    }

    func failure(_ problem: String) -> FileError {
        FileError(file: name, problem: problem)
    }
}
