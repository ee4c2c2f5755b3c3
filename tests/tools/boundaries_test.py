#!/usr/bin/env python3
"""What is asked at the boundaries of an operator's schema (tools/rules/probe/boundaries.py)."""

from __future__ import annotations

import pathlib
import sys
import unittest

import numpy
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools" / "rules"))

import boundaries_profile  # noqa: E402
from forms_profile import Answer  # noqa: E402
from probe.answers import RAN  # noqa: E402
from probe.boundaries import boundaries  # noqa: E402
from probe.variations import Example, attribute_value  # noqa: E402


def example(node, inputs, stored=None, opset=21):
    entries = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(each.dtype), each.shape) for name, each in inputs.items()]
    tensors = [numpy_helper.from_array(each, name) for name, each in (stored or {}).items()]
    graph = helper.make_graph([node], "g", entries, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], tensors)
    return Example("it", helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)]), dict(inputs))


X = numpy.ones((2, 3), numpy.float32)
POOL = example(helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[2, 2]), {"x": numpy.ones((1, 1, 4, 4), numpy.float32)})
SUM = example(helper.make_node("ReduceL1", ["x", "a"], ["y"]), {"x": X}, {"a": numpy.array([1])})


def values(base, name):
    made = [each for each in boundaries(base) if f".{name} at " in each.name]
    return [attribute_value(a) for each in made for a in each.node.attribute if a.name == name]


class Boundaries(unittest.TestCase):
    def test_a_number_is_asked_below_none_and_beyond_the_axes(self):
        found = values(example(helper.make_node("Softmax", ["x"], ["y"], axis=1), {"x": X}), "axis")
        self.assertLessEqual({-3, -2, -1, 0, 2}, set(found))

    def test_a_flag_is_0_or_1_and_a_list_is_also_shorter_and_longer(self):
        self.assertEqual(values(POOL, "ceil_mode"), [0, 1])
        self.assertLessEqual({1, 2, 3}, {len(each) for each in values(POOL, "kernel_shape")})

    def test_each_operand_is_asked_in_dtypes_ranks_and_sizes(self):
        shapes = [each.inputs["x"].shape for each in boundaries(SUM) if ".0 of " in each.name]
        self.assertEqual({len(each) for each in shapes}, set(range(6)))
        self.assertIn((0, 3), shapes)
        dtypes = {each.inputs["x"].dtype.name for each in boundaries(SUM) if ".0 in " in each.name}
        self.assertLessEqual({"float16", "int8", "bool"}, dtypes)

    def test_what_was_an_attribute_is_asked_as_one(self):
        older = [each for each in boundaries(SUM) if each.name.endswith((".as in 13", ".as in 17"))]
        self.assertEqual([each.model.opset_import[0].version for each in older], [13, 17])
        for each in older:
            self.assertEqual((list(each.node.input), attribute_value(each.node.attribute[-1])), (["x"], [1]))
            self.assertEqual(len(each.model.graph.initializer), 0)

    def test_a_result_has_the_dtype_that_follows(self):
        for each in boundaries(SUM):
            if ".0 in DOUBLE" in each.name:
                self.assertEqual(each.model.graph.output[0].type.tensor_type.elem_type, TensorProto.DOUBLE)


TAKEN, RAN_ALONE, REFUSED = Answer("taken"), Answer("taken", RAN), Answer("refused", "no")


def told(*answers):
    return [("onnx::Add sizes-0-1: unequal", each) for each in answers]


class Names(unittest.TestCase):
    def test_what_most_answers_contradict_is_learnt_again(self):
        taken = {"kinds": ["onnx::Add sizes-0-1"], "outcome": "taken"}
        self.assertTrue(boundaries_profile.is_refuted(taken, told(REFUSED, REFUSED, REFUSED)))
        self.assertFalse(boundaries_profile.is_refuted(taken, told(REFUSED, REFUSED, TAKEN)))
        self.assertFalse(boundaries_profile.is_refuted(taken, told(REFUSED, REFUSED)))

    def test_a_name_decides_where_none_is_finer(self):
        names = {"onnx::Add sizes-0-1", "sizes-0-1"}
        self.assertTrue(boundaries_profile.decides("onnx::Add sizes-0-1", "onnx::Add sizes-0-1: unequal", names))
        self.assertFalse(boundaries_profile.decides("sizes-0-1", "onnx::Add sizes-0-1: unequal", names))

    def test_one_answer_refuses_and_two_that_are_right_take(self):
        self.assertTrue(boundaries_profile.is_supported(False, told(REFUSED)))
        self.assertFalse(boundaries_profile.is_supported(True, told(TAKEN)))
        self.assertTrue(boundaries_profile.is_supported(True, told(TAKEN, RAN_ALONE)))
        self.assertFalse(boundaries_profile.is_supported(True, told(RAN_ALONE, RAN_ALONE)))
        self.assertFalse(boundaries_profile.is_supported(False, told(REFUSED, TAKEN)))

    def test_what_has_no_elements_teaches_nothing(self):
        self.assertTrue(boundaries_profile.OF_NOTHING.search("onnx::Add: test_add.1 of 3x0x5 (main)"))
        self.assertFalse(boundaries_profile.OF_NOTHING.search("onnx::Add: test_add.1 of 3x10x5 (main)"))


if __name__ == "__main__":
    unittest.main()
