"""Validates sample reports against the JSON Schema, and opens their pages in Chromium where it is installed.

    look_at_pages.py WRITE_SAMPLES SCHEMA FOLDER
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

try:
    import jsonschema
except ModuleNotFoundError:  # `make setup` installs it
    jsonschema = None

SKIPPED = 77


def browse(browser, folder, *arguments):
    """Standard output of a headless run that may reach nothing but the page."""
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic",
               f"--user-data-dir={folder / 'profile'}", "--host-resolver-rules=MAP * ~NOTFOUND",
               "--enable-logging=stderr", "--virtual-time-budget=2000", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not complaints, complaints
    return done.stdout


def check_page(browser, folder, name):
    page = (folder / f"{name}.html").resolve()
    seen = browse(browser, folder, "--dump-dom", page.as_uri())
    report = json.loads((folder / f"{name}.json").read_text())
    assert f'<title>Verification of {report["candidate"]}</title>' in seen
    assert seen.count("<section") == len(report["outputs"]) + len(report["incidents"])
    assert len(re.findall(r"<circle", seen)) == len(report["ops"])
    histograms = [o for o in report["outputs"] if o["metrics"] and o["metrics"]["histogram"]]
    assert seen.count("histogram of the errors of") == len(histograms)
    picture = folder / f"{name}.png"
    picture.unlink(missing_ok=True)
    browse(browser, folder, f"--screenshot={picture}", "--window-size=1200,2400", page.as_uri())
    assert picture.stat().st_size > 10_000, "the picture is blank"


def validate(schema, folder):
    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text()))
    for report in sorted(folder.glob("*.json")):
        validator.validate(json.loads(report.read_text()))
        print(f"{report.name}: valid")


def main():
    writer, schema, folder = map(Path, sys.argv[1:])
    subprocess.run([writer, folder], check=True)
    if jsonschema is not None:
        validate(schema, folder)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is not None:
        for name in ("same", "different", "empty"):
            check_page(browser, folder, name)
            print(f"{name}.html: looked at")
    if jsonschema is None or browser is None:
        print("jsonschema or Chromium is not installed")
        return SKIPPED
    return 0


sys.exit(main())
