#!/usr/bin/python3 -B
"""A provider for tests that records its calls. It answers as Nominatim does, on /search, /reverse and /status.

    .ci/recorder.py --port 8088 --limit 20/s --latency 0.05-0.3        WAYPOST_NOMINATIM_URL=http://HOST:8088
    curl http://HOST:8088/report                                       the report up to now

The answer depends only on the query: a house with the parts of the query, at a coordinate made from its hash. So two
runs can be compared. The kernel stamps a request on arrival, so a busy machine does not delay the recorded times. They
are on the machine's clock: do not set it meanwhile. Chaos/Limit.swift judges windows in the same way.
"""
import argparse, collections, hashlib, json, math, re, socket, socketserver, struct, time
from urllib.parse import parse_qs, urlsplit

SO_TIMESTAMPNS = 35
UNITS = {"s": 1, "min": 60, "h": 3600, "d": 86400}
Call = collections.namedtuple("Call", "at query")  # seconds since 1970, hash


class Limit:
    """A limit as 'waypost lanes limit' reads it, with the same default burst: 20/s, 300/min:burst=12, 1/2s."""

    def __init__(self, text):
        match = re.fullmatch(r"([0-9.]+)/([0-9]*)(s|min|h|d)(?::burst=([0-9.]+))?", text)
        if not match or float(match[1]) <= 0:
            raise argparse.ArgumentTypeError(f"'{text}' is not a limit such as 20/s or 300/min:burst=12")
        calls = float(match[1])
        self.text, self.rate = text, calls / (int(match[2] or 1) * UNITS[match[3]])
        self.burst = float(match[4] or max(2 if self.rate > 1 else 1, math.ceil(self.rate / 10), math.ceil(calls / 25)))

    def excess(self, times, slack=0.001):
        """The calls that the worst window has too many. `slack` is the longest time until a call arrives, in seconds."""
        worst, best = -math.inf, -math.inf
        for number, at in enumerate(times):
            best = max(best, self.rate * at - number)
            worst = max(worst, number + 1 - self.rate * (at + slack) + best - self.burst)
        return worst


def report(calls, limits):
    calls = sorted(calls)
    times = [call.at - calls[0].at for call in calls]
    known = {call.query for call in calls}
    return {
        "calls": len(calls),
        "distinct_queries": len(known),
        # Every call gets its answer. So an answer was lost, or was asked for twice.
        "repeated_calls": len(calls) - len(known),
        "seconds": round(times[-1], 3) if times else 0,
        "longest_gap_seconds": round(max((b - a for a, b in zip(times, times[1:])), default=0), 3),
        "worst_excess": round(max((limit.excess(times) for limit in limits if times), default=0), 3),
    }


def read_log(path):
    """The calls that --log wrote."""
    with open(path) as file:
        lines = [line.split() for line in file.readlines()[1:] if line.endswith("\n")]
    return [Call(int(at) / 1e9, target) for target, at, _ in lines]


def unit(text, salt):
    """A number from 0 to 1 that depends only on the text."""
    return int.from_bytes(hashlib.sha256(f"{salt}{text}".encode()).digest()[:6], "big") / 2**48


def place(query, target):
    """A house in the format jsonv2. Its address has the parts of the query, so that the answer fits what was asked."""
    one = lambda name: query.get(name, [""])[0].strip()
    line = [part.strip() for part in one("q").split(",")]
    street, city = one("street") or line[0], one("city") or (line[-2] if len(line) > 2 else line[-1])
    number = next((word for word in re.findall(r"\w+", street) if word[0].isdigit()), "")
    road = re.sub(r"\s+", " ", street.replace(number, "", 1)).strip(" ,") if number else street
    country = one("country") or (line[-1] if len(line) > 2 else "")
    latitude = round(-60 + 120 * unit(target, "latitude"), 6)
    longitude = round(-179 + 358 * unit(target, "longitude"), 6)
    if "lat" in query and "lon" in query:
        latitude, longitude = float(one("lat")), float(one("lon"))
        number, road, city = str(1 + int(99 * unit(target, "number"))), "Recorder Road", "Recorder Town"
    parts = {"house_number": number, "road": road, "city": city, "state": one("state"), "postcode": one("postalcode"),
             "country": country, "country_code": one("countrycodes").split(",")[0].lower()}
    kind = "house" if number else "road" if road else "city" if city else "postcode" if one("postalcode") else "country"
    box = [latitude - 0.001, latitude + 0.001, longitude - 0.001, longitude + 0.001]
    return {"place_id": int(unit(target, "id") * 1e9), "osm_type": "node", "lat": f"{latitude:.6f}", "lon": f"{longitude:.6f}",
            "category": "place", "type": kind, "addresstype": kind, "name": "" if number else road or city,
            "place_rank": {"house": 30, "road": 26, "city": 16, "postcode": 21, "country": 4}[kind],
            "display_name": ", ".join(part for part in parts.values() if part),
            "address": {name: part for name, part in parts.items() if part}, "boundingbox": [f"{edge:.6f}" for edge in box]}


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = daemon_threads = True
    request_queue_size = 1024

    def __init__(self, options):
        self.options, self.calls = options, []
        self.log = open(options.log, "w", buffering=1) if options.log else None
        if self.log:
            print("query, nanoseconds, reply: as Chaos/Recorder.swift, for 'Chaos judge'", file=self.log)
        super().__init__((options.listen, options.port), Connection)

    def server_bind(self):
        # Accepted sockets inherit this option.
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        super().server_bind()


class Connection(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = b""
        try:
            while True:
                data, control, _, _ = self.request.recvmsg(65536, 256)
                at = time.time_ns()
                if not data:
                    return
                for level, kind, value in control:
                    if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
                        seconds, nanoseconds = struct.unpack("qq", value[:16])
                        at = seconds * 10**9 + nanoseconds
                head += data
                if b"\r\n\r\n" in head:
                    status, body = self.answer(head.split(b"\r\n", 1)[0].decode("latin-1").split(" "), at)
                    kind = "application/json" if body[0] in "[{" else "text/plain"
                    fields = f"Content-Type: {kind}; charset=utf-8\r\nContent-Length: {len(body)}"
                    self.request.sendall(f"HTTP/1.1 {status} \r\n{fields}\r\n\r\n{body}".encode())
                    head = b""
        except OSError:
            pass  # The client is gone.

    def answer(self, words, at):
        """The status and the body, in ASCII."""
        if len(words) != 3 or words[0] != "GET":
            return 405, "only GET is answered\n"
        url, server, target = urlsplit(words[1]), self.server, words[1]
        query = parse_qs(url.query)
        path = url.path.rsplit("/", 1)[-1]
        if path == "report":
            return 200, json.dumps(report(list(server.calls), server.options.limit)) + "\n"
        if path == "status":
            return 200, '{"status":0,"message":"OK"}' if query.get("format") == ["json"] else "OK"
        if path not in ("search", "reverse"):
            return 404, "the paths are /search, /reverse, /status and /report\n"
        call = Call(at / 1e9, hashlib.sha256(target.encode()).hexdigest()[:16])
        server.calls.append(call)
        if server.log:
            server.log.write(f"/nominatim?{call.query} {at} good\n")
        low, high = server.options.latency
        time.sleep(max(0, call.at + low + (high - low) * unit(target, "latency") - time.time()))
        found = place(query, target)
        return 200, json.dumps(found if path == "reverse" else [found])


def span(text):
    ends = [float(end) for end in text.split("-")]
    return ends[0], ends[-1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8088, help="0 is a free port, which the first line printed names")
    parser.add_argument("--listen", default="127.0.0.1", metavar="ADDRESS")
    parser.add_argument("--limit", type=Limit, action="append", default=[], metavar="RATE", help="such as 20/s; repeatable")
    parser.add_argument("--latency", type=span, default=(0.0, 0.0), metavar="SECONDS", help="until a reply: 0.2, or 0.05-0.4")
    parser.add_argument("--log", metavar="FILE", help="appends a line for each call: the hash of its query, nanoseconds")
    server = Server(parser.parse_args())
    print(f"listening on port {server.server_address[1]}", flush=True)
    server.serve_forever()
