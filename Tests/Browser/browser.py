"""A real Chromium without a window, for tests of visible pages. It needs only Python's standard library.

    with Browser() as browser:
        page = browser.open("file:///tmp/map.html", width=1280, height=800)
        page.wait("document.documentElement.dataset.ready")
        page.click("#search")

It uses the DevTools protocol over two pipes: https://chromedevtools.github.io/devtools-protocol/. Each page records its
`problems` (errors, refused loads, violations of the policy) and the addresses of its `requests`.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAM = "chromium-headless-shell"
LONGEST = 30  # The limit of every wait, in seconds.


def check(truth, what):
    if not truth:
        raise AssertionError(what)


READY = "document.documentElement.dataset.ready === {}"


def opened(page, name):
    page.wait(READY.format(json.dumps(name)))


def barriers(page, axe):
    """The violations that axe-core finds."""
    if not axe:
        return []
    page.run(axe)
    found = page.run("axe.run(document, {resultTypes: ['violations']}).then((all) => all.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')))")
    return found


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="waypost-browser-")
        ours, theirs = os.pipe(), os.pipe()
        self.to, self.back = ours[1], theirs[0]

        def become_three_and_four():
            # Copies both first, because one of them may already be 3 or 4.
            hears, says = os.dup(ours[0]), os.dup(theirs[1])
            os.dup2(hears, 3)
            os.dup2(says, 4)

        self.process = subprocess.Popen(
            [
                PROGRAM, "--no-sandbox", "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
                "--hide-scrollbars", "--force-color-profile=srgb", "--user-data-dir=" + self.folder,
            ],
            preexec_fn=become_three_and_four, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(ours[0])
        os.close(theirs[1])
        self.buffer, self.count, self.pages, self.answers = b"", 0, {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, **parameters):
        self.count += 1
        number = self.count
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + LONGEST
        while number not in self.answers:
            self.hear(deadline - time.monotonic(), method)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer.get("result", {})

    def hear(self, seconds, why):
        """Reads the browser's next messages."""
        while b"\0" not in self.buffer:
            if seconds <= 0 or not select.select([self.back], [], [], seconds)[0]:
                raise RuntimeError(f"the browser is silent: {why}")
            piece = os.read(self.back, 1 << 20)
            if not piece:
                raise RuntimeError(f"the browser is gone: {why}")
            self.buffer += piece
        message, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(message)
        if "id" in message:
            self.answers[message["id"]] = message
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].note(message["method"], message["params"])

    def open(self, address, width=1280, height=800, dark=False, phone=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session, target)
        for domain in ["Page", "Runtime", "Log", "Network"]:
            page.call(domain + ".enable")
        page.resize(width, height, phone=phone)
        page.media(dark=dark)
        page.go(address)
        return page


class Page:
    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target
        self.problems, self.requests = [], []
        # Other hosts that the page may request.
        self.expected = ()

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def note(self, method, said):
        if method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
            self.problems.append(" ".join(str(value.get("value", value.get("description"))) for value in said["args"]))
        elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            self.problems.append(said["entry"]["text"] + " " + said["entry"].get("url", ""))
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])

    def resize(self, width, height, phone=False):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1, mobile=phone)

    def media(self, dark=False, kind=""):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=kind, features=[scheme])

    def go(self, address):
        self.call("Page.navigate", url=address)

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)

    def run(self, expression):
        """Returns the value of an expression in the page, or a promise's result."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, expression, seconds=LONGEST):
        """Waits until an expression is true, and returns its value. An element is not a value: put !! before it."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                value = self.run(expression)
            except RuntimeError:  # The page may be changing.
                value = None
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"never true: {expression}; problems: {self.problems}")
            time.sleep(0.02)

    def place(self, selector):
        """Returns the middle of a visible element."""
        found = self.run(
            f"(() => {{ const it = document.querySelector({json.dumps(selector)}); if (!it) return null;"
            " it.scrollIntoView({block: 'nearest'}); const box = it.getBoundingClientRect();"
            " return box.width && box.height ? [box.left + box.width / 2, box.top + box.height / 2] : null; })()")
        if not found:
            raise AssertionError(f"{selector} can't be seen")
        return found

    def click(self, selector):
        self.click_at(*self.place(selector))

    def click_at(self, x, y):
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def drag(self, start, end, steps=8):
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], button="left", clickCount=1)
        for step in range(1, steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(start, end))
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", clickCount=1)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key):
        """Presses a key: a letter, or a name such as Enter."""
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Backspace": 8}
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        event = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key.upper()) if len(key) == 1 else 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def picture(self, path):
        self.settle()
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def paper(self, path):
        """Returns the printed page as a PDF."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))

    def settle(self):
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
