"""Tests of the page that geocodes a file. pages.py runs them."""

import json
import urllib.request

from browser import barriers, check, opened

LIST = "Kunde;Stadt;Land;Bemerkung\nAda;München;Deutschland;=1+1\nBob;Helsinki;Finland;<img src=x onerror='window.broken = 2'>\nEve;Nowhereville;Atlantis;\n"


def give(page, path):
    root = page.call("DOM.getDocument")["root"]["nodeId"]
    page.call("DOM.setFileInputFiles", files=[str(path)], nodeId=page.call("DOM.querySelector", nodeId=root, selector="#file")["nodeId"])


def mean(page, column, meaning):
    page.run(f"""(() => {{ const one = document.querySelector('[data-column="{column}"]'); one.value = {json.dumps(meaning)};
        one.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")
    page.wait("document.documentElement.dataset.file === 'read'")


def files(page, cluster, token, pictures, axe):
    """A file is chosen, its columns are corrected, it is geocoded, shown on a map, and given back."""
    path = cluster.folder / "list.csv"
    path.write_text(LIST, encoding="utf-8")
    page.press("g")
    page.press("f")
    opened(page, "files")
    page.picture(pictures / "files.png")
    check(barriers(page, axe) == [], f"files: {barriers(page, axe)}")
    give(page, path)
    page.wait("document.documentElement.dataset.file === 'read'")
    meanings = "[...document.querySelectorAll('[data-column]')].map((one) => one.value)"
    check(page.run(meanings) == ["name", "city", "country", ""], f"the columns are {page.run(meanings)}")
    mean(page, 3, "region")
    check(page.run(meanings) == ["name", "city", "country", "region"], f"the columns are {page.run(meanings)}")
    # What the server refuses is said, and taken back.
    mean(page, 0, "region")
    check("already assigns region" in page.run("document.getElementById('trouble').textContent"), "the mistake is named")
    check(page.run(meanings)[0] == "name", "the wrong meaning is taken back")
    page.problems = [problem for problem in page.problems if "status of 400" not in problem]
    mean(page, 3, "")
    check(page.run("document.getElementById('trouble')") is None and page.run(meanings)[3] == "", "all is well again")
    page.picture(pictures / "files-columns.png")
    check(barriers(page, axe) == [], f"columns: {barriers(page, axe)}")

    page.click("[data-act=go]")
    page.wait("document.documentElement.dataset.file === 'done' && document.documentElement.dataset.drawn === '2'")
    check(page.run("document.documentElement.dataset.doubts") == "1", "one row is to check")
    page.click(".doubts button")
    page.wait("document.querySelector('.popup dl')?.textContent.includes('Nowhereville')")
    page.wait("document.documentElement.dataset.drawn === '2'")
    page.picture(pictures / "files-result.png")
    check(page.run("window.broken") is None, "no cell ran")
    check(barriers(page, axe) == [], f"result: {barriers(page, axe)}")
    target = page.run("document.querySelector('[data-act=download]').href")
    with urllib.request.urlopen(urllib.request.Request(target, headers={"Authorization": f"Bearer {token}"} if token else {}), timeout=10) as answer:
        check('filename="list.csv"' in answer.headers["Content-Disposition"], "the file has its name")
        rows = answer.read().decode().splitlines()
    check([row.split(";", 3)[:3] for row in rows[1:]] == [row.split(";", 3)[:3] for row in LIST.splitlines()[1:]], "its rows are as they were")
    check(rows[1].startswith("Ada;München;Deutschland;=1+1;48,1"), rows[1])

    # The run is a part of the page's address.
    page.go(page.run("location.href"))
    page.wait("document.documentElement.dataset.drawn === '2'")
    page.click("[data-act=remove]")
    page.wait("location.search === '' && document.documentElement.dataset.ready === 'files'")
    check(page.run("document.querySelector('[data-run]')") is None, "the file is gone")


