#!/usr/bin/env python3
"""Runs the program over the examples of the rules' pages.

Environment: PROGRAM (the built program).

A block of Python below `<!-- run: HOW, INPUT -->` defines `Net`. HOW is script, trace, `trace training`, freeze, export or onnx, or several of
them: `script/export`. What
stands under "Example" must be found by the rule, and what stands under "Use instead" must not. Where the fix is safe, `fix`
makes the one of the other.
"""
import contextlib
import importlib.util
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import preloaded

BLOCK = re.compile(r"^## (Example|Use instead)\n+<!-- run: ([\w /]+), ([^\n]+) -->\n```python\n(.*?)^```$", re.M | re.S)
#: A page that promises that nothing but the finding changes.
SAFE = re.compile(r"^## Fix safety\n+Safe", re.M)
IMPORTS = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"


def inputs_of(example):
    return example if isinstance(example, tuple) else (example,)


WAYS = {
    "script": lambda net, _, file: torch.jit.script(net.eval()).save(file),
    "trace": lambda net, example, file: torch.jit.trace(net.eval(), example).save(file),
    "trace training": lambda net, example, file: torch.jit.trace(net.train(), example, check_trace=False).save(file),
    "freeze": lambda net, _, file: torch.jit.freeze(torch.jit.script(net.eval())).save(file),
    "export": lambda net, example, file: torch.export.save(torch.export.export(net.eval(), inputs_of(example)), file),
    "onnx": lambda net, example, file: torch.onnx.export(net.eval(), inputs_of(example), file, dynamo=False),
}
ENDINGS = {"export": ".pt2", "onnx": ".onnx"}


def net_of(code, folder):
    source = folder / "net.py"
    source.write_text(IMPORTS + code)
    spec = importlib.util.spec_from_file_location("net", source)
    module = importlib.util.module_from_spec(spec)
    sys.modules["net"] = module
    spec.loader.exec_module(module)
    return module.Net()


class RuleExamples(unittest.TestCase):
    program = os.environ["PROGRAM"]
    pages = pathlib.Path(__file__).parents[2] / "docs" / "rules"

    @contextlib.contextmanager
    def model_of(self, how, example, code):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = pathlib.Path(folder) / f"net{ENDINGS.get(how, '.pt')}"
            WAYS[how](net_of(code, model.parent), eval(example), str(model))
            yield model

    def run_on(self, model, command, rule, *options):
        ran = preloaded.run([self.program, command, "--select", rule, *options, model], model.parent)
        self.assertIn(ran.returncode, (0, 1), ran.stderr)
        return ran.stdout

    def findings(self, rule, how, example, code):
        with self.model_of(how, example, code) as model:
            return json.loads(self.run_on(model, "check", rule, "--output-format", "json"))["models"][0]["findings"]

    def test_each_example_is_found_and_its_remedy_is_not(self):
        blocks = [(page.stem, *block) for page in sorted(self.pages.glob("*.md")) for block in BLOCK.findall(page.read_text())]
        self.assertGreater(len(blocks), 10)
        for rule, section, ways, example, code in blocks:
            for how in ways.split("/"):
                with self.subTest(rule=rule, section=section, how=how):
                    found = self.findings(rule, how, example, code)
                    self.assertEqual(bool(found), section == "Example", found)

    def test_safe_fixes_make_what_the_page_says(self):
        pages = [page for page in self.pages.glob("*.md") if SAFE.search(page.read_text())]
        examples = [(page.stem, *(block[1:] for block in BLOCK.findall(page.read_text()))) for page in pages]
        examples = [example for example in examples if len(example) == 3]
        self.assertGreaterEqual(len(examples), 2)
        for rule, (how, inputs, code), (_, _, remedy) in examples:
            with self.subTest(rule=rule), self.model_of(how.split("/")[0], inputs, code) as model:
                self.run_on(model, "fix", rule, "--write", "--unproven")
                self.assertEqual((model.parent / "net.py").read_text(), IMPORTS + remedy)


if __name__ == "__main__":
    unittest.main()
