#!/usr/bin/env python3
"""Makes places.tsv.gz and postcodes.tsv.gz from GeoNames data in CSV.

usage: make-seed.py SOURCE_FOLDER

The folder holds places5000.csv.gz, places15000_alt.csv.gz, postcodes_core.csv.gz and postcodes_us.csv.gz. The same
input makes the same bytes. README.md says what is changed on the way, and why.
"""

import csv
import gzip
import io
import pathlib
import re
import sys
import unicodedata
from collections import Counter

csv.field_size_limit(1 << 30)

PLACE_COLUMNS = ["id", "name", "others", "country", "region_code", "region", "latitude", "longitude", "population"]
POSTCODE_COLUMNS = ["country", "postcode", "place", "region_code", "region", "latitude", "longitude"]

# GeoNames numbers these regions where people write letters.
LETTERS = {
    "AU": dict(zip("01 02 03 04 05 06 07 08".split(), "ACT NSW NT QLD SA TAS VIC WA".split())),
    "CA": dict(zip("01 02 03 04 05 07 08 09 10 11 12 13 14".split(), "AB BC MB NB NL NS ON PE QC SK YT NT NU".split())),
    "BR": dict(zip(
        "01 02 03 04 05 06 07 08 11 13 14 15 16 17 18 20 21 22 23 24 25 26 27 28 29 30 31".split(),
        "AC AL AP AM BA CE DF ES MS MA MT MG PA PB PR PI RJ RN RS RO RR SC SP SE GO PE TO".split())),
}

dropped = Counter()


def read(path):
    with gzip.open(path) as packed:
        yield from csv.DictReader(io.TextIOWrapper(packed, encoding="utf-8", newline=""))


def clean(text):
    """In NFC, without invisible marks at odd places, with single spaces. Nothing that would break a TSV line is left."""
    text = re.sub("[\u200b\u200e\u200f\u00ad\ufeff]", "", unicodedata.normalize("NFC", text))
    return " ".join(re.sub(r"[\\_\t\r\n]", " ", text).split())


def same(name):
    """What two spellings of a name have in common that differ in case alone."""
    return unicodedata.normalize("NFC", name.casefold())


def scripts(text):
    names = {unicodedata.name(letter, "?").split()[0] for letter in text if letter.isalpha()}
    return names - {"MODIFIER", "SUPERSCRIPT"}


def initials(name):
    return "".join(word[0] for word in re.split(r"[\s\-]+", name) if word).upper()


def reason_to_drop(other, all_initials):
    """Why nobody would write the place so. None if somebody might."""
    if not any(letter.isalpha() for letter in other):
        return "alternates without a letter"
    if any(letter.isnumeric() for letter in other):
        return "alternates with digits"
    if len(other) > 60:
        return "alternates longer than 60 characters"
    kinds = {unicodedata.category(letter) for letter in other}
    if kinds & {"Cc", "Co", "Cn", "Cs", "Sc", "Sm", "So"} - ({"Sm"} if "＝" in other else set()):
        return "alternates with symbols"
    if set("*|!?:;[]{}<>@#\"\ufffd‡…") & set(other):
        return "alternates with symbols"
    used = scripts(other)
    if "LATIN" in used and len(used) > 1:
        return "alternates that mix Latin with another script"
    if used == {"LATIN"}:
        if not any(letter.isupper() for letter in other):
            return "machine transliterations"
        letters = [letter for letter in other if letter.isalpha()]
        if len(letters) < 3 and other not in all_initials:
            return "alternates of one or two letters"
        if re.fullmatch("[A-Z]{3}", other) and other not in all_initials:
            return "airport codes"
    return None


def others(row, name, alternates):
    """The other names of a place, the one in ASCII first."""
    # `Springfield، Illinois` is how Arabic and Persian title their articles.
    found = [clean(re.split("[،,]", text)[0]) for text in [row["ascii"], *alternates]]
    all_initials = {initials(text) for text in [name, *found] if " " in text}
    seen = {same(name)}
    for other in found:
        if not other:
            continue
        if same(other) in seen:
            dropped["alternates that differ at most in case from another name of the place"] += 1
            continue
        reason = reason_to_drop(other, all_initials)
        if reason:
            dropped[reason] += 1
            continue
        seen.add(same(other))
        yield other


def is_on_earth(row):
    try:
        latitude, longitude = float(row["lat"]), float(row["lon"])
    except ValueError:
        return False
    # The North Pole is where Santa Claus has two postcodes.
    return -90 < latitude < 90 and -180 <= longitude <= 180 and (latitude, longitude) != (0, 0)


def places(folder):
    alternates = {row["geonameid"]: row["alternates"].split("|") for row in read(folder / "places15000_alt.csv.gz")}
    ids = set()
    for row in read(folder / "places5000.csv.gz"):
        name = clean(row["name"])
        if not name or re.fullmatch(r"Ct \d+", name):
            dropped["places without a name of their own"] += 1
        elif not is_on_earth(row):
            dropped["places without coordinates"] += 1
        elif not re.fullmatch("[A-Z]{2}", row["cc"]) or row["geonameid"] in ids:
            dropped["places without a country, or twice"] += 1
        else:
            ids.add(row["geonameid"])
            code = LETTERS.get(row["cc"], {}).get(row["admin1"], row["admin1"])
            names = "|".join(others(row, name, alternates.get(row["geonameid"], [])))
            yield [
                row["geonameid"], name, names, row["cc"], code, clean(row["admin1_name"]), row["lat"], row["lon"],
                str(int(row["population"] or 0)),
            ]


def postcodes(folder, region_names):
    seen = set()
    # The first file repeats most of the second.
    rows = [row for row in read(folder / "postcodes_core.csv.gz") if row["cc"] != "US"]
    for row in rows + list(read(folder / "postcodes_us.csv.gz")):
        # `33025 CEDEX`: the word belongs to the town, and the number is the postcode.
        postcode = re.sub(r" CEDEX.*| SP \d+$| AIR$", "", clean(row["postcode"]))
        place = clean(row["place"])
        key = (row["cc"], postcode, place)
        if not postcode or not place:
            dropped["postcodes without a place"] += 1
        elif not is_on_earth(row):
            dropped["postcodes without coordinates"] += 1
        elif row["cc"] == "US" and not row["admin1"]:
            dropped["military post offices abroad"] += 1
        elif key in seen:
            dropped["postcodes given twice"] += 1
        else:
            seen.add(key)
            code = LETTERS.get(row["cc"], {}).get(row["admin1"], row["admin1"])
            region = region_names.get((row["cc"], code), clean(row["admin1_name"]))
            yield [row["cc"], postcode, place, code, region, row["lat"], row["lon"]]


def write(path, columns, rows):
    lines = [columns, *rows]
    for line in lines:
        if len(line) != len(columns) or any(re.search(r"[\t\n\r\\]", column) for column in line):
            sys.exit(f"{path.name}: this is no line of a TSV file: {line}")
    text = "".join("\t".join(line) + "\n" for line in lines)
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write(text.encode())
    print(f"{path.name}: {len(lines) - 1} rows, {path.stat().st_size} bytes")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    source, target = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).parent
    all_places = list(places(source))
    # Postcodes come with these regions' names without accents.
    region_names = {(row[3], row[4]): row[5] for row in all_places if row[3] in LETTERS}
    write(target / "places.tsv.gz", PLACE_COLUMNS, all_places)
    write(target / "postcodes.tsv.gz", POSTCODE_COLUMNS, postcodes(source, region_names))
    print(f"other names kept: {sum(len(row[2].split('|')) for row in all_places if row[2])}")
    for reason, count in sorted(dropped.items()):
        print(f"dropped {count} {reason}")


main()
