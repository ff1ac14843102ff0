#!/usr/bin/env python3
"""Requests a second at the gateway's doors, next to nginx with a static body and to `POST /v1/geocode`.

    Benchmarks/gateway/doors.py PROGRAM EXTRACT [NOMINATIM]

A cluster starts with the region EXTRACT. wrk asks with 16 connections, as fast as it can, and then at 2,500 a second.
NOMINATIM is the URL of a real server over the same map.
"""
import json, os, random, re, shutil, signal, subprocess, sys, tempfile, time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote
from urllib.request import Request, urlopen

PORT, NGINX, SECONDS, CONNECTIONS, PACE = 8397, 8398, 5, 16, 2_500
program, extract = (os.path.abspath(path) for path in sys.argv[1:3])
nominatim = sys.argv[3].rstrip("/") if len(sys.argv) > 3 else None
ours = f"http://127.0.0.1:{PORT}"
for needed in ("wrk", "nginx"):
    if not shutil.which(needed):
        sys.exit(f"{needed} is missing; as root, run: apt-get install {needed}")


def wrk(folder, base, paths, delay=0, body=None, token=None):
    script = f"{folder}/wrk.lua"
    method = "POST" if body else "GET"
    head = {"Content-Type": "application/json"} if body else {}
    if token:
        head["Authorization"] = f"Bearer {token}"
    with open(script, "w") as out:
        out.write("local paths = {" + ",".join(json.dumps(path) for path in paths) + "}\n")
        out.write("local head = {" + ",".join(f"[{json.dumps(k)}]={json.dumps(v)}" for k, v in head.items()) + "}\n")
        out.write(f"local place = 0\nfunction request() place = place % #paths + 1; "
                  f"return wrk.format('{method}', paths[place], head, {json.dumps(body) if body else 'nil'}) end\n")
        if delay:
            out.write(f"function delay() return {delay} end\n")
        out.write("function done(summary, latency) print('figures', summary.requests / summary.duration * 1e6, "
                  "latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, summary.errors.status) end\n")
    text = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", script, base],
                          capture_output=True, text=True, check=True).stdout
    rate, median, late, errors = (float(word) for word in re.search(r"figures(.*)", text)[1].split())
    return rate, median, late, int(errors)


def row(folder, name, base, paths, **rest):
    rate, *_, errors = wrk(folder, base, paths, **rest)
    paced, median, late, more = wrk(folder, base, paths, delay=1_000 * CONNECTIONS // PACE, **rest)
    failed = f"   {errors + more} failed" if errors + more else ""
    print(f"{name:46}{rate:>10,.0f}{paced:>10,.0f}{median:>9.2f}{late:>9.2f}{failed}", flush=True)


def fetch(url, body=None, token=None):
    head = {"Authorization": f"Bearer {token}"} if token else {}
    return json.load(urlopen(Request(url, body and body.encode(), head | ({"Content-Type": "application/json"} if body else {}))))


def run(folder):
    print(f"{'16 connections':46}{'most/s':>10}{'paced/s':>10}{'p50 ms':>9}{'p99 ms':>9}")
    said = subprocess.run([program, "region", "load", extract, "--name", "bench"], cwd=folder, capture_output=True, text=True)
    if said.returncode:
        sys.exit(said.stderr)
    west, south, east, north = 9.47, 47.05, 9.64, 47.27
    random.seed(1)
    points = [f"lat={random.uniform(south, north):.5f}&lon={random.uniform(west, east):.5f}" for _ in range(100_000)]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda point: fetch(f"{ours}/nominatim/reverse?format=json&{point}"), points[:3_000])
    houses = sorted({place["display_name"] for place in found if place.get("type") == "house"})
    searches = [f"/search?format=json&limit=1&q={quote(house)}" for house in houses]
    first = urlopen(f"{ours}/nominatim{searches[0]}").read()
    os.makedirs(f"{folder}/static")
    os.chmod(folder, 0o755)
    with open(f"{folder}/static/search", "wb") as out:
        out.write(first)
    with open(f"{folder}/nginx.conf", "w") as out:
        out.write(f"daemon off; pid {folder}/nginx.pid; worker_processes 1; error_log stderr crit; events {{}}\n"
                  f"http {{ access_log off; server {{ listen 127.0.0.1:{NGINX}; root {folder}/static; }} }}\n")
    nginx = subprocess.Popen(["nginx", "-c", f"{folder}/nginx.conf"])
    try:
        time.sleep(0.5)
        row(folder, "nginx, the body of a reply as a file", f"http://127.0.0.1:{NGINX}", ["/search"])
    finally:
        nginx.terminate()
        nginx.wait()
    row(folder, "one house", ours, ["/nominatim" + searches[0]])
    row(folder, f"{len(houses)} houses in turns", ours, ["/nominatim" + search for search in searches])
    reverses = ["/nominatim/reverse?format=json&" + point for point in points]
    row(folder, "2,000 coordinates in turns", ours, reverses[:2_000])
    row(folder, "100,000 coordinates, each once or twice", ours, reverses)
    said = subprocess.run([program, "tokens", "create", "bench", "--scope", "write", "--scope", "read", "--json"],
                          cwd=folder, capture_output=True, text=True, check=True).stdout
    token = next(value for value in json.loads(said).values() if isinstance(value, str) and value.startswith("wp"))
    body = json.dumps({"street": "", "city": "Vaduz", "country": "LI"})
    row(folder, "POST /v1/geocode, one town", ours, ["/v1/geocode"], body=body, token=token)
    if nominatim:
        row(folder, f"a real Nominatim, the same {len(houses)} houses", nominatim, searches)


folder = tempfile.mkdtemp(prefix="waypost-bench-")
cluster = subprocess.Popen([program, "up", "--workers", "1"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env=os.environ | {"WAYPOST_LISTEN": f"127.0.0.1:{PORT}"})
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
