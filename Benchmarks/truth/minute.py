#!/usr/bin/env python3
"""Geocodes one list with Waypost, with geopy and with csvgeocode, each as its documentation shows it, by one Nominatim.

    .ci/with-nominatim Benchmarks/truth/minute.py .build/release/waypost FOLDER [CSVGEOCODE]

FOLDER keeps the list and the results. CSVGEOCODE is a checkout of github.com/veltman/csvgeocode with its packages. Needs
geopy (PyPI) and psql. The houses are those of the server's maps, chosen by a seed: plain, twice, with a flat, with a typo
in the street, in streets that do not exist. A row is right within 200 m; it is wrong if it has another position and no
mark: `weak`, `reason` or a status for Waypost, nothing for the others, which have none.
"""

import csv
import os
import pathlib
import random
import subprocess
import sys
import time

from lines import kilometres

GEOPY = """\
import csv, sys
from geopy.geocoders import Nominatim
from geopy.extra.rate_limiter import RateLimiter
geolocator = Nominatim(user_agent="list", domain=sys.argv[3], scheme="http")
geocode = RateLimiter(geolocator.geocode, min_delay_seconds=float(sys.argv[4]))
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8")))
for row in rows:
    found = geocode(", ".join([row["street"], row["postcode"] + " " + row["city"], row["country"]]))
    row["latitude"], row["longitude"] = (found.latitude, found.longitude) if found else ("", "")
with open(sys.argv[2], "w", encoding="utf-8", newline="") as file:
    writer = csv.DictWriter(file, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
"""
CSVGEOCODE = """\
const [input, output, url, delay] = process.argv.slice(3);
require(process.argv[2])(input, output, {
  url: url + "/search?format=json&q={{street}}, {{postcode}} {{city}}, {{country}}", delay: Number(delay),
  handler: (body) => { const all = JSON.parse(body); return all.length ? {lat: all[0].lat, lng: all[0].lon} : "NO MATCH"; },
}).on("complete", () => process.exit(0));
"""


def houses():
    """Streets with their town, number, postcode and position."""
    found = subprocess.run(
        ["psql", os.environ["WAYPOST_NOMINATIM_DATABASE"], "-AtF", "|", "-c", """
         SELECT p.address->'street', p.housenumber, coalesce(p.address->'city', t.name->'name'), p.postcode,
                p.country_code, ST_Y(p.centroid), ST_X(p.centroid)
         FROM placex AS p JOIN placex AS street ON street.place_id = p.parent_place_id AND street.class = 'highway'
         LEFT JOIN LATERAL (
             SELECT a.name FROM place_addressline AS l JOIN placex AS a ON a.place_id = l.address_place_id
             WHERE l.place_id = street.place_id AND l.isaddress AND a.rank_address BETWEEN 16 AND 17
             ORDER BY a.rank_address LIMIT 1) AS t ON true
         WHERE p.housenumber ~ '^[0-9]+[a-z]?$' AND p.address ? 'street' ORDER BY p.osm_type, p.osm_id"""],
        check=True, capture_output=True, text=True).stdout
    rows = [line.split("|") for line in found.splitlines()]
    return [row for row in rows if len(row) == 7 and all(row)]


def entries(count=200):
    """The kind, the cells and the position of each row."""
    chance = random.Random(11)
    chosen = chance.sample(houses(), count)
    for number, (street, house, city, postcode, code, latitude, longitude) in enumerate(chosen):
        country = {"fi": "Finland", "li": "Liechtenstein"}[code]
        point, line, kind = (float(latitude), float(longitude)), f"{street} {house}", "plain"
        if number % 10 == 1:
            kind, line = "flat", line + (" as 4" if code == "fi" else ", 2. Stock")
        elif number % 10 == 2 and len(street) > 7:
            place = chance.randrange(2, len(street) - 2)
            kind, line = "typo", f"{street[:place]}{street[place + 1:]} {house}"
        elif number % 20 == 3:
            kind, line, point = "unknown", f"{chance.choice(['Quassel', 'Xylo', 'Mirandel'])}{'katu' if code == 'fi' else 'gasse'} {house}", None
        elif number % 20 == 4:
            kind, line, point = "no such house", f"{street} {int(house.rstrip('abcdefghijklmnopqrstuvwxyz')) + 2000}", None
        row = [line, postcode, city, country]
        yield kind, row, point
        if number % 5 == 0:
            yield "twice", row, point


def main():
    waypost, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    url = os.environ["WAYPOST_NOMINATIM_URL"]
    truth = list(entries())
    environment = {key: os.environ[key] for key in os.environ if key == "WAYPOST_NOMINATIM_URL" or "WAYPOST" not in key}
    with open(folder / "list.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["street", "postcode", "city", "country"], *(row for _, row, _ in truth)])
    (folder / "geo.py").write_text(GEOPY)
    (folder / "geo.js").write_text(CSVGEOCODE)
    runs = [("waypost", [waypost, "geocode", "list.csv", "-o", "waypost.csv"])]
    domain = url.split("//")[1].rstrip("/")
    for delay in ("0", "1"):
        runs.append((f"geopy{delay}", [sys.executable, "geo.py", "list.csv", f"geopy{delay}.csv", domain, delay]))
    if len(sys.argv) > 3:
        module = os.path.abspath(sys.argv[3])
        runs.append(("csvgeocode", ["node", "geo.js", module, "list.csv", "csvgeocode.csv", url.rstrip("/"), "250"]))
    print(f"{len(truth)} rows, {len({tuple(row) for _, row, _ in truth})} different")
    for name, command in runs:
        begin = time.monotonic()
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        took = time.monotonic() - begin
        output = folder / f"{name}.csv"
        if not output.exists():
            print(name, done.stderr[-500:])
            continue
        with open(output, encoding="utf-8", newline="") as file:
            answers = list(csv.DictReader(file))
        counts, kinds = {"right": 0, "marked": 0, "wrong": 0, "none": 0}, {}
        for (kind, _, point), answer in zip(truth, answers, strict=True):
            latitude, longitude = answer.get("latitude") or answer.get("lat"), answer.get("longitude") or answer.get("lng")
            if not latitude:
                outcome = "marked" if answer.get("status") == "needs_review" else "none"
            elif point and kilometres((float(latitude), float(longitude)), point) <= 0.2:
                outcome = "right"
            else:
                outcome = "marked" if answer.get("weak") == "true" or answer.get("reason") else "wrong"
            counts[outcome] += 1
            kinds[kind, outcome] = kinds.get((kind, outcome), 0) + 1
        print(f"{name:12}{took:8.1f} s", counts, dict(sorted(kinds.items())), flush=True)


main()
