"""Tests of the page of one lane with its audit, the trackers with a growing track, and a map service below the map."""

import csv
import http.server
import json
import re
import subprocess
import threading
import time
import urllib.request

from browser import barriers, check, opened

CALLS = 40


def lane_and_trackers(browser, page, cluster, pictures, axe, sign_in):
    scopes = [word for scope in ["read", "write", "admin", "locate", "track"] for word in ("--scope", scope)]
    token = cluster.run("tokens", "create", "roamer", "--account", "default", *scopes).strip()
    page.go(cluster.address + "/trackers")
    opened(page, "trackers")
    check("locate" in page.run("document.querySelector('.lead').textContent"), "without the scope the page says what it takes")
    page.click("#leave button")
    opened(page, "sign-in")
    sign_in(page, cluster, token)
    opened(page, "overview")
    lane(page, cluster, token, pictures, axe)
    user = trackers(page, cluster, token, pictures, axe)
    for name, width, height in [("phone", 390, 844), ("dark", 1280, 800)]:
        for path, ready in [("/lanes/gazetteer", "lane"), ("/trackers", "trackers"), (f"/trackers/{user}", "tracker")]:
            other = browser.open(cluster.address + path, width, height, dark=name == "dark", phone=name == "phone")
            opened(other, ready)
            check(other.run("document.documentElement.scrollWidth <= innerWidth"), f"nothing of {path} is cut off on a {name}")
            other.picture(pictures / f"{ready}-{name}.png")
            check(barriers(other, axe) == [], f"{path} {name}: {barriers(other, axe)}")
            other.close()
    return token


def lane(page, cluster, token, pictures, axe):
    """The calls of one lane are drawn below its limits."""
    cluster.run("lanes", "set", "gazetteer", "--batch", "1")
    cluster.run("lanes", "limit", "gazetteer", "25/s:burst=8", "600/min:burst=30")
    with open(cluster.folder / "calls.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "label", "street", "city", "country"])
        table.writerows([f"call {number}", f"Called {number}", "home", f"{number} Main Street", "Reno", "US"] for number in range(CALLS))
    cluster.run("import", "calls.csv")
    deadline = time.monotonic() + 30
    while cluster.read("/v1/lanes/gazetteer/audit?last_seconds=300", token=token)[1]["calls"] < CALLS:
        check(time.monotonic() < deadline, "the calls were not made")
        time.sleep(0.05)
    page.click("#nav a[href='/lanes']")
    opened(page, "lanes")
    page.click("[data-act='open gazetteer']")
    opened(page, "lane")
    page.wait("!!document.querySelector('.staircase path.stairs')")
    page.wait("document.querySelector('[data-name=ready] dd')?.textContent === '0'")
    audit = cluster.read("/v1/lanes/gazetteer/audit?last_seconds=300", token=token)[1]
    check(page.run("document.documentElement.dataset.calls") == str(audit["calls"]), "the page counts the calls that the audit counts")
    check(not audit["is_exceeded"] and len(audit["limits"]) == 2, "the limits were kept")
    shown = page.run("[...document.querySelectorAll('[data-limit] [data-name=verdict]')].map((one) => one.textContent)")
    check(shown == ["kept in every window"] * 2, f"the verdicts are {shown}")
    check(page.run("document.querySelectorAll('.staircase path.permitted').length") == 2, "each limit has its line")
    # At every step of the picture, the calls are below each line of a limit. In a lane that exceeded a limit they would
    # not be.
    below = """(audit) => import('/assets/staircase.js').then(({ permitted }) => audit.limits.every((_, place) => {
        const line = permitted(audit, place);
        const at = (moment) => Math.max(...line.filter(([when]) => when === moment).map(([, calls]) => calls));
        return line.every(([, calls], point) => !point || calls >= line[point - 1][1] - 1e-6) && audit.steps.every((step) => step.calls <= at(step.at) + 1e-6);
    }))"""
    check(page.run(f"({below})({json.dumps(audit)})") is True, "the calls are below what was permitted")
    audit["steps"][-1]["room"] = [-2, -2]
    check(page.run(f"({below})({json.dumps(audit)})") is False, "calls beyond a limit cross its line")
    check(page.run("document.querySelector('.staircase svg').ariaLabel").startswith(f"{CALLS} calls"), "the picture is said in words")
    page.picture(pictures / "lane.png")
    check(barriers(page, axe) == [], f"lane: {barriers(page, axe)}")
    page.click("[data-act='pause gazetteer']")
    page.wait("document.getElementById('state').textContent.startsWith('paused')")
    check(cluster.read("/v1/lanes/gazetteer", token=token)[1]["state"] == "paused", "the lane is paused in the database")
    page.click("[data-act='resume gazetteer']")
    page.wait("document.getElementById('state').textContent.startsWith('open')")


def trackers(page, cluster, token, pictures, axe):
    """Shows a list of trackers, and one track on the map, to which a fix is added meanwhile."""
    user = "ada@example.org"

    def send(path, body):
        request = urllib.request.Request(
            cluster.address + path, json.dumps(body).encode(), {"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    page.press("g")
    page.press("t")
    opened(page, "trackers")
    check("There are no trackers" in page.run("document.getElementById('main').textContent"), "an empty list says what to do")
    now = time.time()
    for name in [user, "bob"]:
        send(f"/v1/trackers/{name}/start", {"since": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - 90_000))})
    # A day in Helsinki: home, the harbour, the office, lunch, the office, and home again.
    way = [(60.1870, 24.9210, 0, 7), (60.1802, 24.9290, 7.4, 7.4), (60.1675, 24.9530, 8, 8.3), (60.1699, 24.9384, 8.7, 12), (60.1655, 24.9420, 12.2, 13),
           (60.1699, 24.9386, 13.2, 17.5), (60.1760, 24.9260, 18, 18.1), (60.1870, 24.9212, 18.6, 22.5)]
    fixes = [{"lat": lat, "lng": lng, "accuracy": 8, "timestamp": now - 85_000 + 3_600 * hour} for lat, lng, begin, end in way for hour in sorted({begin, (begin + end) / 2, end})]
    send(f"/v1/trackers/{user}/locations", fixes)
    send("/v1/trackers/bob/stop", {})
    page.wait("document.documentElement.dataset.trackers === '2'")
    page.wait(f"!!document.querySelector('[data-tracker=\"{user}\"] [data-name=locations]')?.textContent.match(/[1-9]/)")
    for tracker in cluster.read("/v1/trackers?add=counts", token=token)[1]["data"]:
        row = page.run(f"document.querySelector('[data-tracker=\"{tracker['user']}\"]').textContent")
        check(("on" if tracker["tracking"] else "off") in row, f"{row}")
        shown = page.run(f"document.querySelector('[data-tracker=\"{tracker['user']}\"] [data-name=locations]').textContent")
        check(shown == str(tracker["locations"]), f"{tracker['user']}: {shown}")
    page.picture(pictures / "trackers.png")
    check(barriers(page, axe) == [], f"trackers: {barriers(page, axe)}")

    page.click(f"[data-user='{user}']")
    opened(page, "tracker")
    known = cluster.read(f"/v1/trackers/{user}/locations", token=token)[1]["data"]
    check(len(known) == len(way), f"{len(known)} stays")
    page.wait(f"document.documentElement.dataset.drawn === '{len(known)}'")
    check(page.run("document.getElementById('count').textContent") == f"{len(known)} locations", "the page counts the stays")
    send(f"/v1/trackers/{user}/locations", [{"lat": 60.2055, "lng": 24.9650, "accuracy": 5, "timestamp": now - 60}])
    page.wait(f"document.documentElement.dataset.drawn === '{len(known) + 1}'")
    page.click(".rows li:nth-child(2) button")
    page.wait("document.querySelector('.popup h2')?.textContent.startsWith('Stayed')")
    page.wait("document.querySelector('.leaflet-popup').getBoundingClientRect().top >= document.getElementById('map').getBoundingClientRect().top")
    page.picture(pictures / "tracker.png")
    check(barriers(page, axe) == [], f"tracker: {barriers(page, axe)}")
    log = (cluster.folder / "log.txt").read_text(encoding="utf-8")
    check(user not in log and "60.18" not in log, "the log has neither who nor where")
    return user


class Tile(http.server.BaseHTTPRequestHandler):
    """Returns a picture of one colour for any tile."""
    asked = []

    def do_GET(self):
        Tile.asked.append((self.path, self.headers.get("Referer")))
        body = (b"<svg xmlns='http://www.w3.org/2000/svg' width='256' height='256'><rect width='256' height='256' fill='#cfe3c4'/>"
                b"<path d='M0 0H256V256' fill='none' stroke='#8fb07c'/></svg>")
        self.send_response(200)
        self.send_header("Content-Type", "image/svg+xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def tiles(browser, page, cluster, pictures):
    """Starts a second coordinator with a map service: the only other host requested, which gets no page address."""
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tile)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{service.server_port}"
    environment = {**cluster.environment, "WAYPOST_MAP_TILES": origin + "/tiles/{z}/{x}/{y}.svg", "WAYPOST_MAP_ATTRIBUTION": "© Tile <b>makers</b>"}
    log = cluster.folder / "tiles.txt"
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen([cluster.waypost, "coordinator"], cwd=cluster.folder, env=environment, stdout=file, stderr=file)
    try:
        deadline = time.monotonic() + 30
        while not (found := re.search(r"address=(127\.0\.0\.1:\d+)", log.read_text(encoding="utf-8"))):
            check(process.poll() is None and time.monotonic() < deadline, "the second coordinator did not begin: " + log.read_text(encoding="utf-8")[-1_000:])
            time.sleep(0.05)
        address = "http://" + found[1]
        check("img-src 'self' data:;" in urllib.request.urlopen(cluster.address + "/map").headers["Content-Security-Policy"], "without a map service only ours")
        policy = urllib.request.urlopen(address + "/map").headers["Content-Security-Policy"]
        check(f"img-src 'self' data: {origin};" in policy, f"the policy is {policy}")
        # A cookie is valid for the host on every port.
        other = browser.open(address + "/map#48.1374/11.5755/9")
        other.expected = (address + "/", origin + "/tiles/")
        opened(other, "map")
        other.wait("document.querySelectorAll('img.leaflet-tile-loaded').length > 8")
        other.wait("document.querySelector('.leaflet-control-attribution').textContent.includes('© Tile <b>makers</b>')")
        over = "Number(getComputedStyle(document.querySelector('.tiles')).zIndex) > Number(getComputedStyle(document.querySelector('.leaflet-tile-pane canvas')).zIndex)"
        check(other.run(over), "the pictures lie above the outline")
        other.picture(pictures / "map-tiles.png")
        check(Tile.asked and all(re.fullmatch(r"/tiles/9/\d+/\d+\.svg", path) and referrer is None for path, referrer in Tile.asked), f"asked for {Tile.asked[:3]}")
        Tile.asked.clear()
        page.go(cluster.address + "/map#48.1374/11.5755/9")
        opened(page, "map")
        page.wait("document.querySelector('.leaflet-control-attribution').textContent.includes('Natural Earth')")
        check(not Tile.asked, "without the setting nothing is asked of the map service")
    finally:
        process.terminate()
        process.wait(30)
        service.shutdown()
