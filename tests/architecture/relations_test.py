"""Every line of `connected_graph/shapes/relation_text.h` is a relation, of inputs and attributes that the operator has as ONNX Runtime declares it.

Environment: PROJECT (folder).
"""

import os
import re
import unittest
from pathlib import Path

from onnxruntime.capi import onnxruntime_pybind11_state as runtime

TABLE = Path(os.environ["PROJECT"]) / "src/connected_graph/shapes/relation_text.h"
NAME, NUMBER = r"[A-Za-z_]\w*", r"\d+"
TERM = rf"(?:rank|size|count|least|greatest|sum|given)\({NAME}\)|{NAME}\[-?\d+\]|{NAME}\?\d+|{NAME}|{NUMBER}"
SUM = rf"\(*(?:{TERM})\)*(?: [-+*/%] \(*(?:{TERM})\)*)*"
COMPARISON = re.compile(rf"{SUM} (?:==|!=|<=|>=|<|>) {SUM}")
CHOICE = re.compile(rf"({NAME}) in( \w+)+")


def tables() -> list[tuple[str, list[str], list[str]]]:
    """Operator, names of inputs, relations."""
    found: list[tuple[str, list[str], list[str]]] = []
    lines = TABLE.read_text().partition('R"(\n')[2].partition(')"')[0].splitlines()
    for line in lines:
        if line.startswith("  "):
            found[-1][2].append(line.strip())
        else:
            operators, _, inputs = line.partition(": ")
            found.append((operators, inputs.split(), []))
    return found


def declared() -> dict[str, list[runtime.schemadef.OpSchema]]:
    found: dict[str, list[runtime.schemadef.OpSchema]] = {}
    for schema in runtime.get_all_operator_schema():
        found.setdefault(f"{schema.domain or 'onnx'}::{schema.name}", []).append(schema)
    return found


def attributes_in(part: str) -> set[str]:
    """Names that stand for inputs or attributes."""
    chosen = CHOICE.fullmatch(part)
    if chosen:
        return {chosen[1]}
    return set(re.findall(rf"{NAME}(?!\w|\()", part)) - {"result"}


class RelationsTest(unittest.TestCase):
    def test_each_line_is_a_relation(self) -> None:
        for operators, _, relations in tables():
            for part in " or ".join(relations).split(" or "):
                with self.subTest(operators=operators, part=part):
                    self.assertTrue(CHOICE.fullmatch(part) or COMPARISON.fullmatch(part))
                    self.assertEqual(part.count("("), part.count(")"))

    def test_names_are_those_of_inputs_and_attributes(self) -> None:
        known = declared()
        for operators, inputs, relations in tables():
            schemas = [schema for operator in operators.split() for schema in known[operator]]
            attributes = {name for schema in schemas for name in schema.attributes}
            self.assertLessEqual(len(inputs), max(len(schema.inputs) for schema in schemas), operators)
            for part in " or ".join(relations).split(" or "):
                self.assertLessEqual(attributes_in(part), attributes | set(inputs), (operators, part))


if __name__ == "__main__":
    unittest.main()
