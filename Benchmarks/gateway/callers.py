#!/usr/bin/env python3
"""500 callers at the gateway at once, two for each question, in front of a provider of 10 calls a second.

    Benchmarks/gateway/callers.py PROGRAM [CALLERS]

Each caller takes the 0.8 seconds that a request waits by default, and comes back when `Retry-After` says so. The provider
records its calls.
"""
import json, os, shutil, signal, socketserver, subprocess, sys, tempfile, threading, time
from collections import Counter
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qs, quote, urlparse
from urllib.request import urlopen

PORT, RATE = 8396, 10
program = os.path.abspath(sys.argv[1])
callers = int(sys.argv[2]) if len(sys.argv) > 2 else 500
ours, calls = f"http://127.0.0.1:{PORT}", []


class Recorder(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        calls.append((time.monotonic(), self.path))
        number, _, road = parse_qs(urlparse(self.path).query).get("street", ["1 Main St"])[0].partition(" ")
        body = json.dumps([{
            "lat": "39.5", "lon": "-119.8", "category": "place", "type": "house", "addresstype": "place", "place_rank": 30,
            "display_name": "", "address": {"house_number": number, "road": road, "city": "Reno", "state": "Nevada",
                                            "country": "United States", "country_code": "us"}}]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, HTTPServer):
    daemon_threads, request_queue_size = True, 512


def run(folder):
    def waypost(*words):
        return subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=True).stdout

    waypost("lanes", "limit", "nominatim", f"{RATE}/s")
    token = [word for word in waypost("tokens", "create", "callers", "--scope", "geocode", "--late", "retry").split()
             if word.startswith("wp")][-1]
    results = []

    def ask(caller):
        url = f"{ours}/t/{token}/nominatim/search?format=json&q={quote(f'{1 + caller // 2} Main St, Reno, NV, USA')}"
        began, promised = time.monotonic(), []
        while True:
            try:
                found = json.load(urlopen(url, timeout=60))
                return results.append((len(found) == 1, promised, time.monotonic() - began))
            except HTTPError as error:
                if error.code != 503:
                    return results.append((False, promised, time.monotonic() - began))
                promised.append(float(error.headers["Retry-After"]))
                time.sleep(promised[-1])

    threads = [threading.Thread(target=ask, args=(caller,)) for caller in range(callers)]
    for thread in threads:
        # All at once would be more connections from one address than the server accepts.
        thread.start()
        time.sleep(0.001)
    for thread in threads:
        thread.join()
    times = sorted(moment for moment, _ in calls)
    span = times[-1] - times[0]
    # The time of N calls after a call; at the limit it is N / RATE. The recorder is late by some milliseconds.
    worst = min(later - moment for moment, later in zip(times, times[RATE:]))
    print(f"{callers} callers, {(callers + 1) // 2} questions: {sum(right for right, *_ in results)} answers")
    print(f"{len(calls)} calls, {sum(count > 1 for count in Counter(path for _, path in calls).values())} questions asked twice")
    print(f"{100 * (len(times) - 1) / span / RATE:.1f} % of {RATE}/s used; {RATE} calls took at least {1_000 * worst:.0f} ms")
    print("came back:", ", ".join(f"{count} callers {tries} times" for tries, count in
                                  sorted(Counter(len(promised) for _, promised, _ in results).items())))
    print(f"longest wait {max(wait for *_, wait in results):.1f} s")


recorder = Server(("127.0.0.1", 0), Recorder)
threading.Thread(target=recorder.serve_forever, daemon=True).start()
folder = tempfile.mkdtemp(prefix="waypost-callers-")
cluster = subprocess.Popen(
    [program, "up", "--workers", "3"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    env=os.environ | {"WAYPOST_LISTEN": f"127.0.0.1:{PORT}",
                      "WAYPOST_NOMINATIM_URL": f"http://127.0.0.1:{recorder.server_address[1]}"})
try:
    for _ in range(600):
        try:
            urlopen(f"{ours}/readyz").read()
            break
        except OSError:
            time.sleep(0.1)
    run(folder)
finally:
    cluster.send_signal(signal.SIGTERM)
    cluster.wait()
    shutil.rmtree(folder, ignore_errors=True)
