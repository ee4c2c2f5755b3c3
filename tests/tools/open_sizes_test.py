#!/usr/bin/env python3
"""What is asked of sizes that are free (tools/rules/open_sizes.py), of chains (probe/exported.py), and what is not learnt from answers to it."""

from __future__ import annotations

import pathlib
import sys
import unittest
from unittest import mock

import numpy
import onnx
from onnx import ModelProto, TensorProto, helper

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools" / "rules"))

import open_sizes  # noqa: E402
from probe import exported, observed  # noqa: E402
from probe.answers import Answer  # noqa: E402
from probe.causes import Asked  # noqa: E402
from probe.facts import COMPUTED  # noqa: E402
from probe.variations import Example  # noqa: E402


def tiled(rank=2):
    entries = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, [2] * rank),
        helper.make_tensor_value_info("k", TensorProto.INT64, [rank]),
    ]
    results = [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4] * rank)]
    graph = helper.make_graph([helper.make_node("Tile", ["x", "k"], ["y"])], "tiled", entries, results)
    return Example("tiled", helper.make_model(graph), {"x": numpy.ones([2] * rank, numpy.float32), "k": numpy.array([2] * rank)})


def free_axes(model, name):
    entry = next(each for each in model.graph.input if each.name == name)
    return [axis for axis, size in enumerate(entry.type.tensor_type.shape.dim) if size.dim_param]


class Sizes(unittest.TestCase):
    def needed(self, is_refused, examples):
        def said(_, models):
            return ["no" if is_refused(model) else "" for _, model in models]

        with mock.patch.object(open_sizes, "answers_of", said):
            return set(open_sizes.needed(None, {"onnx::Tile": examples}))

    def test_each_axis_alone_is_left_free_and_no_result_is_declared(self):
        models = [model for _, model in open_sizes.of_operand(tiled(), "x")]
        self.assertEqual([free_axes(model, "x") for model in models], [[0], [1], [0, 1]])
        self.assertFalse(any(model.graph.output[0].type.tensor_type.HasField("shape") for model in models[:2]))

    def test_sizes_that_are_the_same_have_one_name_where_all_are_free(self):
        model = open_sizes.with_all_free(tiled())
        self.assertEqual({size.dim_param for each in model.graph.input for size in each.type.tensor_type.shape.dim}, {"size_2"})

    def test_an_operand_that_must_only_fit_another_does_not_need_them(self):
        self.assertEqual(self.needed(lambda model: len(free_axes(model, "k")) > 0 and not free_axes(model, "x"), [tiled()]), set())

    def test_an_operand_of_which_every_free_size_is_refused_needs_them(self):
        self.assertEqual(self.needed(lambda model: free_axes(model, "k"), [tiled(), tiled(3)]), {("onnx::Tile", 1)})

    def test_one_of_which_some_free_size_is_taken_does_not(self):
        self.assertEqual(self.needed(lambda model: free_axes(model, "x") == [0], [tiled()]), set())
        of_two_axes = lambda model: free_axes(model, "k") and len(model.graph.input[0].type.tensor_type.shape.dim) == 2  # noqa: E731
        self.assertEqual(self.needed(of_two_axes, [tiled(), tiled(3)]), set())

    def test_a_model_that_is_refused_as_it_is_says_nothing(self):
        self.assertEqual(self.needed(lambda _: True, [tiled()]), set())


class Chains(unittest.TestCase):
    def test_they_are_models_that_onnx_takes_with_sizes_free_as_their_way_says(self):
        asked = list(exported.chains())
        self.assertGreater(len(asked), 800)
        self.assertEqual(len({each.name for each in asked}), len(asked))
        for each in asked:
            model = ModelProto.FromString(each.model)
            if each.name.endswith(".known") and each.expected is not None:
                with self.subTest(each.name):
                    onnx.checker.check_model(model)
                    self.assertFalse(free_axes(model, model.graph.input[0].name))
            if each.name.endswith(".batch") and model.graph.input[0].type.tensor_type.shape.dim:
                self.assertEqual(free_axes(model, model.graph.input[0].name), [0])


class Values(unittest.TestCase):
    DEPENDS = ({"operators": ["onnx::Add"], "when": [{"input": 0, "dtypes": ["int8"]}], "reason": "sums beyond its range begin again"},)

    def told(self, kind, dtype):
        return observed.is_told(list(self.DEPENDS), "onnx::Add", Asked("a", {("dtype", 0): dtype, ("operand", 0): COMPUTED}, Answer(kind)))

    def test_nothing_wrong_is_learnt_of_what_depends_on_values(self):
        self.assertTrue(self.told("wrong", TensorProto.INT8))

    def test_what_depends_on_values_stays_when_the_rest_is_learnt_anew(self):
        blocks = ["# head\n", "[[refused]]\n", "[[depends]]\n", "[[wrong]]\n", "[[releases]]\n"]
        self.assertEqual(observed.with_learnt(blocks, "[[wrong]]\nnew\n"), "# head\n[[wrong]]\nnew\n[[depends]]\n[[releases]]\n")

    def test_what_else_was_answered_is(self):
        self.assertFalse(self.told("wrong", TensorProto.INT16))
        self.assertFalse(self.told("refused", TensorProto.INT8))
        self.assertFalse(self.told("right", TensorProto.INT8))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
