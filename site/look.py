#!/usr/bin/env python3
"""Looks at the site in build/site by a headless Chromium, and takes pictures of it for a person to see.

usage: look.py
No page is wider than a screen of 360 pixels, none reports an error or asks for anything but files, and
the search finds a word. Prints a line for each fault, and exits with 1 if there is any. The pictures are
in build/site-pictures: some pages, wide and narrow, light and dark. Without a Chromium it says so, and
checks nothing.
"""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from urllib.parse import quote

from build import OUT, ROOT, Site

PICTURES = ROOT / "build" / "site-pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTHS = {"wide": 1280, "narrow": 360}
SEEN = ("index.html", "start.html", "which-planner.html", "hpa-star.html", "benchmarks.html", "robots.html",
        "faq.html", "labels.html", "api/cpp/classcairn_1_1hpa_1_1Index.html", "api/c/cairn_8h.html")
SECONDS = 60  # that a page or an answer may take


class Browser:
    """A Chromium that is told what to do by messages over pipes, as its DevTools are."""

    def __init__(self, program, profile):
        reads, self.commands = os.pipe()
        self.answers, writes = os.pipe()

        def as_3_and_4():  # where Chromium expects its ends; through high numbers, lest one be 3 or 4
            kept = os.dup2(reads, 100), os.dup2(writes, 101)
            os.dup2(kept[0], 3)
            os.dup2(kept[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--remote-debugging-pipe", f"--user-data-dir={profile}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
            preexec_fn=as_3_and_4)
        os.close(reads)
        os.close(writes)
        os.set_blocking(self.answers, False)
        self.received, self.number, self.events = b"", 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    session = None

    def message(self, deadline):
        """The next message of the browser."""
        while b"\0" not in self.received:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise TimeoutError("the browser does not answer")
            try:
                self.received += os.read(self.answers, 1 << 20)
            except BlockingIOError:
                time.sleep(0.005)
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        """The result of a command; events that come before it are kept."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.commands, json.dumps(command).encode() + b"\0")
        deadline = time.monotonic() + SECONDS
        while True:
            message = self.message(deadline)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def open(self, path):
        """Opens a page and waits until it is loaded. Returns what it complains of and asks for."""
        self.events.clear()
        self.call("Page.navigate", url=f"file://{quote(str(path))}")
        deadline = time.monotonic() + SECONDS
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message(deadline))
        self.evaluate("new Promise(done => setTimeout(done, 100))")
        return [fault for fault in map(fault_of, self.events) if fault]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return result["result"].get("value")

    def show(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 500)
        self.evaluate("localStorage.clear()")  # where the theme keeps the colours of an earlier visit
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def take_picture(self, path):
        height = min(self.evaluate("document.documentElement.scrollHeight"), 3000)
        size = self.evaluate("[innerWidth, 0]")[0]
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                            clip={"x": 0, "y": 0, "width": size, "height": height, "scale": 1})
        path.write_bytes(base64.b64decode(picture["data"]))

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)


def fault_of(event):
    """What is wrong, if an event says so."""
    method, parameters = event.get("method"), event.get("params", {})
    if method == "Runtime.exceptionThrown":
        details = parameters["exceptionDetails"]
        return details.get("exception", {}).get("description", details["text"]).splitlines()[0]
    if method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
        return f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}"
    if method == "Network.requestWillBeSent":
        url = parameters["request"]["url"]
        return None if url.startswith(("file:", "data:", "blob:")) else f"asks for {url}"
    return None


# The page's width if it is above a limit, and of the elements that stick out on the right, outside of what
# scrolls by itself, the innermost. innerWidth is no limit: it grows with what is too wide.
TOO_WIDE = """(limit => {
    const wide = document.scrollingElement.scrollWidth;
    if (wide <= limit) return "";
    const scrolls = e => e && (/(auto|scroll|hidden)/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
    const out = [...document.body.querySelectorAll("*")].filter(e => e.getBoundingClientRect().right > limit + 1
        && !scrolls(e.parentElement));
    const last = out.pop();
    return wide + " pixels wide" + (last ? ": " + last.outerHTML.slice(0, 120) : "");
})"""

SEARCH = """(async () => {
    const query = document.querySelector("[data-md-component=search-query]");
    document.getElementById("__search").click();
    query.focus();
    query.value = "separator";
    for (const kind of ["keyup", "input"]) query.dispatchEvent(new Event(kind, {bubbles: true}));
    for (let i = 0; i < 100; ++i) {
        await new Promise(done => setTimeout(done, 100));
        const found = document.querySelectorAll(".md-search-result__item").length;
        if (found) return found;
    }
    return 0;
})()"""


def look(browser):
    """Yields (page, fault)."""
    browser.show(WIDTHS["narrow"], "light")
    pages = [page.replace(".md", ".html") for page in Site().pages.values()]
    for page in sorted({*pages, *SEEN}):
        for fault in browser.open(OUT / page):
            yield page, fault
        if wide := browser.evaluate(f"{TOO_WIDE}({WIDTHS['narrow']})"):
            yield page, f"on a screen of {WIDTHS['narrow']} pixels {wide}"
    for name, width in WIDTHS.items():
        for scheme in ("light", "dark"):
            browser.show(width, scheme)
            for page in SEEN:
                for fault in browser.open(OUT / page):
                    yield page, fault
                stem = page.removesuffix(".html").replace("/", "-")
                browser.take_picture(PICTURES / f"{stem}-{name}-{scheme}.png")
    browser.show(WIDTHS["wide"], "light")
    browser.open(OUT / "index.html")
    if not browser.evaluate(SEARCH):
        yield "index.html", "the search finds nothing"


def main():
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not program:
        print("there is no Chromium: nobody looks at the site")
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    faults = set()  # a page is opened several times
    try:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            with contextlib.closing(Browser(program, profile)) as browser:
                for page, fault in look(browser):
                    if (page, fault) not in faults:
                        print(f"build/site/{page}: {fault}")
                    faults.add((page, fault))
    except (OSError, RuntimeError) as error:  # TimeoutError is an OSError
        sys.exit(f"{program}: {error}")
    print(f"pictures in {PICTURES.relative_to(ROOT)}: {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
