#!/usr/bin/env python3
"""Compares the area confidence of located answers with the places of the truth sets, by the form of the address.

    Benchmarks/truth/calibrate.py PROGRAM [--airports FOLDER] [FORM…]

FOLDER contains the package airportsdata of PyPI (https://pypi.org/project/airportsdata), whose towns come from neither
GeoNames nor this project. An airport is often more than 10 km from its town, so only answers more than 50 km off count
there. For each form and each range of the area confidence, the table has the answers, the share that is more than 10 km
off, and the share that is more than 50 km off, in percent.
"""

import csv
import math
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
RANGES = [(0.995, "1.0"), (0.95, "0.95"), (0.9, "0.9"), (0.75, "0.75"), (0, "less")]


def kilometres(one, other):
    x = math.radians(one[0] - other[0])
    y = math.radians(one[1] - other[1])
    cosines = math.cos(math.radians(one[0])) * math.cos(math.radians(other[0]))
    half = math.sin(x / 2) ** 2 + cosines * math.sin(y / 2) ** 2
    return 12742 * math.asin(min(1, math.sqrt(half)))


def places():
    for name in ("places", "naturalearth", "census"):
        with open(HERE / f"{name}.tsv", encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield row


def airports(folder, most=4000):
    file = next(pathlib.Path(folder).glob("**/airportsdata/airports.csv"))
    with open(file, encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["city"] and row["country"] and row["city"].isascii()]
    for row in random.Random(1).sample(rows, most):
        yield {
            "name": row["city"], "region": row["subd"], "asks_region": "1", "postcode": "", "country": row["country"],
            "latitude": row["lat"], "longitude": row["lon"],
        }


def forms(place):
    """The cells street, city, region, postcode and country by the name of the form."""
    town, code, postcode = place["name"], place["country"], place["postcode"]
    region = place["region"] if place["asks_region"] == "1" else ""
    yield "town country", ("5 Main Street", town, "", "", code)
    yield "town", ("5 Main Street", town, "", "", "")
    yield "name", ("", town, "", "", "")
    yield "line", (f"5 Main Street, {town}, {code}",)
    yield "plain line", (f"Rose Cottage {town}",)
    if region:
        yield "town region country", ("5 Main Street", town, region, "", code)
        yield "town region", ("5 Main Street", town, region, "", "")
    if postcode:
        yield "all", ("5 Main Street", town, region, postcode, code)
        yield "town postcode", ("5 Main Street", town, "", postcode, "")


def ask(program, entries, folder):
    file, output = folder / "asked.csv", folder / "found.csv"
    header = ["address"] if len(entries[0][1]) == 1 else ["street", "city", "region", "postcode", "country"]
    with open(file, "w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["id", *header])
        writer.writerows([number, *cells] for number, (_, cells) in enumerate(entries))
    subprocess.run([program, "geocode", file, "--temporary", "-o", output], check=False, capture_output=True)
    with open(output, encoding="utf-8") as handle:
        return {int(answer["id"]): answer for answer in csv.DictReader(handle)}


def main():
    arguments = sys.argv[1:]
    program = arguments.pop(0)
    source = places()
    if arguments[:1] == ["--airports"]:
        source, arguments = airports(arguments[1]), arguments[2:]
    asked = {}
    for place in source:
        truth = (float(place["latitude"]), float(place["longitude"]))
        for form, cells in forms(place):
            if not arguments or form in arguments:
                asked.setdefault(form, []).append((truth, cells))
    print(f"{'form':22}{'rows':>6}{'right':>7}   " + "".join(f"{name + ': n  >10  >50 km':>24}" for _, name in RANGES))
    with tempfile.TemporaryDirectory() as folder:
        for form, entries in asked.items():
            found = ask(program, entries, pathlib.Path(folder))
            counts = {name: [0, 0, 0] for _, name in RANGES}
            right = 0
            for number, (truth, _) in enumerate(entries):
                answer = found.get(number)
                if not answer or answer["status"] != "located":
                    continue
                distance = kilometres((float(answer["latitude"]), float(answer["longitude"])), truth)
                right += distance <= 10
                name = next(name for least, name in RANGES if float(answer["area_confidence"]) >= least)
                counts[name][0] += 1
                counts[name][1] += distance > 10
                counts[name][2] += distance > 50
            cells = "".join(
                f"{n:10}{100 * ten / max(n, 1):7.1f}{100 * fifty / max(n, 1):7.1f}" for n, ten, fifty in counts.values()
            )
            print(f"{form:22}{len(entries):6}{100 * right / len(entries):7.1f}   {cells}", flush=True)


if __name__ == "__main__":
    main()
