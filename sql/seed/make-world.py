#!/usr/bin/env python3
"""Makes world.json: the countries and large towns under the points of our maps.

    sql/seed/make-world.py FOLDER > sql/seed/world.json

The folder holds the unpacked Debian package r-cran-rnaturalearthdata 0.1.0 (apt-get download, dpkg-deb -x): Natural Earth's
countries at 1:50 million, which are in the public domain. The towns are the largest of places.tsv.gz. It needs rdata 1.1.0 from
PyPI. The same input makes the same bytes.

Neighbours share each border: it is one arc, thinned once, so that no gap opens between them. An arc is a text of differences in
hundredths of a degree, east before north: zigzag, five bits to a letter, the lowest first, the sixth bit saying that more follow.
"""

import csv
import gzip
import json
import lzma
import pathlib
import struct
import sys
import warnings
from collections import defaultdict

import rdata

HUNDREDTHS = 100
TOLERANCE = 2.8  # Hundredths of a degree: a coast may be that far off.
SMALLEST = 12  # Square hundredths: smaller islands are left out, unless they are all of a country.
TOWNS = 1_400
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def read(folder, name):
    """An object of an R package, from its lazy-load database."""
    data = pathlib.Path(folder) / "usr/lib/R/site-library/rnaturalearthdata/data"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        index = rdata.conversion.convert(rdata.parser.parse_data(gzip.decompress((data / "Rdata.rdx").read_bytes())))
    start, length = (int(number) for number in index["variables"][name])
    packed = (data / "Rdata.rdb").read_bytes()[start : start + length]
    size = struct.unpack(">I", packed[:4])[0]
    assert packed[4:5] == b"Z"
    raw = lzma.decompress(packed[5:], format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "preset": 6}])
    assert len(raw) == size
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rdata.parser.parse_data(raw).object


def attributes(node):
    """The slots of an R object, by name."""
    found = {}
    pair = node.attributes
    while pair is not None and pair.info.type.name == "LIST":
        symbol = pair.tag
        while symbol is not None and symbol.info.type.name == "REF":
            symbol = symbol.referenced_object
        found[symbol.value.value.decode()] = pair.value[0]
        pair = pair.value[1]
    return found


def rings(world):
    """The rings of each country: lists of points in hundredths of a degree."""
    for country in attributes(world)["polygons"].value:
        parts = []
        for part in attributes(country)["Polygons"].value:
            numbers = [round(number * HUNDREDTHS) for number in attributes(part)["coords"].value]
            count = len(numbers) // 2
            points = list(zip(numbers[:count], numbers[count:]))
            points = [point for place, point in enumerate(points) if place == 0 or point != points[place - 1]]
            if points[0] == points[-1]:
                points.pop()
            if len(points) > 2:
                parts.append(points)
        largest = max((abs(area(part)) for part in parts), default=0)
        yield [part for part in parts if abs(area(part)) >= SMALLEST or abs(area(part)) == largest]


def area(points):
    return sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1])) / 2


def thinned(points):
    """Douglas and Peucker's way, without recursion."""
    keep = {0, len(points) - 1}
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        (x1, y1), (x2, y2) = points[first], points[last]
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        farthest, distance = None, TOLERANCE
        for place in range(first + 1, last):
            x, y = points[place]
            if length:
                here = abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length
            else:
                here = ((x - x1) ** 2 + (y - y1) ** 2) ** 0.5
            if here > distance:
                farthest, distance = place, here
        if farthest:
            keep.add(farthest)
            spans += [(first, farthest), (farthest, last)]
    return [points[place] for place in sorted(keep)]


def topology(countries):
    """Arcs that end where borders meet, and each ring as the arcs that it runs along; ~number is an arc run backwards."""
    neighbours = defaultdict(set)
    for ring in (ring for country in countries for ring in country):
        for place, point in enumerate(ring):
            neighbours[point].update((ring[place - 1], ring[(place + 1) % len(ring)]))
    arcs, numbers, uses, along = [], {}, [], []
    for country in countries:
        for ring in country:
            ends = [place for place, point in enumerate(ring) if len(neighbours[point]) > 2]
            if not ends:
                # Begun where the others begin that have the same points, and where nothing is lost by thinning.
                ends = [ring.index(min(ring))]
            runs = []
            for start, end in zip(ends, ends[1:] + [ends[0] + len(ring)]):
                points = [ring[place % len(ring)] for place in range(start, end + 1)]
                forward = tuple(points) <= tuple(reversed(points))
                key = tuple(points if forward else reversed(points))
                if key not in numbers:
                    numbers[key] = len(arcs)
                    arcs.append(thinned(list(key)))
                    uses.append(0)
                uses[numbers[key]] += 1
                runs.append(numbers[key] if forward else ~numbers[key])
            along.append(runs)
    return arcs, uses, along


def text(points):
    letters, (x, y) = [], (0, 0)
    for east, north in points:
        for number in (east - x, north - y):
            number = number * 2 if number >= 0 else -number * 2 - 1
            while True:
                letters.append(LETTERS[number & 31 | (32 if number > 31 else 0)])
                number >>= 5
                if not number:
                    break
        x, y = east, north
    return "".join(letters)


def towns():
    with gzip.open(pathlib.Path(__file__).resolve().parent / "places.tsv.gz", "rt", encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE), key=lambda row: (-int(row["population"]), row["id"]))
    # The largest, and the largest of each country.
    seen, chosen = set(), []
    for row in rows:
        if len(chosen) < TOWNS or row["country"] not in seen:
            chosen.append([row["name"], round(float(row["latitude"]), 2), round(float(row["longitude"]), 2)])
        seen.add(row["country"])
    return chosen


def main():
    arcs, uses, along = topology(list(rings(read(sys.argv[1], "countries50"))))
    world = {
        "attribution": ["Made with Natural Earth", "© GeoNames, CC BY 4.0"],
        "arcs": [text(arc) for arc in arcs],
        "borders": [number for number, count in enumerate(uses) if count > 1],
        "rings": along,
        "towns": towns(),
    }
    json.dump(world, sys.stdout, ensure_ascii=False, separators=(",", ":"))
    print(file=sys.stderr)
    print(len(arcs), "arcs,", sum(map(len, arcs)), "points", file=sys.stderr)


main()
