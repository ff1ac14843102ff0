"""Tests that a page does not decide twice for one key, sends nothing in a hidden tab, and does not outlive its session."""

import time

from browser import LONGEST, check, opened

# Timers run 20 times as fast, so that a polling page is detected soon. `hide` puts the tab in the background.
WITNESS = """
window.sources = [];
window.EventSource = class extends EventSource { constructor(path) { super(path); sources.push(this); } };
const timer = setTimeout;
window.setTimeout = (work, milliseconds) => timer(work, milliseconds / 20);
let isHidden = false;
Object.defineProperty(document, "hidden", { get: () => isHidden });
window.hide = (value) => { isHidden = value; document.dispatchEvent(new Event("visibilitychange")); };
"""


def held_key(page):
    """A held key decides only one question, also when the next question appears."""
    first = page.run("document.documentElement.dataset.question")
    before = len(page.requests)
    key = {"key": "r", "text": "r", "windowsVirtualKeyCode": ord("R")}
    page.call("Input.dispatchKeyEvent", type="keyDown", **key)
    page.wait(f"document.documentElement.dataset.question !== '{first}'")
    for _ in range(5):
        page.call("Input.dispatchKeyEvent", type="keyDown", autoRepeat=True, **key)
        page.settle()
    page.call("Input.dispatchKeyEvent", type="keyUp", **key)
    page.settle()
    rejected = [address for address in page.requests[before:] if address.endswith("/reject")]
    check(len(rejected) == 1, f"a held key decided {len(rejected)} questions")
    page.press("u")
    page.wait(f"document.documentElement.dataset.question === '{first}'")


def wait_for_requests(page, count):
    deadline = time.monotonic() + LONGEST
    while len(page.requests) < count:
        check(time.monotonic() < deadline, "the page asks for nothing")
        page.run("null")


def hidden_tab(browser, cluster):
    """A hidden tab requests nothing and closes its stream; shown again, it continues."""
    pages = []
    for _ in range(2):
        page = browser.open("about:blank")
        page.call("Page.addScriptToEvaluateOnNewDocument", source=WITNESS)
        page.go(cluster.address + "/")
        opened(page, "overview")
        pages.append(page)
    hidden, other = pages
    # Waits for running requests, because one sent before is allowed.
    hidden.run("hide(true)")
    hidden.settle()
    check(hidden.run("sources.length > 0 && sources.every((one) => one.readyState === EventSource.CLOSED)"), "a hidden tab keeps its stream open")
    asked, others = len(hidden.requests), len(other.requests)
    wait_for_requests(other, others + 20)
    check(len(hidden.requests) == asked, f"a hidden tab asked for {hidden.requests[asked:]}")
    hidden.run("hide(false)")
    hidden.wait("sources.at(-1).readyState === EventSource.OPEN")
    wait_for_requests(hidden, asked + 5)
    for page in pages:
        page.close()


def over(browser, cluster, sql):
    """When the session ends, a polling page and a listening page both go to the sign-in."""
    pages = []
    for path, ready in [("/jobs", "jobs"), ("/lanes", "lanes")]:
        page = browser.open(cluster.address + path)
        opened(page, ready)
        pages.append(page)
    sql("DELETE FROM sessions")
    for page in pages:
        opened(page, "sign-in")
        check(all("status of 401" in problem for problem in page.problems), f"the console has {page.problems}")
        page.problems = []
        page.close()
