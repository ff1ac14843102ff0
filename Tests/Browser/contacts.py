"""Tests of the contacts, the map's search, and errors as pages. pages.py runs them."""

import json
import urllib.parse

from browser import barriers, check, opened


def contacts(page, cluster, token, pictures, axe):
    """Searches for a name, opens a friend with places, and asks for them again with the button."""

    def read(path):
        return cluster.read(path, token=token)[1]

    page.press("g")
    page.press("c")
    opened(page, "contacts")
    page.wait("document.documentElement.dataset.contacts === '50'")
    page.click("[data-act=more]")
    page.wait("document.documentElement.dataset.contacts === '100'")
    check(page.run("document.querySelector('[data-friend] a').textContent") == read("/v1/friends?limit=1")["data"][0]["name"], "the first friend")
    page.press("/")
    page.type("PERSON 1")
    found = read("/v1/friends?limit=1000&query=" + urllib.parse.quote("PERSON 1"))["data"]
    check(0 < len(found) < 200, f"{len(found)} friends are found")
    page.wait(f"document.documentElement.dataset.contacts === '{min(50, len(found))}'")
    page.run("document.querySelector('[name=status]').value = 'not_found'; document.querySelector('[name=status]').dispatchEvent(new Event('change', {bubbles: true}))")
    missing = [friend["id"] for friend in found if friend["addresses"][0]["status"] == "not_found"]
    page.wait(f"document.documentElement.dataset.contacts === '{len(missing)}'")
    check(page.run("[...document.querySelectorAll('[data-friend]')].map((row) => Number(row.dataset.friend))") == missing, "both filters hold")
    page.picture(pictures / "contacts.png")
    check(barriers(page, axe) == [], f"contacts: {barriers(page, axe)}")

    located = next(friend for friend in found if friend["addresses"][0]["status"] == "located")
    page.go(f"{cluster.address}/contacts?query=" + urllib.parse.quote(located["name"]))
    opened(page, "contacts")
    page.click(f"[data-act='open {located['id']}']")
    page.wait("document.documentElement.dataset.places === '1'")
    check(page.run("document.querySelector('h1').textContent") == located["name"], "the friend's name")
    check(page.run("document.querySelectorAll('.leaflet-marker-icon').length") == 1, "the place is on the map")
    check(located["addresses"][0]["city"] in page.run("document.querySelector('[data-address]').textContent"), "the address")
    page.picture(pictures / "contact.png")
    check(barriers(page, axe) == [], f"contact: {barriers(page, axe)}")
    page.click(f"[data-act='again {located['addresses'][0]['id']}']")
    page.wait("document.querySelector('#friend [role=status]').textContent.startsWith('The address is asked again')")
    acts = read("/v1/log?limit=1")["data"]
    check("rematch" in acts[0]["verb"], f"the log has the act: {acts[0]['verb']}")
    page.go(f"{cluster.address}/contacts/999999999")
    page.wait("document.querySelector('h1')?.textContent === 'No such contact'")
    page.problems = [problem for problem in page.problems if "status of 404" not in problem]


def search_map(page, cluster, pictures):
    """The map finds a friend far outside the view, and moves there."""
    page.go(cluster.address + "/map#-36.8485/174.7633/9")
    opened(page, "map")
    page.wait("document.getElementById('title').textContent.endsWith('in view')")
    page.press("/")
    page.type("person 11")
    page.wait("document.getElementById('title').textContent.endsWith('places found')")
    names = page.run("[...document.querySelectorAll('.rows .who')].map((name) => name.firstChild.data)")
    check(names and all("Person 11" in name for name in names), f"the list has {names}")
    page.wait("location.hash && !location.hash.startsWith('#-36.8')")
    page.picture(pictures / "map-search.png")
    page.click(".rows li button")
    page.wait("!!document.querySelector('.popup a[href^=\"/contacts/\"]')")
    page.run("document.getElementById('search').value = 'nobody at all'; document.getElementById('search').dispatchEvent(new Event('input'))")
    page.wait("document.getElementById('title').textContent === '0 places found'")


def errors(page, cluster, pictures, axe):
    """At one address, a person gets a page and a program gets JSON."""
    for path, title in [("/nowhere", "There is no such page"), ("/v1/friends/999999999", "There is no such page"),
                        ("/v1/friends?limit=0", "The server does not understand this address")]:
        page.go(cluster.address + path)
        page.wait(f"document.querySelector('h1')?.textContent === {json.dumps(title)}")
        page.wait("getComputedStyle(document.querySelector('.bar')).display === 'flex'")
        answer = page.run(f"fetch({json.dumps(path)}).then((answer) => answer.headers.get('Content-Type'))")
        check(answer == "application/problem+json", f"{path} answers a program with {answer}")
    page.picture(pictures / "error.png")
    check(barriers(page, axe) == [], f"error: {barriers(page, axe)}")
    page.problems = [problem for problem in page.problems if "status of 4" not in problem]


def charts(page, pictures):
    """The chart of calls has axes, a text for pointer and arrow keys, and a choice of the span."""
    page.wait("document.querySelectorAll('.chart svg text').length > 3")
    x, y = page.place(".chart svg")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    page.wait("document.querySelector('.chart .tip').textContent.includes('call')")
    page.picture(pictures / "chart.png")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    page.wait("document.querySelector('.chart .tip').hidden")
    page.run("document.querySelector('.chart svg').focus()")
    page.press("ArrowLeft")
    last = page.run("document.querySelector('.chart .tip').textContent")
    page.press("ArrowLeft")
    check(last and page.run("document.querySelector('.chart .tip').textContent") != last, "the arrow keys go from bar to bar")
    for span, words in [("1d", "day"), ("7d", "7 days"), ("1h", "hour")]:
        page.run(f"document.querySelector('[data-act=span]').value = '{span}'; document.querySelector('[data-act=span]').dispatchEvent(new Event('change'))")
        page.wait(f"document.querySelector('.chart svg').ariaLabel.includes('in the last {words};')")
    page.run("document.activeElement.blur()")


def phone(browser, cluster, pictures, *pages):
    """At 390 pixels nothing is cut off sideways, and a question's candidates are visible above the buttons."""
    for path, ready in pages:
        page = browser.open(cluster.address + path, 390, 844, phone=True)
        opened(page, ready)
        cut = page.run("[...document.querySelectorAll('main *')].filter((one) => getComputedStyle(one).overflowX === 'auto' && one.scrollWidth > one.clientWidth).map((one) => one.className)")
        check(cut == [], f"{path} is cut off in {cut}")
        check(page.run("document.documentElement.scrollHeight <= innerHeight"), f"{path} scrolls as a whole")
        small = page.run("[...document.querySelectorAll('.acts button, .decide button')].filter((one) => one.getBoundingClientRect().height < 40).map((one) => one.textContent)")
        check(small == [], f"{path} has buttons too small for a finger: {small}")
        if ready == "review":
            check(page.run("document.querySelector('[data-candidate]').getBoundingClientRect().bottom < document.querySelector('.decide').getBoundingClientRect().top"), "the first candidate can be seen")
        page.picture(pictures / f"{ready}-phone.png")
        page.close()
