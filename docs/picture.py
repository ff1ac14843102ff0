#!/usr/bin/env python3
"""Takes the picture of the README: the map that `make demo` wrote, in a real browser.

    make demo && docs/picture.py map.html docs/map.png
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Tests" / "Browser"))

from browser import Browser  # noqa: E402

with Browser() as browser:
    page = browser.open(pathlib.Path(sys.argv[1]).resolve().as_uri(), width=1120, height=620)
    page.wait("document.documentElement.dataset.ready")
    # Europe: names in letters that every machine has.
    page.click("#near")
    for _ in range(4):
        page.call("Input.dispatchMouseEvent", type="mouseWheel", x=735, y=245, deltaX=0, deltaY=-60)
        page.wait("new Promise((done) => setTimeout(() => done(true), 500))")
    page.drag((920, 120), (760, 300))
    page.wait("new Promise((done) => setTimeout(() => done(true), 500))")
    page.picture(sys.argv[2])
