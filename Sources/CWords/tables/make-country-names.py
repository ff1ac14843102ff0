#!/usr/bin/env python3
"""Makes country-names.txt: the names of the countries in the languages of the world.

    make-country-names.py > Sources/CWords/tables/country-names.txt

Needs Babel 2.19.0 (names of the CLDR) from PyPI. The same input makes the same bytes.
"""

import pathlib

from babel import Locale
from babel.localedata import locale_identifiers

FEWEST_OWN_NAMES = 60  # of 250; the CLDR knows less of the languages with fewer


def main():
    countries = pathlib.Path(__file__).with_name("countries.txt").read_text().splitlines()
    codes = [line.split("|")[0] for line in countries if line[:1] not in "# "]
    english = Locale.parse("en").territories
    print("""# The names of the countries in the languages of the world.
#
# make-country-names.py makes this file. The first line has the codes of ISO 3166-1. Each other line has a language and
# the names in the same order. A name is empty if it is the English one.
#
# The names come from the Unicode Common Locale Data Repository (CLDR), © 1991 onwards Unicode, Inc., used under the
# Unicode License v3: https://www.unicode.org/license.txt.""")
    print("|".join([""] + codes))
    for language in sorted(locale_identifiers()):
        # Of the variants, only those that a browser asks for and that differ much.
        if len(language) != 2 and language not in ("pt_PT", "sr_Latn", "zh_Hant", "fil"):
            continue
        names = Locale.parse(language).territories
        own = [names[code] if names.get(code) not in (None, code, english[code]) else "" for code in codes]
        if sum(map(bool, own)) >= FEWEST_OWN_NAMES:
            print("|".join([language] + own))


main()
