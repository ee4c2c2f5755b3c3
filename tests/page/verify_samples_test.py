"""Sample reports of verifications: their JSON is valid, and their pages show all of it.

Environment: SAMPLES (a program that writes them), SCHEMA, AXE (files).
"""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from browser import BrowserTest

try:
    import jsonschema
except ModuleNotFoundError:  # `make setup-tests` installs it
    jsonschema = None

SAMPLES = ("same", "different", "quantised", "empty")


def write_samples(test):
    """A folder with each sample in every format."""
    folder = tempfile.TemporaryDirectory()
    test.addClassCleanup(folder.cleanup)
    subprocess.run([os.environ["SAMPLES"], folder.name], check=True)
    return Path(folder.name)


@unittest.skipUnless(jsonschema, "jsonschema is not installed")
class Documents(unittest.TestCase):
    """The JSON."""

    def test_it_is_valid(self):
        validator = jsonschema.Draft202012Validator(json.loads(Path(os.environ["SCHEMA"]).read_text()))
        folder = write_samples(type(self))
        for name in SAMPLES:
            validator.validate(json.loads((folder / f"{name}.json").read_text()))


class Pages(BrowserTest):
    """The pages."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = write_samples(cls)

    def test_they_show_every_output_op_and_histogram(self):
        for name in SAMPLES:
            with self.subTest(name=name):
                report = json.loads((self.folder / f"{name}.json").read_text())
                page = self.open(self.folder / f"{name}.html")
                self.assertEqual(page.title(), f"Verification of {report['candidate']}".strip())
                histograms = [each for each in report["outputs"] if each["metrics"] and (each["metrics"]["histogram"] or {}).get("bins")]
                charts = len(histograms) + bool(report["ops"])
                self.assertEqual(page.locator(".plot canvas").count(), charts)
                self.assertEqual(page.locator("section.card").count(), len(report["outputs"]) + bool(report["ops"]))
                self.assertEqual(page.locator(".finding").count(), len(report["incidents"]))
                self.assert_no_barriers(page)
            self.doCleanups()  # the next one has its tab

    def test_what_samples_show_is_named(self):
        self.assertIn("sample 0: padding on the left", self.open(self.folder / "same.html").locator("main").inner_text())

    def test_the_page_of_a_quantised_copy_that_is_the_same_accuses_nothing(self):
        page = self.open(self.folder / "quantised.html")
        self.assertEqual(page.locator("h1 .badge").inner_text(), "same, in int8")
        legend = page.locator(".legend").inner_text()
        self.assertIn("40 dB or more (1)", legend)
        self.assertIn("less than 30 dB (1)", legend)
        self.assertEqual(page.locator("svg [class*=tone-]").count(), 3)
        for tone in ("bad", "warn"):
            self.assertEqual(page.locator(f"svg .tone-{tone}, .legend .tone-{tone}").count(), 0, tone)
        self.assertEqual(page.locator(".op-errors canvas").count(), 1)
        self.assertNotIn("begins here", page.locator("main").inner_text())

    def test_an_op_goes_by_what_it_is_where_its_module_is_of_another_kind(self):
        page = self.open(self.folder / "quantised.html")
        self.assertEqual(page.locator("svg.graph .detail").all_text_contents(), ["conv2d"] * 3)

    def test_a_report_of_nothing_says_so(self):
        self.assertIn("nothing was compared", self.open(self.folder / "empty.html").locator("main").inner_text())

    def test_a_failure_names_the_first_op_and_the_worst_elements(self):
        text = self.open(self.folder / "different.html").locator("main").inner_text()
        self.assertIn("The first op that differs is conv2d_70 of layer2 at resnet.py:160", text)
        self.assertIn("(1, 234)", text)
        self.assertIn("--rtol 8.4e-02", text)


if __name__ == "__main__":
    unittest.main()
