"""An option is described once, in C++; what Python and the documentation say of options is held to that.

Environment: PROJECT (folder).
"""

import ast
import os
import re
import unittest
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])
SETTINGS = PROJECT / "src/rules/config_options.h"
REQUESTS = PROJECT / "src/requests/request_options.h"


def described(header, *functions):
    """The options of a header, or of some of its functions: their names in a call, with whether they are numbers."""
    text = header.read_text()
    parts = re.split(r"\n(?=template|inline)", text)
    chosen = [part for part in parts if not functions or any(f" {name}(" in part.split("{")[0] for name in functions)]
    for option in re.findall(r"visitor\.option\(\s*\{(.*?)\);\n", "".join(chosen), re.DOTALL):
        words = re.findall(r'"([^"]*)"', option)
        name = words[-1] if re.search(r'Lists::one_each,\s*"', option) else words[0]
        yield name.replace("-", "_"), "Bounds{" in option


def constant(file, name):
    tree = ast.parse((PROJECT / file).read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return node.value
    raise LookupError(name)


class Options(unittest.TestCase):
    def test_there_are_some(self):
        self.assertIn(("opset", True), list(described(SETTINGS)))
        self.assertIn(("max_cpu", True), list(described(REQUESTS, "describe_limits")))

    def test_the_documentation_has_each_setting(self):
        sample = (PROJECT / "docs/configuration.md").read_text().split("```toml")[1].split("```")[0]
        for name, _ in described(SETTINGS):
            self.assertRegex(sample, rf"(?m)^\[?{name.replace('_', '-')}\b")

    def test_the_command_config_shows_each_setting(self):
        shown = set(re.findall(r'single\(layers, "([\w-]+)"', (PROJECT / "src/cli/check/effective_settings.cpp").read_text()))
        by_rule = {"select", "extend-select", "ignore", "severity"}
        self.assertEqual({name.replace("_", "-") for name, _ in described(SETTINGS)} - by_rule - shown, set())

    def test_check_in_python_has_each_option(self):
        check = next(node for node in ast.parse((PROJECT / "python/model_validator/checking.py").read_text()).body
                     if isinstance(node, ast.FunctionDef) and node.name == "check")
        known = {argument.arg for argument in check.args.kwonlyargs} | set(re.findall(r"`(\w+)`", ast.get_docstring(check)))
        of_check = [*described(SETTINGS), *described(REQUESTS, "describe_sandbox", "describe_limits", "describe_inputs", "describe_trace")]
        missing = {name for name, _ in of_check} - known - {"inputs", "input_files"} - {"exclude"}  # which follow from `inputs`; of folders
        self.assertEqual(missing, set())

    def test_python_knows_the_rules_that_read_weights(self):
        known = constant("python/model_validator/_options.py", "WEIGHT_RULES")
        told = {key.value: value.value for key, value in zip(known.keys, known.values, strict=True)}
        reading = {}
        for file in (PROJECT / "src/validators").glob("*.cpp"):
            text = file.read_text()
            if re.search(r"context\.(scan|measure)_weights\(", text):
                name, code = re.search(r'RuleInfo rule\{\s*\.name = "([\w-]+)",\s*\.code = "(\w+)"', text).groups()
                reading[name] = code
        self.assertGreater(len(reading), 1)
        self.assertEqual(told, reading)

    def test_those_of_a_hub_are_options_of_check(self):
        of_check = dict([*described(SETTINGS), *described(REQUESTS, "describe_sandbox", "describe_limits")])
        numbers = {key.value for key in constant("python/model_validator/batch/_command.py", "NUMBERS").keys}
        for option in constant("python/model_validator/batch/_command.py", "OPTIONS").elts:
            if option.value != "config":
                self.assertIn(option.value, of_check)
                self.assertEqual(option.value in numbers, of_check[option.value], option.value)


if __name__ == "__main__":
    unittest.main()
