"""An option is described once, in C++; what Python and the documentation say of options is held to that.

Environment: PROJECT (folder).
"""

import ast
import json
import os
import re
import unittest
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(os.environ["PROJECT"])
SETTINGS = PROJECT / "src/rules/config_options.h"
REQUESTS = PROJECT / "src/requests/request_options.h"
DIVISION = PROJECT / "src/requests/partition_request.cpp"
# Where the variables that options set are declared.
VARIABLES = [REQUESTS, *(PROJECT / file for file in ("src/rules/config.h", "include/model_validator/verify/inputs.h",
                                                     "include/model_validator/partition/plan.h", "src/requests/partition_request.cpp"))]
CONSTANTS = {"preset_names()": '{"quantise", "deploy"}', "no_fallback": '"none"'}
PACKAGE = PROJECT / "python/model_validator"
TYPES = {"flag": "bool | None", "whole number": "int | None", "number": "float | None", "text": "str | None", "path": "OnePath",
         "texts": "Texts", "paths": "Paths"}


@dataclass(frozen=True)
class Option:
    name: str
    kind: str
    words: tuple[str, ...] = ()

    @property
    def is_number(self):
        return "number" in self.kind


def kind_of(declared):
    """How a variable of a C++ type is given; as `OptionType` of src/options/option.h has it."""
    declared = re.sub(r"^std::optional<(.*)>$", r"\1", declared)
    if declared.startswith("std::map<"):
        return "table"
    if declared.startswith("std::vector<"):
        return "paths" if "path" in declared else "texts"
    if declared.endswith("path"):
        return "path"
    if declared in ("bool", "double"):
        return {"bool": "flag", "double": "number"}[declared]
    return "whole number" if re.fullmatch(r"int|std::u?int\d+_t|std::size_t", declared) else "text"


def type_of(variable):
    name = variable.split(".")[-1]
    for header in VARIABLES:
        if found := re.search(rf"^  (?:const )?([\w:<>, ]+?) {name}(?: =|;)", header.read_text(), re.MULTILINE):
            return found.group(1)
    raise LookupError(variable)


def described(header, *functions):
    """The options of a header, or of some of its functions, as a call names them."""
    text = header.read_text()
    parts = re.split(r"\n(?=template|inline)", text)
    chosen = [part for part in parts if not functions or any(f" {name}(" in part.split("{")[0] for name in functions)]
    for option, variable in re.findall(r"visitor\.option\(\s*(\{.*?),\s*([\w.]+)\);\n", "".join(chosen), re.DOTALL):
        words = re.findall(r'"([^"]*)"', option)
        name = words[-1] if re.search(r'Lists::one_each,\s*"', option) else words[0]
        yield Option(name.replace("-", "_"), kind_of(type_of(variable)), tuple(words_in(option)))


def words_in(option):
    """The only ones that it takes."""
    for constant, words in CONSTANTS.items():
        option = option.replace(constant, words)
    listed = re.search(r'\{("[^{}]*")\}', option.split("{", 1)[1])
    return re.findall(r'"([^"]*)"', listed.group(1)) if listed else []


def asked_for(*files):
    """Options that a call reads by name."""
    kinds = {"flag": "flag", "text": "text", "texts": "texts", "paths": "paths"}
    for file in files:
        for kind, name in re.findall(r'options\.(flag|text|texts|paths)\("(\w+)"\)', (PROJECT / "src/requests" / file).read_text()):
            yield Option(name, kinds[kind])


def tree_of(file):
    return ast.parse((PACKAGE / file).read_text()).body


def constant(file, name):
    for node in ast.parse((PROJECT / file).read_text()).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return node.value
    raise LookupError(name)


def typed(name, file="_options.py"):
    """The keys of a TypedDict with their types, those that it inherits included."""
    known = {node.name: node for node in tree_of(file) if isinstance(node, ast.ClassDef)}
    if name not in known:
        return {}
    inherited = {key: kind for base in known[name].bases for key, kind in typed(base.id, file).items()}
    return {**inherited, **{each.target.id: ast.unparse(each.annotation) for each in known[name].body if isinstance(each, ast.AnnAssign)}}


def literals():
    """The words of each Literal in _words.py."""
    return {node.targets[0].id: [each.value for each in getattr(node.value.slice, "elts", [node.value.slice])]
            for node in tree_of("_words.py") if isinstance(node, ast.Assign)}


class Options(unittest.TestCase):
    def test_there_are_some(self):
        settings = list(described(SETTINGS))
        self.assertIn(Option("opset", "whole number"), settings)
        self.assertIn(Option("preset", "text", ("quantise", "deploy")), settings)
        self.assertIn(Option("severity", "table", ("error", "warning", "info", "off")), settings)
        self.assertIn(Option("baseline", "path"), settings)
        self.assertIn(Option("timeout", "number"), list(described(REQUESTS, "describe_limits")))
        self.assertIn(Option("fallback", "text", ("eager", "ts", "none")), list(described(DIVISION)))

    def test_the_documentation_has_each_setting(self):
        sample = (PROJECT / "docs/configuration.md").read_text().split("```toml")[1].split("```")[0]
        for option in described(SETTINGS):
            self.assertRegex(sample, rf"(?m)^\[?{option.name.replace('_', '-')}\b")

    def test_the_command_config_shows_each_setting(self):
        shown = set(re.findall(r'single\(layers, "([\w-]+)"', (PROJECT / "src/cli/check/effective_settings.cpp").read_text()))
        by_rule = {"select", "extend-select", "ignore", "severity"}
        lists = {"plugins"}  # those of all layers together
        self.assertEqual({option.name.replace("_", "-") for option in described(SETTINGS)} - by_rule - lists - shown, set())

    def require_typed(self, found, *options):
        """That they are these, no more and no fewer, each with its type."""
        self.assertEqual(set(found), {option.name for option in options})
        for option in options:
            kind = found[option.name]
            with self.subTest(option=option.name, type=kind):
                if not option.words:
                    # A call takes the path of a configuration as text; Python has paths of its own.
                    self.assertEqual(kind, "OnePath" if option.name == "config" else TYPES[option.kind])
                    continue
                name = re.fullmatch(r"Mapping\[str, (\w+)\] \| None" if option.kind == "table" else r"(\w+) \| None", kind).group(1)
                self.assertEqual(sorted(literals()[name]), sorted(option.words))

    def test_python_types_each_option_of_a_call(self):
        reading = [*described(REQUESTS, "describe_limits", "describe_sandbox"), *asked_for("question.cpp")]
        tracing = [*reading, *described(REQUESTS, "describe_inputs", "describe_trace")]
        # What is found in folders, and the formats of the report, are no choice of a caller.
        settings = [*(option for option in described(SETTINGS) if option.name != "exclude"), Option("config", "text")]
        checking = [*settings, *tracing, *(option for option in asked_for("answer_check.cpp") if option.name not in ("config", "formats"))]
        self.require_typed(typed("Reading"), *reading)
        self.require_typed(typed("Tracing"), *tracing)
        self.require_typed(typed("OfMany"), *settings, *reading)
        self.require_typed(typed("Checking"), *checking)

    def test_python_types_what_divides_a_model(self):
        function = next(node for node in tree_of("models.py") if isinstance(node, ast.FunctionDef) and node.name == "partition")
        found = {each.arg: ast.unparse(each.annotation) for each in [*function.args.args, *function.args.kwonlyargs]}
        of_the_command = {"emit", "force"}
        for option in described(DIVISION):
            if option.name in of_the_command:
                continue
            with self.subTest(option=option.name):
                kind = found[option.name]
                if option.words:
                    self.assertEqual(sorted(literals()[kind]), sorted(option.words))
                else:
                    self.assertIn(kind, (TYPES[option.kind], TYPES[option.kind].removesuffix(" | None")))

    def test_words_in_results_are_those_of_the_schemas(self):
        def enumerated(schema, *path):
            node = json.loads((PROJECT / f"docs/schemas/{schema}.schema.json").read_text())
            for part in path:
                node = node[part]
            return {word for word in node["enum"] if word is not None}

        finding = ("$defs", "finding", "properties")
        for name, words in {
            "Severity": enumerated("report", *finding, "severity"),
            "SuppressedBy": enumerated("report", *finding, "suppressed", "properties", "by"),
            "Applicability": enumerated("report", "$defs", "fix", "properties", "applicability"),
            "CheckStatus": enumerated("report", "$defs", "check", "properties", "status"),
            "Format": enumerated("inspect", "properties", "format"),
            "OpKind": enumerated("graph", "properties", "ops", "items", "properties", "kind"),
            "Verdict": enumerated("diff", "properties", "verdict"),
        }.items():
            self.assertEqual(set(literals()[name]), words, name)

    def test_a_preset_is_what_the_rules_know(self):
        self.assertEqual({*re.findall(r"(?:standard_preset|deploy) = \"(\w+)\"", (PROJECT / "src/rules/presets.h").read_text()
                                      + (PROJECT / "src/rules/presets.cpp").read_text())}, set(literals()["Preset"]))

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
        of_check = {option.name: option for option in [*described(SETTINGS), *described(REQUESTS, "describe_sandbox", "describe_limits")]}
        table = constant("python/model_validator/batch/_command.py", "NUMBERS")
        numbers = {key.value: {"int": "whole number", "float": "number"}[value.id] for key, value in zip(table.keys, table.values, strict=True)}
        for option in constant("python/model_validator/batch/_command.py", "OPTIONS").elts:
            if option.value != "config":
                self.assertIn(option.value, of_check)
                known = of_check[option.value]
                self.assertEqual(numbers.get(option.value), known.kind if known.is_number else None, option.value)


if __name__ == "__main__":
    unittest.main()
