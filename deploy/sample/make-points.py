#!/usr/bin/env python3
"""Makes points.csv.gz: the houses of Liechtenstein and of the centre of Helsinki, for the tour and the tests.

usage: make-points.py LIECHTENSTEIN.osm.pbf HELSINKI.osm.pbf

Needs osmium (Debian's package osmium-tool). The same maps make the same bytes.
"""

import csv
import gzip
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SEED = HERE.parent.parent / "sql" / "seed"
# Others belong to post office boxes.
STREET_POSTCODE = r"00\d\d0"
HEADING = ["number", "street", "city", "postcode", "country", "latitude", "longitude"]


def features(map_file, *filters):
    """The features of a map with one of the tags."""
    with tempfile.TemporaryDirectory() as folder:
        kept = pathlib.Path(folder) / "kept.osm.pbf"
        subprocess.run(["osmium", "tags-filter", "-o", kept, map_file, *filters], check=True, stderr=subprocess.DEVNULL)
        text = subprocess.run(["osmium", "export", "-f", "geojsonseq", kept], check=True, capture_output=True).stdout
    return [json.loads(line.lstrip("\x1e")) for line in text.decode().split("\n") if line]


def positions(coordinates):
    if isinstance(coordinates[0], (int, float)):
        return [coordinates[:2]]
    return [position for part in coordinates for position in positions(part)]


def centre(geometry):
    """The middle of the box around it, as PointFile reads it."""
    longitudes, latitudes = zip(*positions(geometry["coordinates"]))
    return (min(latitudes) + max(latitudes)) / 2, (min(longitudes) + max(longitudes)) / 2


def is_inside(latitude, longitude, polygons):
    """https://wrfranklin.org/Research/Short_Notes/pnpoly.html"""
    inside = False
    for polygon in polygons:
        for ring in polygon:
            for (x1, y1), (x2, y2) in zip(ring, ring[1:]):
                if (y1 > latitude) != (y2 > latitude) and longitude < (x2 - x1) * (latitude - y1) / (y2 - y1) + x1:
                    inside = not inside
    return inside


def houses(map_file, country):
    """A row for each number of each house with a street. A building comes before the shops in it."""
    rows = []
    for feature in features(map_file, "nwr/addr:housenumber"):
        tags = feature["properties"]
        street = (tags.get("addr:street") or tags.get("addr:place") or "").strip()
        latitude, longitude = centre(feature["geometry"])
        for number in re.split("[;,]", tags.get("addr:housenumber", "")):
            # The rest is a floor, or the name of a house.
            number = re.sub(r"^(\d+)\s*([A-Za-z])$", r"\1\2", number.strip())
            if street and "," not in street and re.fullmatch(r"\d+[A-Za-z]?([-–/]\d+[A-Za-z]?)?", number):
                is_building = feature["geometry"]["type"] != "Point"
                rows.append((not is_building, number, street, tags.get("addr:city", ""), tags.get("addr:postcode", ""),
                             country, round(latitude, 6), round(longitude, 6)))
    return sorted(rows)


def liechtenstein(map_file):
    """The towns are those of the boundaries, because half of the houses name none."""
    with gzip.open(SEED / "postcodes.tsv.gz", "rt", encoding="utf-8") as file:
        postcodes = {}
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row[0] == "LI":
                postcodes.setdefault(row[2].split("-")[0], row[1])
    towns = {
        feature["properties"]["name"]: feature["geometry"]["coordinates"]
        for feature in features(map_file, "r/boundary=administrative")
        if feature["properties"].get("admin_level") == "8" and "name" in feature["properties"]
        and feature["geometry"]["type"] == "MultiPolygon"
    }
    for _, number, street, _, postcode, country, latitude, longitude in houses(map_file, "LI"):
        town = next((name for name, area in towns.items() if is_inside(latitude, longitude, area)), None)
        if town:
            yield number, street, town, postcode if re.fullmatch(r"94\d\d", postcode) else postcodes[town], country, latitude, longitude


def helsinki(map_file):
    """A house without a postcode has that of the nearest house, of its own street if there is one."""
    rows = houses(map_file, "FI")
    known = [row for row in rows if re.fullmatch(STREET_POSTCODE, row[4])]
    for _, number, street, _, postcode, country, latitude, longitude in rows:
        if not re.fullmatch(STREET_POSTCODE, postcode):
            nearest = min(known, key=lambda row: (row[2] != street, abs(row[6] - latitude) * 2 + abs(row[7] - longitude)))
            postcode = nearest[4]
        yield number, street, "Helsinki", postcode, country, latitude, longitude


def main(liechtenstein_file, helsinki_file):
    rows = {}
    for row in [*liechtenstein(liechtenstein_file), *helsinki(helsinki_file)]:
        rows.setdefault(row[:3], row)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(HEADING)
    table.writerows(sorted(rows.values(), key=lambda row: (row[4], row[2], row[1], row[3], row[0])))
    (HERE / "points.csv.gz").write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))
    print(f"{len(rows)} houses")


main(*sys.argv[1:])
