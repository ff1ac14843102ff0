#!/usr/bin/env python3
"""Tests of a running cluster's pages in a real browser: signing in, each page, its numbers compared with the API's, keys,
and signing out.

    Tests/Browser/pages.py .build/debug/waypost .build/pictures [axe.min.js]

With axe-core the pages are checked for barriers to people who don't see, or don't use a mouse.
"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from browser import Browser, barriers, check, opened
from contacts import charts, contacts, errors, phone, search_map
from files import files
from lanes_and_trackers import lane_and_trackers, tiles
from lists import Lists
from resting import held_key, hidden_tab, over

TOWNS = [("München", "Deutschland"), ("Reno", "US"), ("Helsinki", "Finland"), ("Auckland", "New Zealand"), ("Nowhereville", "Atlantis")]
DOUBTFUL = ["Franklin", "Salem", "Madison"]  # There are several of each.
PEOPLE = 200


class Cluster:
    """A coordinator with its own worker and database."""

    def __init__(self, waypost, folder):
        self.waypost, self.folder = waypost, folder
        self.environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "PGHOST", "PGPORT")}
        self.environment.update(WAYPOST_LISTEN="127.0.0.1:0", WAYPOST_LOG_FORMAT="logfmt")
        self.log = open(folder / "log.txt", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [waypost, "up", "--workers", "1"], cwd=folder, env=self.environment, stdout=self.log, stderr=self.log)
        self.address = "http://" + self.said(r"address=(127\.0\.0\.1:\d+)")

    def said(self, pattern):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(pattern, (self.folder / "log.txt").read_text(encoding="utf-8"))
            if found:
                return found[1]
            time.sleep(0.05)
        raise AssertionError("the cluster did not begin: " + (self.folder / "log.txt").read_text(encoding="utf-8")[-2_000:])

    def run(self, *words):
        done = subprocess.run([self.waypost, *words], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def read(self, path, token=None, cookie=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {"Cookie": cookie} if cookie else {}
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, headers=headers), timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, None

    def end(self):
        self.process.terminate()
        self.process.wait(30)


def fill(cluster):
    with open(cluster.folder / "contacts.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "label", "city", "country"])
        for number in range(PEOPLE):
            name = "<img src=x onerror='window.broken = 1'>" if number == 0 else f"Person {number}"
            table.writerow([number, name, "home", *TOWNS[number % len(TOWNS)]])
        for town in DOUBTFUL:
            table.writerow([town, town, "home", town, "US"])
    cluster.run("import", "contacts.csv")
    deadline = time.monotonic() + 60
    while True:
        _, progress = cluster.read("/v1/progress")
        if progress["by_status"]["waiting"] == 0 and progress["addresses"] == PEOPLE + len(DOUBTFUL):
            return progress
        check(time.monotonic() < deadline, "the cluster answered nothing")
        time.sleep(0.1)


def sign_in(page, cluster, token):
    page.go(cluster.address + "/map")
    opened(page, "sign-in")
    page.click("#token")
    page.type("wp_1_" + "x" * 43)
    page.press("Enter")
    page.wait("document.querySelector('.wrong')?.textContent === 'This token is not valid here.'")
    opened(page, "sign-in")
    page.click("#token")
    page.type(token)
    page.press("Enter")


def first_token(page, cluster):
    """The first token is made from this machine without a token, and is needed from then on."""
    page.go(cluster.address + "/tokens")
    opened(page, "tokens")
    page.wait("document.querySelector('.empty')?.textContent.startsWith('There is no token yet')")
    page.click("[data-act=create]")
    page.wait("document.querySelectorAll('[name=scope]').length === 5")
    page.click(".ask [name=name]")
    page.type("admin")
    page.click("[name=scope][value=admin]")
    page.run("document.querySelector('.ask [name=life]').value = ''")
    page.press("Enter")
    page.wait("document.getElementById('made')?.value.startsWith('wp_') && document.querySelectorAll('.ask').length === 1")
    check("every request needs a token, also from this browser" in page.run("document.querySelector('.ask .said').textContent"), "the page warns")
    token = page.run("document.getElementById('made').value")
    page.press("Enter")
    opened(page, "sign-in")
    return token


def walk(browser, cluster, progress, pictures, axe):
    # Before the first token, this machine needs none.
    page = browser.open(cluster.address + "/")
    opened(page, "overview")
    check("no token yet" in page.run("document.getElementById('person').textContent"), "the page says that there is no token")
    check(page.run("document.getElementById('leave').hidden"), "nobody signs out who did not sign in")

    files(page, cluster, None, pictures, axe)
    admin = first_token(page, cluster)
    reader = cluster.run("tokens", "create", "reader", "--account", "default", "--scope", "read").strip()
    sign_in(page, cluster, admin)
    opened(page, "overview")
    cookies = [cookie for cookie in page.call("Network.getCookies")["cookies"] if cookie["name"] == "waypost_session"]
    check(len(cookies) == 1 and cookies[0]["httpOnly"] and cookies[0]["sameSite"] == "Strict", "the cookie is for the server alone")
    check(page.run("document.cookie") == "", "no script reads the cookie")

    # The page's numbers equal the API's.
    for status in ["waiting", "located", "not_found"]:
        shown = page.run(f"document.querySelector('[data-name={status}] dd').firstChild.data")
        check(shown == f"{progress['by_status'][status]:,}", f"{status}: {shown}")
    page.wait("!!document.querySelector('[data-lane]')")
    lanes = cluster.read("/v1/overview", token=admin)[1]["lanes"]
    check(page.run("[...document.querySelectorAll('[data-lane]')].map((row) => row.dataset.lane)") == [lane["name"] for lane in lanes], "the lanes")
    page.wait("!!document.querySelector('[data-worker] th')")
    page.wait("document.querySelector('.past figcaption').textContent.includes('call')")
    saved = cluster.read("/v1/overview", token=admin)[1]["calls_saved"]
    check(page.run("document.querySelector('[data-name=saved] dd').firstChild.data") == f"{saved:,}", "the calls that were saved")
    charts(page, pictures)
    page.picture(pictures / "overview.png")
    check(barriers(page, axe) == [], f"overview: {barriers(page, axe)}")

    page.press("g")
    page.press("l")
    opened(page, "lanes")
    for lane in lanes:
        shown = page.run(f"document.querySelector('[data-lane=\"{lane['name']}\"] [data-name=dead]').textContent")
        check(shown == str(lane["dead"]), f"{lane['name']}: {shown}")
    page.picture(pictures / "lanes.png")
    check(barriers(page, axe) == [], f"lanes: {barriers(page, axe)}")

    page.press("g")
    page.press("m")
    opened(page, "map")
    located = progress["by_status"]["located"]
    page.wait(f"document.documentElement.dataset.drawn === '{located}'")
    check(page.run("document.getElementById('title').textContent") == f"{located} places in view", "the map counts what it shows")
    check(page.run("document.documentElement.dataset.share") == "1", "nothing is left out")
    page.picture(pictures / "map.png")
    check(barriers(page, axe) == [], f"map: {barriers(page, axe)}")
    page.press("/")
    page.type("<img")
    page.wait("document.documentElement.dataset.drawn === '1'")
    page.click(".rows li button")
    page.wait("document.querySelector('.popup dl')?.textContent.includes('München')")
    check(page.run("window.broken") is None, "no name ran")
    page.run("document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input')); document.activeElement.blur()")
    page.press("?")
    page.wait("document.getElementById('keys').open")
    check(barriers(page, axe) == [], f"keys: {barriers(page, axe)}")
    page.press("Escape")
    page.wait("!document.getElementById('keys').open")

    for name, width, height in [("phone", 390, 844), ("dark", 1280, 800)]:
        for path, ready in [("/map", "map"), ("/", "overview"), ("/lanes", "lanes"), ("/jobs", "jobs"), ("/workers", "workers"), ("/contacts", "contacts"), ("/review", "review"),
                            ("/answers", "answers"), ("/tokens", "tokens"), ("/settings", "settings"), ("/files", "files"), ("/gateway", "gateway")]:
            other = browser.open(cluster.address + path, width, height, dark=name == "dark", phone=name == "phone")
            opened(other, ready)
            check(other.run("document.documentElement.scrollWidth <= innerWidth"), f"nothing of {path} is cut off on a {name}")
            other.picture(pictures / f"{ready}-{name}.png")
            check(barriers(other, axe) == [], f"{path} {name}: {barriers(other, axe)}")
            other.close()

    errors(page, cluster, pictures, axe)
    lists = Lists(page, cluster, admin, pictures, check, opened, lambda page: barriers(page, axe))
    lists.walk()
    steer(page, cluster, admin, pictures, axe)
    phone(browser, cluster, pictures, ("/lanes", "lanes"), ("/contacts", "contacts"), ("/jobs?state=finished", "jobs"), ("/review", "review"), ("/gateway", "gateway"))
    review(page, cluster, admin, progress, pictures, axe)

    # After signing out, a copy of the cookie is invalid too.
    copy = f"waypost_session={cookies[0]['value']}"
    check(cluster.read("/v1/progress", cookie=copy)[0] == 200, "the cookie is good")
    page.click("#leave button")
    opened(page, "sign-in")
    check(cluster.read("/v1/progress", cookie=copy)[0] == 401, "the cookie is good for nothing any more")
    page.picture(pictures / "sign-in.png")
    check(barriers(page, axe) == [], f"sign-in: {barriers(page, axe)}")

    # Without the scope admin, the page neither shows nor requests anything of the cluster.
    sign_in(page, cluster, reader)
    opened(page, "overview")
    check(page.run("document.querySelector('[data-lane]')") is None, "a reader sees no lanes")
    for name in ["lanes", "jobs", "workers", "answers", "tokens", "settings", "gateway"]:
        page.go(f"{cluster.address}/{name}")
        opened(page, name)
        check("admin" in page.run("document.querySelector('.lead').textContent"), f"{name} says what it takes")
        check(page.run("document.querySelector('[data-act]')") is None, f"{name} has no act for a reader")

    page.go(f"{cluster.address}/contacts/1")
    page.wait("!!document.querySelector('[data-address]')")
    check(page.run("document.querySelector('[data-act^=again]')") is None, "a reader can't ask again")

    roamer = lane_and_trackers(browser, page, cluster, pictures, axe, sign_in)
    phone(browser, cluster, pictures, ("/trackers", "trackers"), ("/lanes/gazetteer", "lane"))
    contacts(page, cluster, roamer, pictures, axe)
    search_map(page, cluster, pictures)
    hidden_tab(browser, cluster)
    tiles(browser, page, cluster, pictures)

    over(browser, cluster, lists.sql)
    for page in browser.pages.values():
        check(not page.problems, f"the console has {page.problems}")
        strange = [address for address in page.requests if not address.startswith((*page.expected, cluster.address + "/", "data:"))]
        check(not strange, f"the pages asked for {strange}")


def steer(page, cluster, admin, pictures, axe):
    """A click pauses a lane, and its limits are set."""
    page.go(cluster.address + "/lanes")
    opened(page, "lanes")

    def lane():
        return cluster.read("/v1/lanes/gazetteer", token=admin)[1]

    page.click("[data-act='pause gazetteer']")
    page.wait("document.querySelector('[data-lane=gazetteer] .state').textContent === 'paused'")
    check(lane()["state"] == "paused", "the lane is paused in the database")
    page.click("[data-act='resume gazetteer']")
    page.wait("document.querySelector('[data-lane=gazetteer] .state').textContent === 'open'")
    check(lane()["state"] == "open", "the lane runs again")
    page.click("[data-act='limits gazetteer']")
    page.wait("!!document.querySelector('.ask')?.open")
    page.type("many")
    page.press("Enter")
    page.wait("document.querySelector('.ask .wrong').textContent === 'This is not a limit.'")
    check(barriers(page, axe) == [], f"limits: {barriers(page, axe)}")
    page.run("document.getElementById('limits').select()")
    page.type("20/s 300/min:burst=5")
    page.press("Enter")
    page.wait("!document.querySelector('.ask')")
    limits = [(limit["calls"], limit["per_seconds"], limit["burst"]) for limit in lane()["limits"]]
    check(len(limits) == 2 and limits[1] == (300, 60, 5), f"the limits are {limits}")
    page.wait("document.querySelector('[data-lane=gazetteer]').textContent.includes('20/s, 300/min')")
    page.picture(pictures / "lanes.png")


def review(page, cluster, admin, progress, pictures, axe):
    """Doubtful answers are decided by keys, and a decision is undone."""
    doubtful = progress["by_status"]["needs_review"]
    check(doubtful == len(DOUBTFUL), f"{doubtful} wait for a person")

    def statuses():
        return cluster.read("/v1/progress", token=admin)[1]["by_status"]

    page.go(cluster.address + "/review")
    opened(page, "review")
    first = page.run("Number(document.documentElement.dataset.question)")
    question = cluster.read(f"/v1/review/{first}", token=admin)[1]
    check(page.run("document.querySelectorAll('[data-candidate]').length") == len(question["candidates"]), "all candidates are there")
    check(page.run("document.querySelectorAll('.leaflet-marker-icon').length") == len(question["candidates"]), "each is on the map")
    page.picture(pictures / "review.png")
    check(barriers(page, axe) == [], f"review: {barriers(page, axe)}")

    held_key(page)
    page.press("2")
    page.wait("document.querySelector('[data-candidate=\"2\"]').ariaPressed === 'true'")
    page.press("a")
    page.wait(f"document.documentElement.dataset.question !== '{first}'")
    accepted = cluster.read(f"/v1/review/{first}", token=admin)[1]
    check(accepted["status"] == "located", f"what was accepted is {accepted['status']}")
    check(accepted["place"]["latitude"] == question["candidates"][1]["latitude"], "the second candidate is the place")
    page.press("u")
    page.wait(f"document.documentElement.dataset.question === '{first}'")
    check(cluster.read(f"/v1/review/{first}", token=admin)[1]["status"] == "needs_review", "what was taken back waits again")

    page.press("r")
    page.wait(f"document.documentElement.dataset.question !== '{first}'")
    second = page.run("Number(document.documentElement.dataset.question)")
    page.press("p")
    page.wait("!!document.querySelector('.pin')")
    x, y = page.place(".pin")
    page.drag((x, y), (x + 60, y + 40))
    page.picture(pictures / "review-pin.png")
    page.press("Enter")
    page.wait(f"document.documentElement.dataset.question !== '{second}'")
    pinned = cluster.read(f"/v1/review/{second}", token=admin)[1]
    check(pinned["status"] == "located" and pinned["is_pinned"], "the pin is the place")
    check(statuses()["needs_review"] == doubtful - 2, "one is left")
    page.press("a")
    page.wait("document.querySelector('#question h1').textContent === 'Nothing to review'")
    check(statuses()["needs_review"] == 0, "none is left")


def main():
    waypost, pictures = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    axe = pathlib.Path(sys.argv[3]).read_text(encoding="utf-8") if len(sys.argv) > 3 else None
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(waypost, pathlib.Path(folder))
        try:
            with Browser() as browser:
                walk(browser, cluster, fill(cluster), pictures, axe)
        finally:
            cluster.end()
    print("pages: right" + ("" if axe else "; NOT TESTED for barriers, for axe-core is not here"))


main()
