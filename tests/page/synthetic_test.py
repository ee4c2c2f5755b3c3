"""Pages of documents that no exporter writes: hostile names, and a graph of a hundred thousand ops.

Environment: AXE (a file).
"""

import tempfile
import unittest
from pathlib import Path

from browser import BrowserTest
from language_model import language_model
from page_file import write_page

HOSTILE = "</script><img src=x onerror=\"window.hacked=1\">'`\u202e\u0007"


def op(name, kind="functional", **more):
    """An op of a graph."""
    return {"name": name, "type": "relu", "kind": kind, "module": None, "module_class": None, "parent": None, "parent_class": None,
            "schema": "aten::relu", "region": [], "source": None, **more}


def report_of(path, findings=(), ops=2):
    """A report about one model."""
    return {"schema": "model_validator/1", "version": "0", "models": [
        {"path": path, "format": "torchscript", "status": "failed" if findings else "passed", "error": None, "ops": ops, "checks": [],
         "findings": list(findings)}],
        "summary": {"models": 1, "errors": 0, "warnings": len(findings), "suppressed": 0, "infos": 0, "fixable": 0,
                    "fixable_with_proof": 0, "unreadable": 0, "skipped": 0}}


def hostile_documents():
    """Everything that a model names, named so that it would run if it were markup."""
    finding = {"rule": HOSTILE, "code": "X", "severity": "error", "message": HOSTILE, "module": HOSTILE, "aliases": [HOSTILE],
               "parent": HOSTILE, "op": {"name": HOSTILE, "type": HOSTILE}, "package": HOSTILE, "help": HOSTILE, "notes": [HOSTILE],
               "locations": [{"file": HOSTILE, "line": 1, "column": 0, "module": HOSTILE, "role": HOSTILE}],
               "fix": {"applicability": "unsafe", "description": HOSTILE, "refusal": None,
                       "edits": [{"file": HOSTILE, "start": {"line": 1, "column": 0}, "end": {"line": 1, "column": 0}, "text": HOSTILE}]},
               "fingerprint": HOSTILE, "suppressed": None}
    graph = {"schema": "model_validator-graph/1", "path": HOSTILE, "format": "onnx", "inputs": [], "outputs": [],
             "ops": [op(HOSTILE, module=HOSTILE + "a", module_class=HOSTILE, parent=HOSTILE, source={"file": HOSTILE, "line": 1, "column": 0}),
                     op("b", type=HOSTILE, region=[HOSTILE])],
             "products": [{"name": HOSTILE, "from": HOSTILE, "output": 0, "to": "b", "input": 0, "shape": [1], "dtype": HOSTILE}],
             "modules": [{"path": HOSTILE, "aliases": [HOSTILE], "class": HOSTILE, "leaf": False, "calls": 1}]}
    sources = {"schema": "model_validator-sources/1", "excerpts": [{"file": HOSTILE, "first": 1, "lines": [HOSTILE]}]}
    return report_of(HOSTILE, [finding]), graph, sources


class Synthetic(BrowserTest):
    """Documents made here."""

    def written(self, main, **documents):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "page.html"
        write_page(file, main, **documents)
        return file

    def test_names_of_a_model_are_text(self):
        report, graph, sources = hostile_documents()
        page = self.open(self.written(report, graph=[graph], sources=[sources]))
        page.locator(".finding button.headline").click()
        page.get_by_role("button", name="open modules").click()
        page.locator("details summary").first.click()
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.assertEqual(page.locator("img").count(), 0)
        text = page.locator("body").inner_text()
        self.assertIn("<img src=x", text)
        self.assertIn("\\u202e\\u0007", text)
        self.assertFalse("\u202e" in page.content(), "a mark that reorders text is hidden in the page")

    def test_what_two_targets_say_of_one_op_is_one_entry_with_both(self):
        place = {"file": "net.py", "line": 3, "column": 0, "module": "", "role": "call"}
        findings = [{"rule": "unsupported-ops", "code": "TGT001", "severity": "error", "message": f"operator `aten::x` cannot be compiled for {name}",
                     "module": "", "aliases": [], "parent": "", "op": {"name": op, "type": "x"}, "package": None, "help": None, "notes": [],
                     "locations": [place], "fix": None, "fingerprint": name + op, "suppressed": None}
                    for name in ("`one`", "`two`") for op in ("x_0", "x_1")]
        page = self.open(self.written(report_of("m.onnx", findings)))
        card = page.locator(".finding")
        self.assertEqual(card.count(), 1)
        self.assertEqual(card.locator(".names .link").all_inner_texts(), ["x_0", "x_1"])
        self.assertIn("for one", card.locator("h3").inner_text())
        self.assertEqual(card.inner_text().count("for two"), 1)

    def test_findings_are_filtered_by_target(self):
        findings = [{"rule": "unsupported-ops", "code": "TGT001", "severity": "error", "message": f"operator `aten::x` cannot be compiled for {name}",
                     "module": "", "aliases": [], "parent": "", "op": None, "package": None, "help": None, "notes": [], "locations": [], "fix": None,
                     "fingerprint": name, "suppressed": None} for name in ("`one`", "`one-more`", "`one 2.0`")]
        report = report_of("m.onnx", findings)
        report["models"][0]["verdicts"] = [
            {"target": target, "verdict": "refused", "summary": "", "operators": [], "refusals": [], "judged": "file",
             "rests_on": {"table": "a.toml", "package": "p", "date": "d"}} for target in ("one", "one-more")]
        page = self.open(self.written(report))
        self.assertEqual(page.locator(".finding").count(), 3)
        for target, count in (("one", 2), ("one-more", 1), ("", 3)):
            page.get_by_label("every target").select_option(target)
            self.assertEqual(page.locator(".finding").count(), count, target)

    def test_a_document_that_is_none_says_so(self):
        file = self.written({"schema": "model_validator-unheard-of/9"})
        self.assertIn("cannot show", self.open(file, wait="no").locator("main").inner_text())

    def test_a_hundred_thousand_ops_open_with_modules_closed(self):
        graph = language_model(100_000)
        page = self.open(self.written(report_of("large.onnx", ops=100_000), graph=[graph]))
        self.assertLess(page.locator("svg [data-item]").count(), 200)
        page.keyboard.press("/")
        page.keyboard.type(f"{graph['ops'][-2]['name']}")
        page.keyboard.press("Enter")
        self.assertIn(graph["ops"][-2]["name"], page.locator("section.details").inner_text())
        self.assertLess(page.locator("svg [data-item]").count(), 2000)

    def test_modules_nested_without_end_are_drawn_in_the_last_that_is(self):
        path = ".".join(["m"] * 3000)
        graph = {**hostile_documents()[1], "ops": [op("deep", parent=path, region=["then"] * 2000)], "products": [],
                 "modules": [{"path": path, "aliases": [], "class": "M", "leaf": False, "calls": 1}]}
        page = self.open(self.written(report_of("deep.onnx", ops=1), graph=[graph]))
        page.get_by_role("button", name="open modules").click()
        self.assertEqual(page.locator("svg .box.op").count(), 1)

    def test_names_of_properties_are_names(self):
        names = ["__proto__", "constructor", "toString", "", "..", "a..b"]
        graph = {**hostile_documents()[1], "ops": [op(name, parent=name) for name in names], "products": [],
                 "modules": [{"path": name, "aliases": [], "class": name, "leaf": False, "calls": 1} for name in names]}
        page = self.open(self.written(report_of("names.onnx", ops=len(names)), graph=[graph]))
        page.get_by_role("button", name="open modules").click()
        self.assertEqual(page.locator("svg .box.op").count(), len(names))

    def test_an_address_that_names_nothing_shows_the_page(self):
        for hash in ("#model=99", "#model=x", "#finding=%", "#op=%E0%A4%A", "#model=0&op=nobody"):
            with self.subTest(hash):
                page = self.open(self.written(report_of("m.onnx")), hash=hash)
                self.assertIn("m.onnx", page.locator("body").inner_text())
            self.doCleanups()  # the next one has its tab

    def test_a_flat_graph_is_folded(self):
        graph = language_model(5_000, flat=True)
        page = self.open(self.written(report_of("flat.onnx", ops=5_000), graph=[graph]))
        self.assertLess(page.locator("svg [data-item]").count(), 200)
        page.locator('svg [data-item^="fold:"]').first.click()
        self.assertGreater(page.locator('svg [aria-expanded="true"]').count(), 0)


if __name__ == "__main__":
    unittest.main()
