#!/usr/bin/env python3
"""Measures how far houses are from the point of a coarser answer, for Tests/GeocodingTests/house-distances.tsv.

    osmium tags-filter X.osm.pbf nwr/addr:housenumber w/highway -o Y.osm.pbf
    osmium export Y.osm.pbf -f geojsonseq -x print_record_separator=false -o FI.jsonl
    make-distances.py FOLDER places5000.csv.gz postcodes_core.csv.gz > house-distances.tsv

FOLDER has FI.jsonl (the centre of Helsinki) and LI.jsonl (Liechtenstein); both extracts are those of `make test-nominatim`. The other
files are GeoNames'. Only distances are written, no addresses. Data: OpenStreetMap contributors (ODbL), GeoNames (CC BY 4.0).
"""
import collections
import csv
import gzip
import json
import math
import re
import sys


def distance(one, other):
    east = (one[1] - other[1]) * 111320 * math.cos(math.radians((one[0] + other[0]) / 2))
    return math.hypot((one[0] - other[0]) * 111195, east)


def corners(part):
    return [(part[1], part[0])] if isinstance(part[0], (int, float)) else [c for inner in part for c in corners(inner)]


def mean(points):
    return tuple(sum(values) / len(points) for values in zip(*points))


def half_way(line):
    lengths = [distance(*pair) for pair in zip(line, line[1:])]
    left = sum(lengths) / 2
    for one, other, length in zip(line, line[1:], lengths):
        if left <= length:
            share = left / length if length else 0
            return tuple(a + share * (b - a) for a, b in zip(one, other))
        left -= length
    return line[0]


def table(path, name):
    return {(row["cc"], row[name]): (float(row["lat"]), float(row["lon"])) for row in csv.DictReader(gzip.open(path, "rt"))}


def main(folder, towns, postcodes):
    towns, postcodes = table(towns, "name"), table(postcodes, "postcode")
    print("precision\tcountry\tmetres")
    for country in ("FI", "LI"):
        streets, ways = collections.defaultdict(list), collections.defaultdict(list)
        for line in open(f"{folder}/{country}.jsonl", encoding="utf-8"):
            feature = json.loads(line)
            tags, points = feature["properties"], corners(feature["geometry"]["coordinates"])
            if "addr:housenumber" in tags and "addr:street" in tags:
                streets[tags["addr:street"]].append((mean(points), tags))
            elif "highway" in tags and "name" in tags and feature["geometry"]["type"] == "LineString":
                ways[tags["name"]].append(half_way(points))
        for name, houses in sorted(streets.items()):
            middle = mean([point for point, _ in houses])
            # A name may be in several towns. A geocoder returns one of the ways of a street.
            near = [way for way in ways[name] if distance(way, middle) < 3000]
            sides = ({}, {})
            for point, tags in houses:
                number = re.match(r"\d+", tags["addr:housenumber"])
                if number:
                    sides[int(number[0]) % 2].setdefault(int(number[0]), point)
                goals = {
                    "street": near[len(near) // 2] if near else None,
                    "postcode": postcodes.get((country, tags.get("addr:postcode"))),
                    "city": towns.get((country, tags.get("addr:city"))),
                }
                for precision, goal in goals.items():
                    if goal:
                        print(f"{precision}\t{country}\t{distance(point, goal):.0f}")
            for side in sides:
                # Between the first and the last house of a side, as on maps that know only ranges of numbers.
                first, last = min(side, default=0), max(side, default=0)
                for number in sorted(side)[1:-1]:
                    share = (number - first) / (last - first)
                    guess = tuple(a + share * (b - a) for a, b in zip(side[first], side[last]))
                    print(f"interpolated\t{country}\t{distance(side[number], guess):.0f}")


main(*sys.argv[1:])
