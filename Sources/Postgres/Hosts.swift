import CLibpq
import Glibc
import Processes

/// The hosts of a URL that names several, as this process finds them.
///
/// libpq tries hosts one after the other, and starts again at the first for each connection. So a host that does not
/// answer would delay each connection by the connect limit. Here it is left out for a while.
final class Hosts: Sendable {
    struct Host: Hashable, Sendable {
        let name: String
        let port: String
    }

    private struct State {
        /// Hosts that did not answer, and the time until which they are left out.
        var silent: [Host: ContinuousClock.Instant] = [:]
        var lines: [ObjectIdentifier: (host: Host, socket: Int32)] = [:]
    }

    /// How long a silent host is left out.
    private static let rest: Duration = .seconds(10)
    private static let known = Locked<[String: Hosts?]>([:])

    private let all: [Host]
    /// Only a primary accepts connections of this URL, and there is one at a time.
    private let isOfPrimary: Bool
    private let state = Locked(State())
    /// Added to the clock, by tests.
    private let shift = Locked(Duration.zero)

    private init(_ all: [Host], isOfPrimary: Bool) {
        self.all = all
        self.isOfPrimary = isOfPrimary
    }

    /// Nil if the URL names one host, or if libpq has to choose among the hosts.
    static func of(_ url: String) -> Hosts? {
        known.withLock { known in
            if let hosts = known[url] { return hosts }
            let hosts = read(url)
            known[url] = .some(hosts)
            return hosts
        }
    }

    private static func read(_ url: String) -> Hosts? {
        guard let settings = DatabasePlace.settings(of: url), settings["hostaddr"] == nil,
            settings["load_balance_hosts"].map({ $0 == "disable" }) ?? true
        else { return nil }
        let target = settings["target_session_attrs"] ?? "any"
        let names = (settings["host"] ?? "").split(separator: ",").map(String.init)
        let ports = (settings["port"] ?? "5432").split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "5432" : String($0) }
        guard names.count > 1, ports.count == 1 || ports.count == names.count, target != "prefer-standby" else {
            return nil
        }
        let all = names.enumerated().map { Host(name: $1, port: ports.count == 1 ? ports[0] : ports[$0]) }
        return Hosts(all, isOfPrimary: ["read-write", "primary"].contains(target))
    }

    var now: ContinuousClock.Instant { .now + shift.withLock { $0 } }

    func advance(by time: Duration) { shift.withLock { $0 += time } }

    /// The hosts to try now: first those that answered, then those that may answer again. Begin each of the latter with
    /// ``beginTrying(_:)``.
    func candidates() -> [(host: Host, wasSilent: Bool)] {
        let now = now
        return state.withLock { state in
            let answering = all.filter { state.silent[$0] == nil }.map { (host: $0, wasSilent: false) }
            let due = all.filter { host in
                state.silent[host].map { $0 <= now || answering.isEmpty } ?? false
            }.map { (host: $0, wasSilent: true) }
            return answering + due
        }
    }

    /// Returns false if another connection tries the silent host now. It is left out for a while then, unless all hosts
    /// are silent.
    func beginTrying(_ host: Host) -> Bool {
        let now = now
        return state.withLock { state in
            let isTried = state.silent[host].map { $0 > now } ?? false
            if isTried, all.contains(where: { state.silent[$0] == nil }) { return false }
            state.silent[host] = now + Self.rest
            return true
        }
    }

    func note(_ host: Host, isSilent: Bool) {
        let end = isSilent ? now + Self.rest : nil
        state.withLock { $0.silent[host] = end }
    }

    /// Remembers an open connection. When the primary is on another host now, breaks those to the former one: it may be
    /// stopped or cut off, and then their statements would wait for ever.
    func add(_ connection: ObjectIdentifier, to host: Host, over socket: Int32) {
        state.withLock { state in
            state.lines[connection] = (host, socket)
            guard isOfPrimary else { return }
            for line in state.lines.values where line.host != host { shutdown(line.socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Call it before the socket is closed.
    func remove(_ connection: ObjectIdentifier) {
        state.withLock { $0.lines[connection] = nil }
    }
}
