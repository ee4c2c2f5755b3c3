"""How large pages are, and how soon they can be used.

    benchmarks/pages.py PROGRAM MODEL.pt
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PROJECT / "tests" / "page"))
import browser  # noqa: E402
from language_model import language_model  # noqa: E402
from page_file import write_page  # noqa: E402
from synthetic_test import report_of  # noqa: E402

ROUNDS = 5


def until_usable(chromium, file):
    """Seconds from the request to the drawn page."""
    page = chromium.new_page(viewport={"width": 1400, "height": 900})
    start = time.perf_counter()
    page.goto(file.as_uri(), wait_until="commit")
    page.wait_for_selector("body[data-ready=yes]")
    taken = time.perf_counter() - start
    page.close()
    return taken


def size_of_page(program, model, folder):
    file = folder / "page.html"
    subprocess.run([program, "--output-format", "html", "--output-file", file, "-q", model], check=False, capture_output=True)
    print(f"page of a ResNet-18: {file.stat().st_size / 1e6:.2f} MB (aim <= 1.5), of which {(PROJECT / 'page/page.html').stat().st_size / 1e6:.2f} MB"
          " are the same in every page")
    return file


def measure(program, model):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"a ResNet-18": size_of_page(program, model, folder)}
        if browser.sync_playwright is None or browser.CHROMIUM is None:
            print("pages were not opened: Playwright or Chromium is not installed (`make setup-tests`)")
            return
        for ops in (1_000, 5_000, 20_000, 100_000):
            files[f"{ops} ops"] = file = folder / f"{ops}.html"
            write_page(file, report_of("model.onnx", ops=ops), graph=[language_model(ops)])
        with browser.sync_playwright() as playwright:
            chromium = playwright.chromium.launch(executable_path=browser.CHROMIUM, args=browser.ARGUMENTS)
            for what, file in files.items():
                taken = statistics.median(until_usable(chromium, file) for _ in range(ROUNDS))
                aim = " (aim <= 2)" if what == "100000 ops" else ""
                print(f"page of {what}, modules closed where there are many: usable after {taken:.2f} s{aim}")
            chromium.close()


if __name__ == "__main__":
    measure(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
