#!/usr/bin/env python3
"""Makes naturalearth.tsv and census.tsv: truth places from Debian packages, none of them from GeoNames.

    make-places.py PACKAGES_FOLDER

README.md says how to get the packages, and what is in the rows. The same packages make the same bytes. It needs the
module `rdata` of PyPI, and reads places.tsv and left-out.csv beside it.
"""

import collections, csv, gzip, hashlib, io, math, os, re, struct, sys, unicodedata, zlib

import rdata

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_OF_A_COUNTRY = 80
MOST_OF_A_STATE = 12
# Countries where an address names its state, province or prefecture.
REGION_IS_WRITTEN = set("US CA AU BR MX IN CN JP MY AR CO VE NG ID PH PK TH VN UA RU PE CL EC EG IR".split())

CODES = {
    country: dict(pair.split("=") for pair in text.replace("\n", " ").split(", "))
    for country, text in {
        "US": "Alabama=AL, Alaska=AK, Arizona=AZ, Arkansas=AR, California=CA, Colorado=CO, Connecticut=CT, Delaware=DE, "
        "District of Columbia=DC, Florida=FL, Georgia=GA, Hawaii=HI, Idaho=ID, Illinois=IL, Indiana=IN, Iowa=IA, "
        "Kansas=KS, Kentucky=KY, Louisiana=LA, Maine=ME, Maryland=MD, Massachusetts=MA, Michigan=MI, Minnesota=MN, "
        "Mississippi=MS, Missouri=MO, Montana=MT, Nebraska=NE, Nevada=NV, New Hampshire=NH, New Jersey=NJ, "
        "New Mexico=NM, New York=NY, North Carolina=NC, North Dakota=ND, Ohio=OH, Oklahoma=OK, Oregon=OR, "
        "Pennsylvania=PA, Rhode Island=RI, South Carolina=SC, South Dakota=SD, Tennessee=TN, Texas=TX, Utah=UT, "
        "Vermont=VT, Virginia=VA, Washington=WA, West Virginia=WV, Wisconsin=WI, Wyoming=WY",
        "CA": "Alberta=AB, British Columbia=BC, Manitoba=MB, New Brunswick=NB, Newfoundland and Labrador=NL, "
        "Northwest Territories=NT, Nova Scotia=NS, Nunavut=NU, Ontario=ON, Prince Edward Island=PE, Québec=QC, "
        "Saskatchewan=SK, Yukon=YT",
        "AU": "Australian Capital Territory=ACT, New South Wales=NSW, Northern Territory=NT, Queensland=QLD, "
        "South Australia=SA, Tasmania=TAS, Victoria=VIC, Western Australia=WA",
        "BR": "Acre=AC, Alagoas=AL, Amapá=AP, Amazonas=AM, Bahia=BA, Ceará=CE, Distrito Federal=DF, Espírito Santo=ES, "
        "Goiás=GO, Maranhão=MA, Mato Grosso=MT, Mato Grosso do Sul=MS, Minas Gerais=MG, Pará=PA, Paraíba=PB, "
        "Paraná=PR, Pernambuco=PE, Piauí=PI, Rio de Janeiro=RJ, Rio Grande do Norte=RN, Rio Grande do Sul=RS, "
        "Rondônia=RO, Roraima=RR, Santa Catarina=SC, São Paulo=SP, Sergipe=SE, Tocantins=TO",
    }.items()
}


def fold(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if c.isalnum())


def kilometres(a, b):
    x, y = math.radians(a[0] - b[0]), math.radians(a[1] - b[1])
    h = math.sin(x / 2) ** 2 + math.cos(math.radians(a[0])) * math.cos(math.radians(b[0])) * math.sin(y / 2) ** 2
    return 12742 * math.asin(math.sqrt(min(1, h)))


def order(text):
    return hashlib.sha256(text.encode()).digest()


def is_plain(text):
    return bool(text) and len(text) < 40 and all(c.isalpha() or c in " -'’.·" for c in text)


def natural_earth(folder):
    """The rows of a dBase file, whose texts are partly in UTF-8 and partly in Windows-1252."""
    with open(folder + "/usr/share/magics/10m/ne_10m_populated_places_simple.dbf", "rb") as file:
        data = file.read()
    count, start, width = struct.unpack_from("<IHH", data, 4)
    fields, at = [], 32
    while data[at] != 0x0D:
        fields.append((data[at:at + 11].split(b"\0")[0].decode(), data[at + 16]))
        at += 32

    def text(cell):
        try:
            return cell.decode("utf-8").strip(" \0")
        except UnicodeDecodeError:
            return cell.decode("cp1252").strip(" \0")

    for number in range(count):
        at, row = start + number * width + 1, {}
        for name, size in fields:
            row[name] = text(data[at:at + size])
            at += size
        yield row


def second_list(folder):
    """`world.cities` of the R package maps, as (name, country, point). It confirms Natural Earth."""
    base = folder + "/usr/lib/R/site-library/maps/data/Rdata"
    with open(base + ".rdx", "rb") as file:
        index = rdata.conversion.convert(rdata.parser.parse_data(gzip.decompress(file.read())))
    start, size = (int(number) for number in index["variables"]["world.cities"])
    with open(base + ".rdb", "rb") as file:
        packed = file.read()[start + 4:start + size]
    table = rdata.conversion.convert(rdata.parser.parse_data(zlib.decompress(packed)))
    for name, country, latitude, longitude in zip(table["name"], table["country.etc"], table["lat"], table["long"]):
        yield str(name), str(country), (float(latitude), float(longitude))


def earth_places(folder):
    second, by_country = collections.defaultdict(list), collections.defaultdict(list)
    for name, country, point in second_list(folder):
        second[fold(name)].append((country, point))
        by_country[fold(name), country].append(point)
    places, everywhere = [], collections.defaultdict(list)
    for row in natural_earth(folder):
        country, name = row["iso_a2"], row["name"]
        point = (float(row["latitude"]), float(row["longitude"]))
        people = int(float(row["pop_max"]))
        region = row["adm1name"] if is_plain(row["adm1name"]) else ""
        everywhere[fold(name), country].append((point, region))
        if not re.fullmatch("[A-Z]{2}", country) or country == "AQ" or not is_plain(name) or people < 200:
            continue
        near = min(((kilometres(point, there), of) for of, there in second[fold(name)]), default=(9e9, ""))
        if near[0] > 8:
            continue
        places.append({
            "source": "naturalearth",
            "kind": "city" if people >= 100_000 else "town" if people >= 5_000 else "village",
            "name": name,
            "region": region,
            "region_code": CODES.get(country, {}).get(region, ""),
            "postcode": "",
            "country": country,
            "point": point,
            "people": people,
            "second": near[1],
        })
    for place in places:
        key, region = fold(place["name"]), place["region"]
        of_name = [other for other in everywhere[key, place["country"]] if kilometres(other[0], place["point"]) > 10]
        has_namesake = bool(of_name) or any(
            kilometres(there, place["point"]) > 20 for there in by_country[key, place["second"]])
        place["asks_region"] = int(bool(region) and (place["country"] in REGION_IS_WRITTEN or has_namesake))
        # A row does not name its region where the region does not distinguish it from another place of the name.
        place["is_sound"] = all(region and other[1] and fold(region) != fold(other[1]) for other in of_name) and not (
            has_namesake and not region)
        if not place["asks_region"]:
            place["region"] = place["region_code"] = ""
        if place["country"] in CODES and not place["region_code"]:
            place["is_sound"] = False
    return [place for place in places if place["is_sound"]]


def records(path):
    """The sections of a file of weather-util: `[fips0100124]`, and the values below it."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        section = None
        for line in lines:
            if line.startswith("["):
                section = (line.strip("[]\n"), {})
            elif section and " = " in line:
                key, value = line.rstrip("\n").split(" = ", 1)
                section[1][key] = value
            elif section and not line.strip():
                yield section
                section = None
        if section:
            yield section


def centroid(values):
    return tuple(math.degrees(float(number)) for number in values["centroid"].strip("()").split(", "))


def census_places(folder):
    """Towns of the United States with the postcode whose area is centred there."""
    base = folder + "/usr/share/weather-util/"
    settled, namesakes, states = [], collections.defaultdict(list), {code: name for name, code in CODES["US"].items()}
    for section, values in records(base + "places.gz"):
        match = re.fullmatch(
            r"(.+) (city|town|village|borough|CDP|township|CCD), ([A-Z]{2})", values.get("description", ""))
        if not match or "centroid" not in values or match[3] not in states:
            continue
        name, kind, state = match.groups()
        namesakes[fold(name), state].append(centroid(values))
        if len(section) == len("fips0100124"):
            settled.append((name, kind, state, centroid(values)))
    cells = collections.defaultdict(list)
    for town in settled:
        cells[round(town[3][0] * 10), round(town[3][1] * 10)].append(town)

    def around(point):
        y, x = round(point[0] * 10), round(point[1] * 10)
        return [town for dy in (-1, 0, 1) for dx in (-1, 0, 1) for town in cells[y + dy, x + dx]]

    postcodes = {}
    for postcode, values in records(base + "zctas.gz"):
        point = centroid(values)
        near = min(((kilometres(point, town[3]), town) for town in around(point)), default=None)
        if near and near[0] < 3:
            postcodes.setdefault(near[1], []).append((near[0], postcode))
    for town in settled:
        name, kind, state, point = town
        if kind == "CDP" or not is_plain(name) or town not in postcodes:
            continue
        if any(kilometres(other, point) > 10 for other in namesakes[fold(name), state]):
            continue
        yield {
            "source": "census",
            "kind": {"city": "town", "borough": "town"}.get(kind, kind),
            "name": name,
            "region": states[state],
            "region_code": state,
            "asks_region": 1,
            "postcode": min(postcodes[town])[1],
            "country": "US",
            "point": point,
            "people": 0,
        }


def with_ids(places):
    """Ids are made of names, so a place stays in its half whatever else changes."""
    for place in places:
        short = {"naturalearth": "ne", "census": "us"}[place["source"]]
        parts = [short, place["country"], fold(place["name"])]
        if place["asks_region"]:
            parts.append(fold(place["region_code"] or place["region"]))
        place["id"] = "-".join(parts)
    ids = collections.Counter(place["id"] for place in places)
    return [place for place in places if ids[place["id"]] == 1]


def chosen(places, group, most):
    """Takes the largest half, and any of the others."""
    groups = collections.defaultdict(list)
    for place in places:
        groups[place[group]].append(place)
    for members in groups.values():
        members.sort(key=lambda place: (-place["people"], order(place["id"])))
        others = sorted(members[most // 2:], key=lambda place: order(place["id"]))
        yield from members[:most // 2] + others[:most - most // 2]


def main():
    folder, = sys.argv[1:]
    left_out, known = set(), collections.defaultdict(list)
    with open(HERE + "/left-out.csv", encoding="utf-8") as file:
        left_out.update(row["id"] for row in csv.DictReader(file))
    with open(HERE + "/places.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            known[fold(row["name"]), row["country"]].append((float(row["latitude"]), float(row["longitude"])))
    columns = "id source kind name region region_code asks_region postcode country".split()
    sources = [
        ("naturalearth", with_ids(earth_places(folder)), "country", MOST_OF_A_COUNTRY),
        ("census", with_ids(list(census_places(folder))), "region_code", MOST_OF_A_STATE),
    ]
    for source, places, group, most in sources:
        fresh = [
            place for place in places
            if all(kilometres(there, place["point"]) > 50 for there in known[fold(place["name"]), place["country"]])
        ]
        rows = [place for place in chosen(fresh, group, most) if place["id"] not in left_out]
        rows.sort(key=lambda place: place["id"])
        text = io.StringIO()
        text.write("\t".join(columns + ["latitude", "longitude"]) + "\n")
        for place in rows:
            known[fold(place["name"]), place["country"]].append(place["point"])
            cells = [unicodedata.normalize("NFC", str(place[column])) for column in columns]
            text.write("\t".join(cells + [f"{place['point'][0]:.4f}", f"{place['point'][1]:.4f}"]) + "\n")
        with open(f"{HERE}/{source}.tsv", "w", encoding="utf-8") as file:
            file.write(text.getvalue())
        print(source, len(rows), "places of", len({place["country"] for place in rows}), "countries;",
              sum(bool(place["postcode"]) for place in rows), "with a postcode")


main()
