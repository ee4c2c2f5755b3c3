"""Pages in Chromium, which may reach nothing but their own file."""

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
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND"]


@unittest.skipUnless(sync_playwright and CHROMIUM, "Playwright or Chromium is not installed")
class BrowserTest(unittest.TestCase):
    """Opens pages, and holds each to be silent and self-contained."""

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE)
        cls.addClassCleanup(cls.browser.close)

    def open(self, file, *, hash="", wait="yes", **options):
        """The page of a file, drawn. What it logs, throws or loads is a failure of the test."""
        options = {"viewport": {"width": 1400, "height": 900}, **options}
        page = self.browser.new_page(**options)
        self.addCleanup(page.close)
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.fail_later(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.fail_later(f"error: {error}"))
        page.on("request", lambda request: request.url.startswith("file:") or self.fail_later(f"loads {request.url}"))
        page.goto(Path(file).resolve().as_uri() + hash)
        page.wait_for_selector(f"body[data-ready={wait}]")
        return page

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
