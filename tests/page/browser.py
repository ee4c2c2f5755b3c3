"""Pages in Chromium, which may reach nothing but their own file."""

import atexit
import functools
import os
import shutil
import unittest
from pathlib import Path

try:
    from playwright.sync_api import sync_playwright
except ModuleNotFoundError:  # `make setup-tests` installs it
    sync_playwright = None

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = Path(os.environ.get("AXE", ""))
PATIENCE = 120_000  # ms: two cores that six other processes keep busy need most of the usual 30 s for one page
IDLE = []  # tabs that no test has a page in: opening one takes longer than opening most pages in it
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND"]


@functools.cache
def browser():
    """One browser for all tests: what a test does stays in its tab."""
    playwright = sync_playwright().start()
    started = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE)
    atexit.register(playwright.stop)
    atexit.register(started.close)
    return started


@unittest.skipUnless(sync_playwright and CHROMIUM, "Playwright or Chromium is not installed")
class BrowserTest(unittest.TestCase):
    """Opens pages, and holds each to be silent and self-contained."""

    def open(self, file, *, hash="", wait="yes", viewport=(1400, 900), color_scheme="light"):
        """The page of a file, drawn. What it logs, throws or loads is a failure of the test."""
        page = IDLE.pop() if IDLE else browser().new_page()
        self.addCleanup(self.leave, page)
        page.set_default_timeout(PATIENCE)
        page.set_viewport_size(dict(zip(("width", "height"), viewport, strict=True)))
        page.emulate_media(media="null", color_scheme=color_scheme)
        self.listen(page, "console", lambda message: self.fail_later(f"console: {message.text}"))
        self.listen(page, "pageerror", lambda error: self.fail_later(f"error: {error}"))
        self.listen(page, "request", lambda request: request.url.startswith("file:") or self.fail_later(f"loads {request.url}"))
        page.goto(Path(file).resolve().as_uri() + hash)
        page.wait_for_selector(f"body[data-ready={wait}]")
        return page

    def listen(self, page, event, listener):
        page.on(event, listener)
        self.addCleanup(page.remove_listener, event, listener)

    def leave(self, page):
        """Nothing of a page stays in its tab: what it keeps, it keeps in its address."""
        page.goto("about:blank")
        page.mouse.move(0, 0)
        IDLE.append(page)

    def setUp(self):
        self.complaints = []

    def tearDown(self):
        self.assertEqual(self.complaints, [])

    def fail_later(self, complaint):
        """An exception in a callback would be lost."""
        self.complaints.append(complaint)

    def assert_no_barriers(self, page):
        """axe-core finds nothing serious. It is injected as the browser's own, which the page's policy does not rule."""
        page.evaluate(AXE.read_text())
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        serious = [each for each in found if each["impact"] in ("serious", "critical")]
        self.assertEqual([(each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in serious], [])
