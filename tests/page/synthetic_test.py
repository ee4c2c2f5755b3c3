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
        "summary": {"models": 1, "errors": 0, "warnings": len(findings), "suppressed": 0, "infos": 0, "fixable": 0, "unreadable": 0, "skipped": 0}}


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

    def test_a_flat_graph_is_folded(self):
        graph = language_model(5_000, flat=True)
        page = self.open(self.written(report_of("flat.onnx", ops=5_000), graph=[graph]))
        self.assertLess(page.locator("svg [data-item]").count(), 200)
        page.locator('svg [data-item^="fold:"]').first.click()
        self.assertGreater(page.locator('svg [aria-expanded="true"]').count(), 0)


if __name__ == "__main__":
    unittest.main()
