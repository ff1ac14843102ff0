#!/usr/bin/env python3
"""Tests of a map as a file. The real program makes it from hostile contacts, and a real browser opens it.

    Tests/Browser/map_file.py .build/debug/waypost .build/pictures
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

from browser import Browser

HOSTILE = [
    "</script><script>window.broken = 1</script>", "<!--<script>", "<img src=x onerror='window.broken = 1'>", "a\u2028b\u2029c",
    "]]>\\u003cb\\", "'\"`${window.broken = 1}", "\u202eAda", "=1+1", "&lt;b&gt;&amp;",
]
TOWNS = [
    ("München", "Deutschland"), ("Reno", "US"), ("Helsinki", "Finland"), ("Auckland", "New Zealand"), ("Nowhereville", "Atlantis"),
]


def check(truth, what):
    if not truth:
        raise AssertionError(what)


def make(waypost, folder):
    with open(folder / "contacts.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "street", "city", "country"])
        names = HOSTILE + [f"Person {number}" for number in range(31)]
        for number, name in enumerate(names):
            table.writerow([number, name, "", *TOWNS[number % len(TOWNS)]])
    subprocess.run(
        [waypost, "geocode", "contacts.csv", "--temporary", "-o", "map.html", "-o", "map.geojson"], cwd=folder, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return names, json.loads((folder / "map.geojson").read_text(encoding="utf-8"))["features"]


def walk(browser, folder, pictures, names, features):
    address = (folder / "map.html").as_uri()
    page = browser.open(address)
    page.wait("document.documentElement.dataset.ready")
    check(page.run("document.title") == f"Map of {len(names)} addresses", "the title counts the rows")
    check(int(page.run("document.documentElement.dataset.drawn")) == len(features) == 32, "each located address is drawn")
    missing = len(names) - len(features)
    check(page.run("document.getElementById('sum').textContent") == f"{len(features)} on the map, {missing} without a place", "the sum")
    check(page.run("document.querySelectorAll('.rows li').length") >= 10, "the list has rows")
    check(page.run("document.querySelector('.rows .who').firstChild.data") == HOSTILE[0], "a hostile name is a text")
    page.picture(pictures / "map-file.png")

    def search(text, found):
        page.run("document.getElementById('search').select()")
        page.type(text)
        expected = f"{found} of {len(names)} addresses"
        page.wait(f"document.getElementById('found').textContent === {json.dumps(expected)}", 5)

    page.click("#search")
    search("munchen", 8)
    check(int(page.run("document.documentElement.dataset.drawn")) == 8, "the map shows what was searched")
    search("<img", 1)
    page.click(".rows li button")
    page.wait("document.querySelector('.popup h2')?.firstChild.data === " + json.dumps(HOSTILE[2]), 5)
    check("geo:" in page.run("document.querySelector('.popup a').href"), "the position is a geo: link")
    page.press("Tab")
    page.click("#search")
    search("person finland", 6)
    page.run("document.getElementById('search').value = ''; document.getElementById('search').dispatchEvent(new Event('input'))")
    page.wait("document.getElementById('found').textContent === ''")

    # A click hides a class of the legend, and another one shows it again.
    page.click("#legend button:last-of-type")
    page.wait(f"document.getElementById('found').textContent === '{len(features)} of {len(names)} addresses'", 5)
    page.click("#legend button:last-of-type")
    page.wait("document.getElementById('found').textContent === ''", 5)
    page.click("#search")
    page.press("Enter")  # Everything is in view again.
    for scale in ["provider", "precision"]:
        page.run(f"document.getElementById('scale').value = '{scale}'; document.getElementById('scale').dispatchEvent(new Event('change'))")
        check(int(page.run("document.documentElement.dataset.drawn")) == len(features), f"all are drawn by {scale}")

    # The list can be used by keyboard.
    page.run("document.querySelector('.rows li button').focus()")
    page.press("ArrowDown")
    check(page.run("document.activeElement.closest('li').dataset.place") == "1", "the arrow goes down")

    page.paper(pictures / "map-file.pdf")
    check(page.run("window.broken") is None, "no text of a contact ran")
    for width, height, dark, name in [(1280, 800, True, "dark"), (390, 844, False, "phone")]:
        other = browser.open(address, width, height, dark=dark, phone=name == "phone")
        other.wait("document.documentElement.dataset.ready")
        check(other.run("document.documentElement.scrollWidth <= innerWidth"), f"nothing is cut off on {name}")
        other.picture(pictures / f"map-file-{name}.png")
    for page in browser.pages.values():
        check(not page.problems, f"the console has {page.problems}")
        strange = [request for request in page.requests if request != address and not request.startswith("data:")]
        check(not strange, f"the page asked for {strange}")


def large(browser, folder):
    """Measures fifty thousand places: the time until they are shown, and the time of a pan."""
    page = (folder / "map.html").read_text(encoding="utf-8")
    head, data, _ = re.split(r'(?<=id="places">)|(?<=</script>)(?=\n</body>)', page)
    columns = json.loads(data.removesuffix("</script>"))["columns"]
    rows = []
    for number in range(50_000):
        row = dict.fromkeys(columns)
        row.update(
            key=f"id:{number}", name=f"Person {number}", city="Somewhere", status="located", latitude=-50 + number * 7919 % 110_000 / 1_000,
            longitude=-180 + number * 104_729 % 360_000 / 1_000, precision="city", confidence=0.05, area_confidence=0.5 + number % 50 / 100,
            provider="gazetteer")
        rows.append(list(row.values()))
    text = json.dumps({"attribution": [], "columns": columns, "rows": rows})
    (folder / "large.html").write_text(f"{head}{text}</script></body></html>", encoding="utf-8")
    began = time.monotonic()
    page = browser.open((folder / "large.html").as_uri())
    page.wait("document.documentElement.dataset.ready")
    ready = time.monotonic() - began
    check(int(page.run("document.documentElement.dataset.drawn")) == 50_000, "all are drawn")
    for _ in range(4):
        page.call("Input.dispatchMouseEvent", type="mouseWheel", x=800, y=400, deltaX=0, deltaY=-120)
    page.settle()
    began = time.monotonic()
    page.drag((900, 500), (700, 350))
    page.settle()
    pan = time.monotonic() - began
    page.run("document.querySelector('.rows').scrollTop = 1e6")
    page.wait("Number(document.querySelector('.rows li').dataset.place) > 17_000")
    check(page.run("document.querySelectorAll('.rows li').length") < 60, "only the rows in sight are in the page")
    check(not page.problems, f"the console has {page.problems}")
    return ready, pan


def main():
    waypost, pictures = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        folder = pathlib.Path(folder)
        walk(browser, folder, pictures, *make(waypost, folder))
        ready, pan = large(browser, folder)
    print(f"map as a file: right; 50,000 places there after {ready:.2f} s, a pan {pan * 1000:.0f} ms")


main()
