#!/usr/bin/env python3
"""Draws the picture of the README: where the demo's contacts live, and what the program said.

    make demo | tee summary.txt
    docs/map.py places.geojson summary.txt > docs/demo.svg

Nobody ships coastlines with this project, so the continents are drawn by the towns that people live in: a
thinned-out sql/seed/places.tsv.gz. Python's standard library is enough, and the same input makes the same bytes.
"""

import gzip
import json
import pathlib
import re
import sys
from collections import Counter
from xml.sax.saxutils import escape

SEED = pathlib.Path(__file__).resolve().parent.parent / "sql" / "seed" / "places.tsv.gz"

WIDTH = 1000
MARGIN = 24
NORTH, SOUTH = 76, -56  # Nobody in the seed data lives beyond.
SCALE = (WIDTH - 2 * MARGIN) / 360  # Equirectangular: a degree is as wide as it is high.
MAP_TOP = 62
MAP_HEIGHT = (NORTH - SOUTH) * SCALE

MONOSPACE = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
SANS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif"

# A picture in a README can't see the theme of the page, so it brings a background that suits both.
PAPER, SEA, GRATICULE, LAND, INK, DIM = "#f6f8fa", "#ffffff", "#eaeef2", "#c3cad2", "#1f2328", "#59636e"
TERMINAL, TERMINAL_INK, TERMINAL_DIM = "#161b22", "#e6edf3", "#8b949e"

# From fine to coarse; the last are painted first, so that a postcode is not hidden by its city.
COLOURS = {
    "rooftop": "#8250df",
    "interpolated": "#bf3989",
    "street": "#1a7f37",
    "postcode": "#0969da",
    "city": "#e16f24",
    "region": "#9a6700",
    "country": "#6e7781",
}


def position(longitude, latitude):
    return MARGIN + (longitude + 180) * SCALE, MAP_TOP + (NORTH - latitude) * SCALE


def towns(step=1.5):
    """One dot for each cell of the map that has a town in it, where the cell's largest town is."""
    largest = {}
    with gzip.open(SEED, "rt", encoding="utf-8") as file:
        columns = {name: place for place, name in enumerate(next(file).rstrip("\n").split("\t"))}
        for line in file:
            fields = line.rstrip("\n").split("\t")
            latitude, longitude = float(fields[columns["latitude"]]), float(fields[columns["longitude"]])
            people = int(fields[columns["population"]])
            if not SOUTH < latitude < NORTH:
                continue
            x, y = position(longitude, latitude)
            cell = (int(x / step / SCALE * 1.25), int(y / step / SCALE * 1.25))
            if cell not in largest or people > largest[cell][0]:
                largest[cell] = (people, x, y)
    return sorted((round(y, 1), round(x, 1)) for _, x, y in largest.values())


def dots(points):
    """A path of points without length: with round caps, each is a dot of a few bytes."""
    path, last_x, last_y = [], 0, 0
    for y, x in points:
        # Relative and in tenths, for short numbers.
        x, y = round(x * 10), round(y * 10)
        path.append(f"m{x - last_x} {y - last_y}h0".replace(" -", "-"))
        last_x, last_y = x, y
    return "".join(path)


def places(path):
    """How many contacts live at each spot of the map, by precision."""
    with open(path, encoding="utf-8") as file:
        features = json.load(file)["features"]
    spots = Counter()
    for feature in features:
        longitude, latitude = feature["geometry"]["coordinates"]
        x, y = position(longitude, latitude)
        spots[feature["properties"]["precision"], round(x, 1), round(y, 1)] += 1
    return spots


def graticule():
    lines = []
    for longitude in range(-150, 180, 30):
        x, _ = position(longitude, 0)
        lines.append(f"M{x:.1f} {MAP_TOP}v{MAP_HEIGHT:.1f}")
    for latitude in range(-30, 75, 30):
        _, y = position(0, latitude)
        lines.append(f"M{MARGIN} {y:.1f}h{WIDTH - 2 * MARGIN}")
    return "".join(lines)


def summary_lines(path):
    """The program's report without colours and without the blank lines around it."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)
    lines = [line.rstrip() for line in text.splitlines()]
    # What make and swift build say before the report begins with no space.
    lines = [line for line in lines if not line or line.startswith("  ")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def draw(geojson, summary):
    spots = places(geojson)
    by_precision = Counter()
    for (precision, _, _), count in spots.items():
        by_precision[precision] += count
    precisions = [name for name in COLOURS if by_precision[name]]
    lines = summary_lines(summary)

    box_top = MAP_TOP + MAP_HEIGHT + 20
    line_height = 19
    box_height = 34 + 22 + line_height * (len(lines) + 1) + 20
    height = box_top + box_height + MARGIN

    svg = []
    add = svg.append
    total = sum(by_precision.values())
    add(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" '
        f'height="{height:.0f}" role="img" aria-labelledby="title">'
    )
    add(f'<title id="title">The places of {total:,} addresses on a map of the world, and the report of make demo</title>')
    add(f'<rect width="{WIDTH}" height="{height:.0f}" rx="12" fill="{PAPER}"/>')

    # The heading, and the legend at its right.
    add(f'<g font-family="{SANS}" fill="{INK}">')
    add(f'<text x="{MARGIN}" y="39" font-size="19" font-weight="600">{total:,} located addresses</text>')
    x = WIDTH - MARGIN
    for precision in reversed(precisions):
        label = f"by {precision}: {by_precision[precision]:,}"
        # Fonts differ from reader to reader; a fixed length keeps the circle beside its text.
        length = 7.2 * len(label)
        add(f'<text x="{x - length:.1f}" y="38" font-size="14" textLength="{length:.1f}">{label}</text>')
        x -= length + 13
        add(f'<circle cx="{x:.1f}" cy="33.5" r="5" fill="{COLOURS[precision]}"/>')
        x -= 26
    add("</g>")

    add(
        f'<rect x="{MARGIN}" y="{MAP_TOP}" width="{WIDTH - 2 * MARGIN}" height="{MAP_HEIGHT:.1f}" rx="6" '
        f'fill="{SEA}" stroke="{GRATICULE}"/>'
    )
    add(f'<path d="{graticule()}" stroke="{GRATICULE}" fill="none"/>')
    add(
        f'<path transform="scale(.1)" d="{dots(towns())}" stroke="{LAND}" stroke-width="24" '
        'stroke-linecap="round" fill="none"/>'
    )

    for precision in reversed(precisions):
        add(f'<g fill="{COLOURS[precision]}" fill-opacity=".72" stroke="#fff" stroke-width=".6">')
        # Large ones first, and the area grows with the count.
        for (_, x, y), count in sorted(
            (spot for spot in spots.items() if spot[0][0] == precision), key=lambda spot: (-spot[1], spot[0])
        ):
            add(f'<circle cx="{x}" cy="{y}" r="{1.7 + 0.8 * (count ** 0.5):.1f}"/>')
        add("</g>")

    # A terminal with the report in it.
    left, right = MARGIN, WIDTH - MARGIN
    add(f'<rect x="{left}" y="{box_top:.1f}" width="{right - left}" height="{box_height}" rx="8" fill="{TERMINAL}"/>')
    for number, colour in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
        add(f'<circle cx="{left + 20 + 18 * number}" cy="{box_top + 19:.1f}" r="5.5" fill="{colour}"/>')
    y = box_top + 34 + 22
    add(f'<g font-family="{MONOSPACE}" font-size="14" fill="{TERMINAL_INK}" xml:space="preserve">')
    add(f'<text x="{left + 20}" y="{y:.1f}"><tspan fill="#7ee787">$</tspan> make demo</text>')
    for line in ["", *lines]:
        y += line_height
        if not line:
            continue
        fill = f' fill="{TERMINAL_DIM}"' if line.strip().startswith("places:") else ""
        # Not every renderer honours xml:space, and none folds a no-break space.
        text = escape(line).replace("  ", "\u00a0\u00a0")
        for word, colour in [("located", "#7ee787"), ("not found", "#e3b341"), ("failed", "#ff7b72")]:
            if re.match(rf"\s*{word}\s", line):
                text = text.replace(word, f'<tspan fill="{colour}">{word}</tspan>', 1)
        add(f'<text x="{left + 20}" y="{y:.1f}"{fill}>{text}</text>')
    add("</g>")
    add("</svg>")
    return "\n".join(svg) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: docs/map.py places.geojson summary.txt > docs/demo.svg")
    sys.stdout.write(draw(sys.argv[1], sys.argv[2]))
