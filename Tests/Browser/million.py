#!/usr/bin/env python3
"""Measures time and cost of the map with a million located addresses, and of many open pages.

CI does not run it, because it takes some minutes.

    swift build -c release --product waypost
    .ci/with-postgres Tests/Browser/million.py .build/release/waypost [1000000]
"""

import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

from browser import Browser

PAGES = int(os.environ.get("PAGES", 200))
SECONDS = int(os.environ.get("SECONDS", 60))
FILL = """
SET session_replication_role = replica;
SET work_mem = '256MB';
SELECT setseed(0.25);
-- Towns of very different size, most addresses within a few kilometres of the middle of one.
CREATE TEMP TABLE made_towns AS
SELECT n, -40 + 105 * sqrt(random()) AS latitude, -170 + 340 * random() AS longitude, (1000 / n::float8) AS size FROM generate_series(1, 1000) AS n;
CREATE TEMP TABLE lots AS
SELECT n AS town, row_number() OVER () AS lot FROM made_towns, generate_series(1, ceil(size)::integer) AS copy;
INSERT INTO geocodes (hash, street, city, region, postcode, country, status, latitude, longitude, precision, provider, confidence, placemark, geocoded_at, chain)
SELECT decode(md5(n::text) || md5('x' || n), 'hex'), n || ' Main St', 'Town ' || town, '', '', 'US', 'located',
       greatest(-84, least(84, latitude + (random() + random() + random() - 1.5) * spread)), longitude + (random() + random() + random() - 1.5) * spread * 1.4,
       (ARRAY['rooftop', 'rooftop', 'street', 'postcode', 'city'])[1 + n % 5], (ARRAY['nominatim', 'photon', 'gazetteer'])[1 + n % 3], 0.5 + (n % 50) / 100.0,
       '{"locality": "Town"}', now(), 1
FROM (
    SELECT number AS n, made_towns.n AS town, latitude, longitude, CASE WHEN number % 20 = 0 THEN 3 ELSE 0.15 END AS spread
    FROM generate_series(1, :count) AS number
    JOIN lots ON lot = 1 + (hashint8(number) & 2147483647) % (SELECT count(*) FROM lots)
    JOIN made_towns ON made_towns.n = town
) AS places;
INSERT INTO friends (account, source_key, name, first_name, last_name, feed)
SELECT (SELECT id FROM accounts WHERE name = 'default'), n, 'Ada L' || n, 'Ada', 'L' || n, 'crm' FROM generate_series(1, :count) AS n;
INSERT INTO addresses (owner, friend, position, label, street, city, country, country_code, hash, place_status, place_precision)
SELECT friends.account, friends.id, 1, 'home', street, city, 'US', 'US', hash, 'located', precision
FROM friends JOIN geocodes ON geocodes.id = friends.id ORDER BY friends.id;
UPDATE addresses SET map_key = map_key(addresses.id, latitude, longitude) FROM geocodes WHERE geocodes.hash = addresses.hash;
INSERT INTO address_tallies (account, status, precision, is_weak, addresses, changes)
SELECT owner, place_status::geocode_status, place_precision, false, count(*), count(*) FROM addresses GROUP BY 1, 2, 3;
INSERT INTO friend_tallies (account, friends, changes) SELECT account, count(*), count(*) FROM friends GROUP BY 1;
VACUUM ANALYZE;
"""
# Notes when the numbers of a view are shown, and the longest time between two frames.
WITNESS = """
addEventListener("DOMContentLoaded", () => new MutationObserver(() => (window.taken ??= []).push(performance.now()))
    .observe(document.documentElement, { attributes: true, attributeFilter: ["data-share"] }));
window.frames_ = (() => { let [last, longest] = [performance.now(), 0]; const turn = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; requestAnimationFrame(turn); }; requestAnimationFrame(turn); return () => { const value = longest; longest = 0; return value; }; })();
"""


def load():
    return os.getloadavg()[0]


def start(waypost, folder):
    log = folder / "log.txt"
    process = subprocess.Popen(
        [waypost, "coordinator"], cwd=folder, stdout=open(log, "w", encoding="utf-8"), stderr=subprocess.STDOUT,
        env={**os.environ, "WAYPOST_LISTEN": "127.0.0.1:0", "WAYPOST_LOG_FORMAT": "logfmt"})
    while not (found := re.search(r"address=127\.0\.0\.1:(\d+)", log.read_text(encoding="utf-8"))):
        if process.poll() is not None:
            raise SystemExit(log.read_text(encoding="utf-8"))
        time.sleep(0.05)
    return process, int(found[1])


def answers(port, middle):
    """Measures the API's time for the first picture and for a view at several zooms, with the page's requests."""
    print("| view | places | share | first ms | median of 15 ms | slowest ms |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    latitude, longitude = middle
    for name, zoom in [("the world", None), ("zoom 4", 4), ("zoom 6", 6), ("zoom 8", 8), ("zoom 10", 10), ("zoom 12", 12), ("zoom 14", 14)]:
        times = []
        for turn in range(15):
            if zoom is None:
                box = (-180, -68, 180, 78)
            else:
                # 920 by 750 pixels, a fifth more on each side, moved by a third of the width each time.
                width, height = 1.4 * 920 * 360 / (256 * 2 ** zoom), 1.4 * 750 * 360 / (256 * 2 ** zoom) * 0.7
                west = max(-180, min(180 - width, longitude - width / 2 + (turn % 5 - 2) * width / 3))
                south = max(-85, min(85 - height, latitude - height / 2))
                box = (west, south, west + width, south + height)
            connection = http.client.HTTPConnection("127.0.0.1", port)
            began = time.monotonic()
            connection.request("GET", "/v1/places?limit=2000&bbox=" + ",".join(f"{value:.5f}" for value in box), headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            body = answer.read()
            times.append((time.monotonic() - began) * 1_000)
            assert answer.status == 200, body[:300]
        connection.request("GET", "/v1/places?limit=2000&bbox=" + ",".join(f"{value:.5f}" for value in box))
        found = json.loads(connection.getresponse().read())
        print(f"| {name} | {len(found['features'])} | {found['share']} | {times[0]:.0f} | {sorted(times)[7]:.0f} | {max(times):.0f} |")


def searches(port):
    """Measures the map's search for a rare and a frequent part of a name."""
    print("\n| searched for | places | share | first ms | median of 15 ms | slowest ms |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for text in ["L4242", "L42", "ada"]:
        times = []
        for _ in range(15):
            connection = http.client.HTTPConnection("127.0.0.1", port)
            began = time.monotonic()
            connection.request("GET", f"/v1/places?limit=2000&bbox=-180,-90,180,90&query={text}")
            found = json.loads(connection.getresponse().read())
            times.append((time.monotonic() - began) * 1_000)
        print(f"| {text} | {len(found['features'])} | {found['share']} | {times[0]:.0f} | {sorted(times)[7]:.0f} | {max(times):.0f} |")


def pictures(port, middle):
    """Measures the same in a browser: until the places are painted, and while dragging."""
    print("\n| page | first picture ms | a pan ms, three of them | longest time without a frame ms |\n| --- | ---: | ---: | ---: |")
    latitude, longitude = middle
    with Browser() as browser:
        page = browser.open("about:blank")
        page.call("Page.addScriptToEvaluateOnNewDocument", source=WITNESS)
        for name, place in [("the world", ""), *((f"zoom {zoom}", f"#{latitude:.4f}/{longitude:.4f}/{zoom}") for zoom in [4, 6, 9, 12])]:
            page.go("about:blank")
            page.go(f"http://127.0.0.1:{port}/map{place}")
            page.wait("document.documentElement.dataset.ready === 'map' && window.taken?.length > 0")
            first = page.run("window.taken[0]")
            pans = []
            page.run("frames_()")
            for step in range(3):
                before = page.run("window.taken.length")
                page.drag((1_000, 400), (700, 400 + 40 * step))
                page.wait(f"window.taken.length > {before}")
                pans.append(page.run("window.taken.at(-1) - performance.getEntriesByType('resource').filter((one) => one.name.includes('/v1/places')).at(-1).startTime"))
            print(f"| {name} | {first:.0f} | {', '.join(f'{pan:.0f}' for pan in pans)} | {page.run('frames_()'):.0f} |")
        problems = page.problems
    if problems:
        print("problems:", problems)


def used(process):
    """CPU seconds of the process."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def watch(port, process, token):
    """Opens many pages: each reads the events of the overview, with a browser session."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/sign-in", f"token={token}", {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"})
    answer = connection.getresponse()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    counts = [0] * PAGES

    def listen(number):
        own = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS + 30)
        # Uses several addresses of this machine, because one may have only 256 connections.
        own.source_address = (f"127.0.0.{2 + number % 4}", 0)
        own.request("GET", "/v1/overview/events", headers={"Cookie": cookie, "Sec-Fetch-Site": "same-origin", "Accept-Encoding": "gzip"})
        stream = own.getresponse()
        while piece := stream.read1(65_536):
            counts[number] += 1
            if stop.is_set():
                break

    stop = threading.Event()
    for number in range(PAGES):
        threading.Thread(target=listen, args=[number], daemon=True).start()
    time.sleep(5)
    before, began, heard = used(process), time.monotonic(), sum(counts)
    time.sleep(SECONDS)
    share = (used(process) - before) / (time.monotonic() - began)
    events = (sum(counts) - heard) / SECONDS
    stop.set()
    print(f"\n{PAGES} pages open for {SECONDS} s: the coordinator used {share * 100:.1f} % of a core, and sent {events:.0f} events a second; load {load():.1f}; every page heard {min(counts)} or more")


def main():
    waypost, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    subprocess.run([waypost, "migrate"], check=True, stdout=subprocess.DEVNULL)
    # The coordinator's start creates the account that FILL needs.
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        process, port = start(waypost, folder)
        began = time.monotonic()
        sql = folder / "fill.sql"
        sql.write_text(FILL, encoding="utf-8")
        subprocess.run(["psql", os.environ["DATABASE_URL"], "-q", "-v", "ON_ERROR_STOP=1", "-v", f"count={count}", "-f", str(sql)], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run(["psql", os.environ["DATABASE_URL"], "-At", "-c", "SELECT latitude, longitude FROM geocodes WHERE city = 'Town 1' LIMIT 1"], check=True, capture_output=True, text=True)
        middle = tuple(float(value) for value in done.stdout.strip().split("|"))
        print(f"{count:,} located addresses, made in {time.monotonic() - began:.0f} s; load {load():.1f}\n", flush=True)
        try:
            answers(port, middle)
            searches(port)
            print(f"load {load():.1f}", flush=True)
            pictures(port, middle)
            print(f"load {load():.1f}", flush=True)
            token = subprocess.run([waypost, "tokens", "create", "many", "--account", "default", "--scope", "read", "--scope", "admin"], check=True, capture_output=True, text=True).stdout.strip()
            watch(port, process, token)
        finally:
            process.terminate()
            process.wait(30)


main()
