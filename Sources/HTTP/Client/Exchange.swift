import CCurl
import Glibc

/// One HTTP request and the part of its response that was received. It is used only on the thread of a
/// ``TransferLoop``.
final class Exchange {
    typealias Instant = ContinuousClock.Instant

    let handle: UnsafeMutableRawPointer
    private let request: HTTPRequest
    private let departure: Departure?
    private let client: ClientCalls
    /// The exchange was begun in the expectation of a kept connection.
    private let wasWarm: Bool
    private let begunAt = Instant.now
    private var isConnected = false
    private var ownPort: Int32 = 0
    private let largestBody: Int
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var headers = HTTPHeaders()
    private var headerSize = 0
    private var body: [UInt8] = []
    private var isTooLarge = false
    /// How many sockets were opened, and for how many addresses that was refused.
    private var sockets = (opened: 0, refused: 0)

    init(_ call: Call, within timeLimit: Duration) {
        let options = call.client.options
        guard let handle = curl_easy_init() else { preconditionFailure("out of memory") }
        self.handle = handle
        client = call.client
        wasWarm = call.isWarm
        request = call.request
        departure = call.departure
        largestBody = options.largestBody
        set(options, timeLimit)
        setRequest()
        receive()
        if !options.permitsPrivateAddresses { refusePrivateAddresses() }
        switch call.purpose {
        case .connection: curl_set_number(handle, CURLOPT_CONNECT_ONLY, 1)
        case .request: if departure != nil { depart() }
        }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(lines)
    }

    private func set(_ options: HTTPClient.Options, _ timeLimit: Duration) {
        curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        // Without it, giving up a call would block the loop's thread for as long as a name server doesn't answer.
        curl_set_number(handle, CURLOPT_QUICK_EXIT, 1)
        curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, min(options.connectLimit, timeLimit).milliseconds)
        curl_set_number(handle, CURLOPT_TIMEOUT_MS, timeLimit.milliseconds)
        curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        curl_set_text(handle, CURLOPT_USERAGENT, options.userAgent)
        if let file = options.certificateAuthorities { curl_set_text(handle, CURLOPT_CAINFO, file) }
    }

    private func setRequest() {
        curl_set_text(handle, CURLOPT_URL, request.url.text)
        for field in request.headers.fields {
            // In a curl header list, a name with only a colon means: leave this header out.
            lines = curl_slist_append(lines, field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // Don't wait for "100 Continue", which many servers never send.
        if request.body != nil { lines = curl_slist_append(lines, "Expect:") }
        curl_set_bytes(handle, CURLOPT_HTTPHEADER, lines)
        guard request.method == .post else { return }
        let body = request.body ?? []
        curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        // An empty array has no address, and for curl no address means: request the body later.
        (body + [0]).withUnsafeBytes { _ = curl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
    }

    private func receive() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        curl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        curl_set_bytes(handle, CURLOPT_HEADERDATA, context)
        curl_set_receiver(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            Exchange.at(context).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        curl_set_bytes(handle, CURLOPT_WRITEDATA, context)
        curl_set_receiver(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            Exchange.at(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
    }

    private func refusePrivateAddresses() {
        // Otherwise curl uses the proxies of the environment.
        curl_set_text(handle, CURLOPT_PROXY, "")
        curl_set_bytes(handle, CURLOPT_OPENSOCKETDATA, Unmanaged.passUnretained(self).toOpaque())
        curl_set_socket_opener(handle) { context, _, address in
            guard let address else { return CURL_SOCKET_BAD }
            return Exchange.at(context).openSocket(to: address)
        }
    }

    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if PrivateAddress.contains(curl_address(address)) {
            sockets.refused += 1
            return CURL_SOCKET_BAD
        }
        sockets.opened += 1
        return curl_open_socket(address)
    }

    /// Checks the departure directly before the request is written, and notifies it directly after.
    private func depart() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        // HTTP/1.1 gives each call a connection of its own. So a call that is refused and closes its connection breaks
        // no other call.
        curl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // A kept connection may be meant for a call that starts sooner.
        if !wasWarm { curl_set_number(handle, CURLOPT_FRESH_CONNECT, 1) }
        curl_set_bytes(handle, CURLOPT_PREREQDATA, context)
        curl_set_departure(handle) { context, _, _, _, ownPort in Exchange.at(context).mayLeave(from: ownPort) ? 0 : 1 }
        curl_set_number(handle, CURLOPT_VERBOSE, 1)
        curl_set_bytes(handle, CURLOPT_DEBUGDATA, context)
        curl_set_observer(handle) { _, kind, _, count, context in
            if kind == CURLINFO_HEADER_OUT, count > 0 { Exchange.at(context).hasLeft() }
            return 0
        }
        curl_set_bytes(handle, CURLOPT_SOCKOPTDATA, Unmanaged.passUnretained(client.wire).toOpaque())
        curl_set_socket_observer(handle) { context, socket, _ in
            Wire.at(context).add(socket)
            return 0
        }
    }

    /// If the connection is ready too early, this waits and blocks the thread. That is acceptable: few clients share the
    /// thread, and the wait is only the error of the forecast.
    private func mayLeave(from port: Int32) -> Bool {
        guard let departure else { return true }
        var now = Instant.now
        if !isConnected {
            isConnected = true
            client.forecast.connected(
                after: begunAt.duration(to: now), isNew: curl_connections_made(handle) > 0, wasWarm: wasWarm, at: now)
        }
        ownPort = port
        while now < departure.opens {
            sleep(for: now.duration(to: departure.opens))
            now = .now
        }
        return departure.mayLeave(at: now)
    }

    private func hasLeft() {
        guard let departure, departure.leftAt == nil else { return }
        let now = Instant.now
        // If the process was stopped before or after the write, the kernel's time of sending is used.
        guard departure.sinceLook(now) > .milliseconds(1) else { return departure.left(at: now) }
        let (sending, lag) = client.wire.timeSinceSending(from: ownPort)
        departure.left(at: now, since: sending, lag: lag)
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> Exchange {
        guard let context else { preconditionFailure("curl lost the context of a transfer") }
        return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    }

    private static let largestHeader = 256 << 10

    /// Takes one header line. A status line starts the headers again: an interim response, such as 103, has headers of
    /// its own.
    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerSize += line.count
        isTooLarge = headerSize > Self.largestHeader
        if line.starts(with: "HTTP/".utf8) {
            headers = HTTPHeaders()
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            headers.append(
                String(decoding: line[..<colon], as: UTF8.self), Self.trimmed(line[(colon + 1)...]))
        }
        return !isTooLarge
    }

    private static func trimmed(_ value: Slice<UnsafeRawBufferPointer>) -> String {
        let start = value.drop { $0 <= 0x20 }
        let end = start.lastIndex { $0 > 0x20 } ?? start.startIndex
        return String(decoding: start.isEmpty ? start : start[...end], as: UTF8.self)
    }

    /// Counts unpacked bytes: a small response may unpack into gigabytes.
    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLarge = body.count + bytes.count > largestBody
        if !isTooLarge { body.append(contentsOf: bytes) }
        return !isTooLarge
    }

    func age(at now: Instant) -> Duration { begunAt.duration(to: now) }

    /// The target of a redirect; nil for a final response.
    var redirect: String? { curl_redirect(handle).map { String(cString: $0) } }

    /// Returns whether the connection can be used again.
    func isKept(_ code: CURLcode) -> Bool {
        code == CURLE_OK && headers["Connection"]?.lowercased() != "close"
    }

    /// The response, or the error that ended the exchange.
    func result(_ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        guard code == CURLE_OK else {
            let isForbidden = sockets.refused > 0 && sockets.opened == 0
            return .failure(
                HTTPError(
                    code, isTooLarge: isTooLarge, isForbidden: isForbidden, departure: departure,
                    host: request.url.authority))
        }
        return .success(HTTPResponse(status: curl_status(handle), headers: headers, body: body))
    }
}

private func sleep(for time: Duration) {
    var rest = timespec()
    rest.tv_sec = Int(time.components.seconds)
    rest.tv_nsec = Int(time.components.attoseconds / 1_000_000_000)
    nanosleep(&rest, nil)
}

extension Duration {
    /// At least 1: for curl, zero means no limit.
    fileprivate var milliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}
