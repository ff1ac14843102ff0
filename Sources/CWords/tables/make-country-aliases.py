#!/usr/bin/env python3
"""Makes country-aliases.txt: spellings of countries that countries.txt lacks.

    make-country-aliases.py > Sources/CWords/tables/country-aliases.txt

Needs Babel 2.19.0 (names of the CLDR) and pycountry 26.2.16 (ISO 3166-1) from PyPI. The same input makes the same bytes.
"""

import pathlib
import re
import unicodedata

import pycountry
from babel import Locale

LANGUAGES = """en en_GB de fr es it pt pt_PT ca nl sv da nb fi is et lv lt pl cs sk sl hr sr mk sq hu ro bg el ru uk be tr
    ar he fa hi ja ko zh zh_Hant th vi id ms fil""".split()
# Words that people abbreviate in English names.
SHORT = {
    "Republic": ["Rep"], "Democratic": ["Dem"], "Islands": ["Is", "Isl"], "Saint": ["St"], "and": ["&"],
    "Federation": ["Fed"], "North": ["N"], "South": ["S"], "United": ["Utd"], "Federated": ["Fed"],
}
# Names that no list has. Korea alone is nearly always the southern one.
USUAL = {
    "AE": "Emirates|U A Emirates|Dubai UAE", "BA": "Bosnia|Bosnia-Hercegovina|BiH", "CD": "DRC|Congo Dem Rep|Dem Rep Congo|Dem Rep of Congo|Democratic Rep of Congo|DR Congo|RDC|Zaire|Congo Kinshasa|Congo DR|Congo DRC",
    "CG": "Congo Brazzaville|Congo Rep", "CN": "Mainland China|China Mainland|P R China|PR China|PRC|P R C|China PR",
    "CZ": "Czech Rep|Czech", "DE": "GER|BRD|Fed Rep of Germany|Federal Republic of Germany", "DO": "Dominican Rep|Rep Dominicana|R Dominicana",
    "EG": "Egypt Arab Rep|Arab Rep of Egypt", "FM": "Micronesia", "GB": "ENG|SCO|Gt Britain|G B|UK GB|United Kingdom of Great Britain|Great Britain UK",
    "HK": "Hong Kong SAR|Hong Kong China|Hongkong China|HKSAR|Hong Kong SAR China", "IE": "Rep of Ireland|Irish Republic|Southern Ireland|Ireland Republic of",
    "IR": "Iran Islamic Rep|Islamic Republic of Iran", "KG": "Kyrgyz Republic|Kyrgyz Rep|Kirghizia",     "KP": "North Korea|Korea North|Korea Dem People's Rep|Korea DPR|DPR Korea|DPRK|Korea Democratic People's Republic",
    "KR": "Korea|Corea|Coréia|Korea S|S Korea|So Korea|Korea Rep|ROK|R O K|Rep of Korea|Korea RO|Корея|Κορέα|Kore|كوريا|קוריאה|Koreya|조선",
    "LA": "Lao PDR|Lao People's Dem Rep", "MK": "Macedonia|Macedonia FYR|FYROM|FYR Macedonia|Rep of North Macedonia",
    "MO": "Macau SAR|Macao SAR|Macau China|Macao China", "NL": "Netherlands The|NED|Nederlands|Hollande|Holanda", "PS": "Palestine|Palestinian Territories|West Bank|Gaza Strip|West Bank and Gaza",
    "RU": "Russian Fed|Russia Federation|РФ", "SK": "Slovak Republic|Slovak Rep|Slovak", "SY": "Syrian Arab Rep", "TT": "Trinidad & Tobago",
    "TW": "Taiwan ROC|Taiwan R O C|R O C|ROC|Chinese Taipei|Taiwan China|Taiwan Province of China|TPE", "TZ": "Tanzania United Rep",
    "US": "U S of A|United States America|America|The USA|The US|The States|Etats Unis d'Amerique|Unites States|Amerika|EEUU|E E U U|USA US|US USA|Estados Unidos",
    "VA": "Vatican City|Vatican State", "VE": "Venezuela RB|Venezuela BR", "VI": "US Virgin Islands|USVI|U S V I|Virgin Islands USA",
    "VG": "BVI|B V I|British Virgin Is", "YE": "Yemen Rep", "CH": "SUI", "ZA": "S Africa|So Africa|Rep of South Africa", "TR": "Türkei",
    "GM": "The Gambia|Gambia The", "BS": "The Bahamas|Bahamas The", "PH": "The Philippines|Philippines The", "SD": "The Sudan",
}


def key(text):
    """What Country compares: letters and digits alone."""
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(letter for letter in text if unicodedata.category(letter)[0] in "LMN")


def spellings(name):
    """A name, its inverted forms, and these with their words abbreviated."""
    names = [name]
    halves = re.fullmatch(r"(.+?), (.+)", name) or re.fullmatch(r"(.+?) \((.+)\)", name)
    if halves:
        names += [f"{halves[1]} {halves[2]}", f"{halves[2]} {halves[1]}"]
    for prefix in ("Republic of ", "Democratic Republic of ", "People's Republic of ", "Kingdom of ", "State of "):
        rest = name.removeprefix("The ").removeprefix("the ").removeprefix(prefix)
        if rest != name and not rest.startswith(("The ", "the ")):
            names += [f"{rest} {prefix.strip()}", f"{prefix}{rest}"]
    for name in list(names):
        for word, shorts in SHORT.items():
            if re.search(rf"\b{word}\b", name):
                names += [re.sub(rf"\b{word}\b", short, name) for short in shorts]
    return names + [name.removeprefix("the ") for name in names if name.startswith("the ")]


def main():
    folder = pathlib.Path(__file__).parent
    known, code = {}, ""
    for line in (folder / "countries.txt").read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            names = line.strip().split("|")
            code = code if line.startswith(" ") else names[0]
            known.update({key(name): code for name in names})
    codes = set(known.values())
    found = {}

    def add(code, names):
        for name in names:
            # A name of fewer than three letters is a code, and one that begins with such a name is rarely a country.
            if len(key(name)) > 2 and key(name) not in known:
                found.setdefault(key(name), {}).setdefault(code, name)

    for code, names in USUAL.items():
        for name in names.split("|"):
            if key(name) not in known:
                found[key(name)] = {code: name}
    usual = set(found)
    for country in pycountry.countries:
        if country.alpha_2 in codes:
            for kind in ("name", "official_name", "common_name"):
                if getattr(country, kind, None):
                    add(country.alpha_2, spellings(getattr(country, kind)))
    for language in LANGUAGES:
        for code, name in Locale.parse(language).territories.items():
            if code in codes:
                add(code, spellings(name) if language == "en" else [name])
    lines = {}
    for name, owners in found.items():
        if len(owners) == 1 or name in usual:
            code, spelling = next(iter(owners.items()))
            lines.setdefault(code, []).append(spelling)
    print("""# Spellings of countries that countries.txt lacks: official, inverted, abbreviated and colloquial ones.
#
# make-country-aliases.py makes this file. Each line has a code of ISO 3166-1 and the spellings. They help to find a place
# and are not part of the recipe of hashes, so a spelling may be added at any time.
#
# The names come from the Unicode Common Locale Data Repository (CLDR), © 1991 onwards Unicode, Inc., used under the
# Unicode License v3: https://www.unicode.org/license.txt, and from ISO 3166-1 as Debian's iso-codes has it, LGPL 2.1.
# The colloquial names are ours.""")
    for code in sorted(lines):
        print("|".join([code] + lines[code]))


main()
