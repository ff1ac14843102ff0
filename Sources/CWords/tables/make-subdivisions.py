#!/usr/bin/env python3
"""Makes subdivisions.txt: the codes of ISO 3166-2 of regions, by their names.

    make-subdivisions.py CLDR/common > Sources/CWords/tables/subdivisions.txt

CLDR is the folder of Debian's package unicode-cldr-core 41 (/usr/share/unicode/cldr). The names are the English ones of
the CLDR, and those of the gazetteer's regions (sql/seed/regions.tsv) that mean one of them. The same input makes the
same bytes.
"""
import collections
import csv
import difflib
import gzip
import pathlib
import re
import sys
import unicodedata
import xml.etree.ElementTree as ET

EXTRA = {("US", "District of Columbia"): "DC", ("RU", "Moskva"): "MOW", ("RU", "Moskovskaya oblast'"): "MOS", ("CN", "Xizang Zizhiqu"): "XZ",
         ("BA", "Federacija Bosne i Hercegovine"): "BIH", ("ES", "Illes Balears"): "IB", ("DK", "Midtjylland"): "82", ("DK", "Nordjylland"): "81",
         ("PL", "Podlaskie"): "PD", ("FI", "Pohjois-Pohjanmaa"): "14", ("CZ", "Praha, Hlavní město"): "10", ("PH", "National Capital Region"): "00"}
GENERIC = set("""province region county state oblast governorate prefecture district department departamento canton of the
krai republic autonomous municipality parish island islands city division territory community emirate voivodeship
special capital metropolitan area federal urban union council commune comarca and al ar as ad an el de la le""".split())


def words(name):
    folded = unicodedata.normalize("NFKD", name.lower().replace("ß", "ss").replace("ı", "i").replace("ø", "o").replace("đ", "d").replace("ł", "l"))
    return re.findall(r"\w+", "".join(c for c in folded if not unicodedata.combining(c)).replace("’", "").replace("'", ""))


def key(name):
    return "".join(sorted(word for word in words(name) if word not in GENERIC)) or "".join(words(name))


def means(name, all_names):
    """The code of the one region with this name, of the first level if there is one; None without any."""
    found = {(nested, code) for nested, code, other in all_names if key(other) == key(name)}
    codes = {code for nested, code in found if not nested} or {code for _, code in found}
    return codes.pop() if len(codes) == 1 else None


def resembles(name, all_names):
    """The code of the one region of the first level that is spelt alike; None if there is none, or a second one."""
    ratios = sorted((-difflib.SequenceMatcher(None, key(name), key(other)).ratio(), code) for nested, code, other in all_names if not nested)
    return ratios[0][1] if ratios and ratios[0][0] < -0.77 and all(ratio > -0.7 for ratio, _ in ratios[1:]) else None


def main():
    folder = pathlib.Path(sys.argv[1])
    top = {g.get("type"): set(g.get("contains").split())
           for g in ET.parse(folder / "supplemental/subdivisions.xml").iter("subgroup") if len(g.get("type")) == 2}
    names = collections.defaultdict(list)
    for item in ET.parse(folder / "subdivisions/en.xml").iter("subdivision"):
        code = item.get("type")
        country = code[:2].upper()
        # Those of the first level before those inside them.
        names[country].append((code not in top.get(country, ()), code[2:].upper(), item.text))
    seed = pathlib.Path(__file__).parents[3] / "sql/seed"
    others = {tuple(row[:2]): row[2].split("|") for row in csv.reader(open(seed / "regions.tsv"), delimiter="\t")}
    regions = collections.Counter()
    with gzip.open(seed / "places.tsv.gz", "rt") as places:
        for place in csv.DictReader(places, delimiter="\t", quoting=csv.QUOTE_NONE):
            regions[place["country"], place["region_code"], place["region"]] += 1
    known, missed = collections.defaultdict(dict), collections.Counter()
    for country, all_names in sorted(names.items()):
        for _, code, name in sorted(all_names):
            known[country].setdefault(name, code)
    for (country, region, name), count in sorted(regions.items()):
        if not name or name in known[country]:
            continue
        code = means(name, names[country]) or next(
            filter(None, (means(other, names[country]) for other in others.get((country, region), []) if len(other) > 3)), None)
        code = code or EXTRA.get((country, name)) or resembles(name, names[country])
        if code:
            known[country][name] = code
        else:
            missed[f"{country} {name}"] = count
    print("""# Regions: the country, the code of ISO 3166-2 behind it, and the names.
#
# make-subdivisions.py makes this file. The names come from the Unicode Common Locale Data Repository (CLDR), © 1991
# onwards Unicode, Inc., used under the Unicode License v3: https://www.unicode.org/license.txt, and from GeoNames, CC BY 4.0.""")
    for country, by_name in sorted(known.items()):
        by_code = collections.defaultdict(list)
        for name, code in by_name.items():
            by_code[code].append(name.replace("|", " "))
        for code, all_names in sorted(by_code.items()):
            print("|".join([country, code, *all_names]))
    print(f"{sum(missed.values())} of {sum(regions.values())} places lie in regions without a code:", missed.most_common(60), file=sys.stderr)


main()
