#!/usr/bin/env python3
"""Counts right and wrong towns, by the form of messy addresses, with a given program.

    Benchmarks/truth/lines.py .build/release/waypost [FORM…]

The forms of lines.txt are as they stand there. The others are written from places.tsv, census.tsv and naturalearth.tsv:
streets, notes and phone numbers are made up, and every run makes the same. Names of countries come from Babel (PyPI).
A located answer within 10 km is right, one more than 50 km off is far.
"""

import csv
import math
import pathlib
import random
import subprocess
import sys
import tempfile

from babel import Locale

HERE = pathlib.Path(__file__).parent
LANGUAGES = "en de fr es it pt nl sv da nb fi pl cs sk hu ro bg el ru uk tr ar he fa hi ja ko zh zh_Hant th vi id".split()
ODD = {
    "GB": ["UK", "U.K.", "United Kingdom (UK)", "Great Britain"], "US": ["U.S.A.", "United States (US)", "America"],
    "KR": ["Korea", "Republic of Korea", "Korea, South", "S. Korea"], "DE": ["Germany (DE)", "GER", "BRD"],
    "CN": ["P.R. China", "PRC", "Mainland China"], "CD": ["DRC", "Congo, Dem. Rep."], "EG": ["Egypt, Arab Rep."],
    "TW": ["Taiwan, ROC"], "CZ": ["Czech Rep."], "BO": ["Bolivia (Plurinational State of)"], "RU": ["Russian Federation"],
}
STREETS = ["Flat 2, 10 Long Lane", "Unit 5", "12 Rose Cottage", "Hauptweg 3", "Casa Verde"]
BREAKS = ["<br/>", "\n", "<br>", "; ", " | "]
NOTES = ["", "Tel: +1 202 555 0188", "(call before visiting)", "Phone 020 7946 0018", "info@example.com", "- ring twice"]


# Lines as people write them in nine countries. A part in which a name is blank is left out.
LOCAL = {
    "BR": ["Rua das Flores, 123 - Centro|{town} - {code}|{postcode}", "Av. Atlântica, 500|{town}/{code}|CEP {postcode}"],
    "CN": ["No. 88 Renmin Road|{town}|{region}|{postcode}|P.R. China", "5 Jiefang Lu|{town} City|{region}|China"],
    "GB": ["Flat 2, 10 High Street|{town}|{postcode}|UK", "14 Mill Lane|{town} {postcode}|England"],
    "IN": ["No. 12, 4th Cross, MG Road|{town}|{region}|PIN {postcode}", "5-9/2, Gandhi Nagar|{town} - {postcode}|India"],
    "JP": ["1-2-3 Honcho|{town}-shi|{region}|{postcode}|Japan", "2-4-6 Chuo|{town}|{region}|JAPAN"],
    "KR": ["25, Sejong-daero|{town}|{postcode}|Republic of Korea", "12-3 Jungang-ro|{town}-si|South Korea"],
    "MX": ["Av. Juárez 123|Col. Centro|{postcode} {town}|{region}|México", "Calle 5 No. 20|C.P. {postcode}|{town}|{region}"],
    "RU": ["{postcode}|г. {town}|ул. Ленина, д. 5, кв. 3", "Россия|{region}|{town}|ул. Мира, 12"],
    "TR": ["Yeni Mah. Gül Sok. No:5 D:3|{postcode}|Merkez/{town}", "Fatih Mah. Okul Cad. No:12|{postcode} {town}/TÜRKİYE"],
}


def local_line(place):
    chance = random.Random(place["id"] + "local")
    names = {"town": place["name"], "region": place["region"], "code": place["region_code"]}
    names["postcode"] = place["postcode"]
    parts = chance.choice(LOCAL[place["country"]]).split("|")
    if not place["postcode"]:
        parts = [part.replace(" - {postcode}", "").replace("{postcode} {", "{").replace("} {postcode}", "}") for part in parts]
    if not place["region_code"]:
        parts = [part.replace(" - {code}", "").replace("/{code}", "") for part in parts]
    parts = [part for part in parts if all(name or "{%s}" % key not in part for key, name in names.items())]
    return ", ".join(part.format(**names) for part in parts)


def places():
    for name in ("places", "naturalearth", "census"):
        with open(HERE / f"{name}.tsv", encoding="utf-8") as file:
            yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def rows():
    """The form, the truth, and the line or the columns of each address."""
    for line in (HERE / "lines.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            form, latitude, longitude, text = line.split("|", 3)
            yield form, (latitude, longitude), [text]
    english = Locale("en").territories
    largest = {}
    for place in places():
        chance = random.Random(place["id"])
        truth = (place["latitude"], place["longitude"])
        code, town, postcode = place["country"], place["name"], place["postcode"]
        region = place["region"] if place["asks_region"] == "1" else ""
        country, street = english.get(code, code), chance.choice(STREETS)
        if place["source"] != "census":
            largest.setdefault(code, place)
        if code in LOCAL and code != "RU":
            yield f"local-{code}", truth, [local_line(place)]
        if code in ODD:
            parts = ["12 Main Street", town, region, postcode, chance.choice(ODD[code])]
            yield "odd-country", truth, [", ".join(filter(None, parts))]
        if chance.random() < 0.1:
            yield "bad-country", truth, [street, town, region, postcode, chance.choice(["n/a", "FL", "?", "Europe"])]
        if chance.random() < 0.3:
            separator = chance.choice(BREAKS)
            parts = ["12 Main Street", f"{postcode} {town}".strip(), region, country, chance.choice(NOTES)]
            yield "messy", truth, [separator.join(filter(None, parts)).replace("&", "&amp;")]
        if postcode:
            yield "postcode-country", truth, [f"{street}, {postcode}, {country}"]
            yield "unknown-town-postcode", truth, [f"{street}, Xarvingstead, {postcode}, {country}"]
            yield "swapped", truth, [street, postcode, region, town, country]
            if code in ("US", "CA", "AU") and place["region_code"]:
                yield "code-postcode", truth, [f"{street}, {place['region_code']} {postcode}"]
                yield "code-in-postcode", truth, [street, town, "", f"{place['region_code']} {postcode}", country]
    with open(HERE / "native/cities.tsv", encoding="utf-8") as file:
        for place in csv.DictReader(file, delimiter="\t"):
            if place["country"] == "RU":
                place |= {"id": place["city"], "name": place["city"], "region_code": ""}
                yield "local-RU", (place["latitude"], place["longitude"]), [local_line(place)]
    for code, place in sorted(largest.items()):
        region = place["region"] if place["asks_region"] == "1" else ""
        for name in sorted({Locale.parse(language).territories.get(code) or code for language in LANGUAGES}):
            columns = ["", place["name"], region, place["postcode"], name]
            yield "country-names", (place["latitude"], place["longitude"]), columns


def kilometres(one, other):
    x = math.radians(one[0] - other[0])
    y = math.radians(one[1] - other[1])
    cosines = math.cos(math.radians(one[0])) * math.cos(math.radians(other[0]))
    half = math.sin(x / 2) ** 2 + cosines * math.sin(y / 2) ** 2
    return 12742 * math.asin(min(1, math.sqrt(half)))


def outcome(answer, truth):
    """Right, near, far, in review with the right one first, in review, or none."""
    if not answer["latitude"]:
        return "review" if answer["status"] == "needs_review" else "none"
    point = float(answer["latitude"]), float(answer["longitude"])
    distance = kilometres(point, (float(truth[0]), float(truth[1]))) if truth[0] else math.inf
    if answer["status"] == "needs_review":
        return "review"
    return "right" if distance <= 10 else "near" if distance <= 50 else "far"


def run(program, form, entries, folder):
    file, output = folder / f"{form}.csv", folder / f"{form}-out.csv"
    header = ["address"] if len(entries[0][1]) == 1 else ["street", "city", "region", "postcode", "country"]
    with open(file, "w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["id", *header])
        writer.writerows([number, *cells] for number, (_, cells) in enumerate(entries))
    subprocess.run([program, "geocode", file, "--temporary", "-o", output], check=False, capture_output=True)
    with open(output, encoding="utf-8") as handle:
        answers = {answer["id"]: answer for answer in csv.DictReader(handle)}
    counts = dict.fromkeys(["right", "near", "far", "review", "none"], 0)
    for number, (truth, _) in enumerate(entries):
        answer = answers.get(str(number))
        counts[outcome(answer, truth) if answer else "none"] += 1
    shares = "".join(f"{100 * count / len(entries):8.1f}" for count in counts.values())
    print(f"{form:24}{len(entries):6}{shares}", flush=True)


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    forms = {}
    for form, truth, cells in rows():
        if not wanted or form in wanted:
            forms.setdefault(form, []).append((truth, cells))
    print(f"{'form':24}{'rows':>6}" + "".join(f"{name:>8}" for name in ("right", "near", "far", "review", "none")))
    with tempfile.TemporaryDirectory() as folder:
        for form, entries in forms.items():
            run(program, form, entries, pathlib.Path(folder))


if __name__ == "__main__":
    main()
