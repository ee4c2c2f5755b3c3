"""Writes a page of each model and uses it as a reader would: opens it, its modules and its first finding.

    tools/pages/open_pages.py PROGRAM AXE MODEL... [-- OPTIONS OF `check`]

AXE is axe-core's `axe.min.js`. One line for each page that logs, throws, loads something, cannot be used or bars a reader; a count at the end.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tests" / "page"))
import browser  # noqa: E402

SLOW = 5.0  # seconds until a page can be used


def write(program, model, options, file):
    """The page of a model; what went wrong, else nothing."""
    command = [program, "check", model, *options, "--output-format", "html", "--output-file", file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if file.exists() else f"no page: {done.stderr.strip()}"


def use(chromium, file, axe):
    """What is wrong with a page, as a list."""
    wrong = []
    page = chromium.new_page(viewport={"width": 1400, "height": 900})
    page.on("console", lambda message: wrong.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
    page.on("request", lambda request: request.url.startswith("file:") or wrong.append(f"loads {request.url}"))
    start = time.perf_counter()
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-ready=yes]", timeout=60_000)
    if (taken := time.perf_counter() - start) > SLOW:
        wrong.append(f"usable after {taken:.1f} s")
    if page.get_by_role("button", name="open modules").count():
        page.get_by_role("button", name="open modules").click()
        if not page.locator("svg [data-item]").count():
            wrong.append("its graph is empty")
    for button in page.locator(".finding button.headline").all()[:3]:
        button.click()
    page.evaluate(axe)
    for each in page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]:
        if each["impact"] in ("serious", "critical"):
            wrong.append(f"axe: {each['id']}: {each['nodes'][0]['html'][:120]}")
    page.close()
    return wrong


def main():
    program, axe, *models = sys.argv[1:]
    options = []
    if "--" in models:
        models, options = models[:models.index("--")], models[models.index("--") + 1:]
    good = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        chromium = playwright.chromium.launch(executable_path=browser.CHROMIUM, args=browser.ARGUMENTS)
        for number, model in enumerate(models):
            file = Path(folder) / f"{number}.html"
            failed = write(program, model, options, file)
            wrong = [failed] if failed else use(chromium, file, Path(axe).read_text())
            good += not wrong
            for each in wrong:
                print(f"{model}: {each}")
        chromium.close()
    print(f"{good} of {len(models)} pages are right")
    return good < len(models)


if __name__ == "__main__":
    sys.exit(main())
