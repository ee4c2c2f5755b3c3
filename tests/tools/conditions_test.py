#!/usr/bin/env python3
"""Which facts of a node are blamed for a runtime's answer (tools/rules/probe/causes.py)."""
from __future__ import annotations

import pathlib
import sys
import unittest

from onnx import TensorProto

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools" / "rules"))

from probe.answers import Answer  # noqa: E402
from probe.causes import Asked, causes_of  # noqa: E402
from probe.facts import COMPUTED, CONSTANT  # noqa: E402

NO_LAYER = Answer("refused", "layer not exists or registered")
RIGHT, OFF = Answer("right"), Answer("wrong", "is off by 134 of 45", 134, 45)


def asked(name, answer, dtype=TensorProto.FLOAT, weights=CONSTANT, bias=CONSTANT, **others):
    facts = {("dtype", 0): dtype, ("operand", 0): COMPUTED, ("operand", 1): weights, ("operand", 2): bias}
    return Asked(name, facts | {("others", key): value for key, value in others.items()}, answer)


def blamed(*models):
    return sorted((cause.kind, cause.atoms) for cause in causes_of(list(models)))


class Operands(unittest.TestCase):
    def test_each_that_was_computed_where_all_are_constants_in_what_is_right(self):
        found = blamed(asked("constants", RIGHT), asked("computed", NO_LAYER, weights=COMPUTED, bias=COMPUTED))
        self.assertEqual(found, [("refused", ((("operand", number), COMPUTED),)) for number in (1, 2)])

    def test_not_the_one_that_is_right_when_it_is_computed(self):
        found = blamed(asked("constants", RIGHT), asked("bias", RIGHT, bias=COMPUTED),
                       asked("computed", NO_LAYER, weights=COMPUTED, bias=COMPUTED))
        self.assertEqual(found, [("refused", ((("operand", 1), COMPUTED),))])

    def test_nothing_where_each_of_them_is_right(self):
        found = blamed(asked("weights", RIGHT, weights=COMPUTED), asked("bias", RIGHT, bias=COMPUTED))
        self.assertEqual(found, [])


class Ways(unittest.TestCase):
    """`dilations` is a way to compute that no words name; the models differ in more than that from those that are right."""

    def found(self, dilated, right=6):
        plain = [asked(f"plain{number}", RIGHT, strides=number, pads=number, shape=number, group=number) for number in range(right)]
        return blamed(*plain, *dilated)

    def test_what_several_models_have_and_none_that_is_right(self):
        dilated = [asked(f"dilated{number}", NO_LAYER, dilations=1, strides=7, pads=number + 8, shape=number + 8) for number in range(3)]
        self.assertIn(("refused", ((("others", "dilations"), 1),)), self.found(dilated))

    def test_not_of_few_models_or_of_few_that_are_right(self):
        dilated = [asked(f"dilated{number}", NO_LAYER, dilations=1, strides=7, pads=number + 8, shape=number + 8) for number in range(3)]
        self.assertEqual(self.found(dilated[:2]), [])
        self.assertEqual(self.found(dilated, right=3), [])


class Dtypes(unittest.TestCase):
    def test_of_what_is_wrong_of_several_that_are_alike(self):
        wrong = [asked(f"add_{dtype}", OFF, dtype=dtype) for dtype in (TensorProto.INT8, TensorProto.UINT8, TensorProto.INT16)]
        self.assertEqual([atoms for _, atoms in blamed(asked("add", RIGHT), *wrong)],
                         [((("dtype", 0), dtype),) for dtype in sorted((TensorProto.INT8, TensorProto.UINT8, TensorProto.INT16))])

    def test_not_of_one_model(self):
        self.assertEqual(blamed(asked("add", RIGHT), asked("add_int8", OFF, dtype=TensorProto.INT8)), [])
        self.assertEqual(blamed(asked("add", RIGHT), asked("add_int8", OFF, dtype=TensorProto.INT8),
                                asked("add_int64", OFF, dtype=TensorProto.INT64)), [])


if __name__ == "__main__":
    unittest.main()
