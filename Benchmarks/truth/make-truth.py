#!/usr/bin/env python3
"""Makes a truth set: places whose coordinates come from another source than the gazetteer's.

    make-truth.py NOMINATIM_FOLDER NATURAL_EARTH_JSON POSTCODES_OF_THE_SEED OUTPUT.tsv

README.md says where the sources come from. The same input makes the same bytes.
"""

import collections, gzip, hashlib, io, json, math, os, re, sys, unicodedata

PLACES = {"city", "town", "village", "hamlet"}
# The most places of one country and kind.
MOST = {"city": 32, "town": 26, "village": 8, "hamlet": 2}
MOST_OF_NATURAL_EARTH = 6
# Countries where an address names its state, province or prefecture.
REGION_IS_WRITTEN = set("US CA AU BR MX IN IT CN JP MY AR CO VE NG ID PH PK TH VN UA RU PE CL EC EG IR".split())


def fold(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if c.isalnum())


def kilometres(a, b):
    x, y = math.radians(a[0] - b[0]), math.radians(a[1] - b[1])
    h = math.sin(x / 2) ** 2 + math.cos(math.radians(a[0])) * math.cos(math.radians(b[0])) * math.sin(y / 2) ** 2
    return 12742 * math.asin(math.sqrt(min(1, h)))


def order(text):
    return hashlib.sha256(text.encode()).digest()


# Words of official registers that nobody writes.
OFFICIAL = re.compile(
    r"\b(gemeinde|kommun|kommune|municipality|municipio|commune|ward|district|division|section|urban|rural|township|county|"
    r"subdistrict|sub-county|council|parish|region|province|prefecture|governorate|raion|department|arrondissement|"
    r"unorganized|aldeia|zone|city of|town of|circle|block|camp|local|municipal)\b", re.IGNORECASE)


def plain(text):
    if OFFICIAL.search(text):
        return False
    return text and all(c.isalpha() or c in " -'’.·" for c in unicodedata.normalize("NFC", text)) and len(text) < 50


def shape(postcode):
    return re.sub("[A-Z]", "A", re.sub("[0-9]", "9", postcode))


def openstreetmap(folder):
    """Places from Nominatim's replies, which are in English where a place has an English name."""
    seen, postcodes, shapes = {}, collections.defaultdict(list), collections.defaultdict(collections.Counter)
    for path, _, files in sorted(os.walk(folder)):
        for file in sorted(files):
            if not file.endswith(".json"):
                continue
            with open(os.path.join(path, file), encoding="utf-8") as handle:
                try:
                    answers = json.load(handle)
                except ValueError:
                    continue
            for answer in answers if isinstance(answers, list) else []:
                kind, within = answer.get("addresstype"), answer.get("address", {})
                town = within.get("city") or within.get("town") or within.get("village")
                if within.get("postcode") and within.get("country_code"):
                    shapes[within["country_code"].upper()][shape(within["postcode"])] += 1
                if town and within.get("postcode"):
                    point = (float(answer["lat"]), float(answer["lon"]))
                    postcodes[within["country_code"].upper(), town].append((point, within["postcode"]))
                if kind not in PLACES or answer.get("category") not in ("place", "boundary"):
                    continue
                address, box = answer["address"], [float(side) for side in answer["boundingbox"]]
                region = (address.get("ISO3166-2-lvl4") or "").partition("-")[2]
                postcode = address.get("postcode", "")
                country = address.get("country_code", "").upper()
                province = (address.get("ISO3166-2-lvl6") or "").partition("-")[2] if country == "IT" else ""
                place = {
                    "id": answer["osm_type"][0] + str(answer["osm_id"]),
                    "source": "openstreetmap",
                    "name": answer["name"],
                    "kind": kind,
                    "region": address.get("state") or address.get("province") or "",
                    "region_code": province or region,
                    "postcode": postcode,
                    "country": country,
                    "point": (float(answer["lat"]), float(answer["lon"])),
                    "weight": float(answer["importance"]),
                    "reach": kilometres((box[0], box[2]), (box[1], box[3])) / 2,
                    "boundary": answer["category"] == "boundary",
                }
                if plain(place["name"]) and len(country) == 2:
                    seen.setdefault(place["id"], place)
    for place in seen.values():
        if not place["postcode"]:
            near = [
                (kilometres(point, place["point"]), code)
                for point, code in postcodes[place["country"], place["name"]]
            ]
            place["postcode"] = min((code for code in near if code[0] < 4), default=(0, ""))[1]
        # A place near a border may have the neighbour's postcode, a list of postcodes or a made-up one.
        usual, code = shapes[place["country"]], place["postcode"]
        is_range = "-" in code and place["country"] == "UA"
        if is_range or not code.strip("0- ") or usual[shape(code)] < max(3, usual.total() * 0.03):
            place["postcode"] = ""
    return list(seen.values())


def natural_earth(file):
    with open(file, encoding="utf-8") as handle:
        features = json.load(handle)["features"]
    for number, feature in enumerate(features):
        of = feature["properties"]
        if not plain(of["NAME"]) or not re.fullmatch("[A-Z]{2}", of["ISO_A2"] or "") or of["POP_MAX"] < 20_000:
            continue
        yield {
            "id": f"ne{number}",
            "source": "naturalearth",
            "name": of["NAME"],
            "kind": "city" if of["POP_MAX"] >= 100_000 else "town",
            # This source's names of regions are damaged.
            "region": "",
            "region_code": "",
            "postcode": "",
            "country": of["ISO_A2"],
            "point": (of["LATITUDE"], of["LONGITUDE"]),
            "weight": of["POP_MAX"],
        }


def postcodes_far_away(seed, places):
    """The seed's places for a postcode. They reveal postcodes that two sources put at different ends of a country."""
    known = {}
    with gzip.open(seed, "rt", encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            country, code, _, _, _, latitude, longitude = line.rstrip("\n").split("\t")
            known.setdefault((country, fold(code)), []).append((float(latitude), float(longitude)))
    for place in places:
        points = known.get((place["country"], fold(place["postcode"])))
        if points and min(kilometres(point, place["point"]) for point in points) > 30:
            yield place


def main():
    folder, earth_file, seed, output = sys.argv[1:]
    streets, earth = openstreetmap(folder), list(natural_earth(earth_file))
    everywhere = collections.defaultdict(list)
    for place in streets + earth:
        everywhere[fold(place["name"]), place["country"]].append(place)

    # The centre of a wide area is not the place with its name, unless another source confirms it.
    def is_sound(place):
        if not place.get("boundary") or place["reach"] < 20:
            return True
        return any(
            other["source"] == "naturalearth" and kilometres(other["point"], place["point"]) < 8
            for other in everywhere[fold(place["name"]), place["country"]]
        )

    # A name shared with another place in the same region does not identify the place.
    def namesakes(place, region):
        return [
            other for other in everywhere[fold(place["name"]), place["country"]]
            if kilometres(other["point"], place["point"]) > 10
            and (not region or not place["region"] or fold(other["region"]) in ("", fold(place["region"])))
        ]

    chosen, counts = [], collections.Counter()
    streets.sort(key=lambda place: order(place["id"]))
    # Larger places first among cities and towns, because most letters go there.
    for kind in ("city", "town", "village", "hamlet"):
        of_kind = [place for place in streets if place["kind"] == kind and is_sound(place)]
        if kind in ("city", "town"):
            of_kind.sort(key=lambda place: (-round(place["weight"] * 5), order(place["id"])))
        for place in of_kind:
            if counts[place["country"], kind] >= MOST[kind]:
                continue
            if namesakes(place, True):
                continue
            if any(other.get("chosen") for other in everywhere[fold(place["name"]), place["country"]]):
                continue
            place["chosen"] = True
            counts[place["country"], kind] += 1
            chosen.append(place)
    earth.sort(key=lambda place: order(place["id"]))
    for place in earth:
        near = any(
            other["source"] == "openstreetmap" and kilometres(other["point"], place["point"]) < 50
            for other in everywhere[fold(place["name"]), place["country"]]
        )
        if near or counts[place["country"], "earth"] >= MOST_OF_NATURAL_EARTH or namesakes(place, True):
            continue
        counts[place["country"], "earth"] += 1
        chosen.append(place)

    blanked = list(postcodes_far_away(seed, chosen))
    for place in blanked:
        place["postcode"] = ""
    # People leave out the region where addresses have none and the name does not need one.
    for place in chosen:
        place["asks_region"] = int(
            place["country"] in REGION_IS_WRITTEN
            or (not place["postcode"] and (place["kind"] in ("village", "hamlet") or bool(namesakes(place, False)))))
    chosen.sort(key=lambda place: (place["country"], place["id"]))
    columns = "id source kind name region region_code asks_region postcode country".split()
    text = io.StringIO()
    text.write("\t".join(columns + ["latitude", "longitude"]) + "\n")
    for place in chosen:
        cells = [unicodedata.normalize("NFC", str(place[column])) for column in columns]
        text.write("\t".join(cells + [f"{place['point'][0]:.4f}", f"{place['point'][1]:.4f}"]) + "\n")
    with open(output, "w", encoding="utf-8") as file:
        file.write(text.getvalue())
    kinds = collections.Counter((place["source"], place["kind"]) for place in chosen)
    print(len(chosen), "places of", len({place["country"] for place in chosen}), "countries;",
          sum(bool(place["postcode"]) for place in chosen), "with a postcode;", len(blanked), "postcodes left out;", dict(kinds))


main()
