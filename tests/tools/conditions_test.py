#!/usr/bin/env python3
"""Which facts of a node are blamed for a runtime's answer (tools/rules/probe/causes.py)."""
from __future__ import annotations

import os
import pathlib
import sys
import unittest
import weakref
from unittest import mock

import numpy
from onnx import TensorProto, helper

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools" / "rules"))

from probe import separating, without_examples  # noqa: E402
from probe.adapters import ncnn  # noqa: E402
from probe.answers import Answer, has_a_sense, of_words  # noqa: E402
from probe.causes import Asked, causes_of  # noqa: E402
from probe.children import CRASH, SLOW  # noqa: E402
from probe.conditions import holds  # noqa: E402
from probe.draw import is_drawn  # noqa: E402
from probe.facts import ABSENT, COMPUTED, CONSTANT, EMPTY, GIVEN, facts_of  # noqa: E402
from probe.learnt_profile import is_asked_as_used, may_hold  # noqa: E402
from probe.question import Question  # noqa: E402
from probe.reference import reference  # noqa: E402
from probe.table import asked_of, entries  # noqa: E402

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


ENDED = Answer("refused", "the runtime ends its process, or does not answer", crashed=True)


def pool(name, answer, strides=GIVEN, **others):
    facts = {("dtype", 0): TensorProto.FLOAT, ("operand", 0): COMPUTED, ("attribute", "strides"): strides, ("written", "strides"): strides == GIVEN}
    return Asked(name, facts | {("attribute", key): value for key, value in others.items()}, answer)


class Written(unittest.TestCase):
    """Some converters do not know what holds where an attribute is left out."""

    def test_an_attribute_that_is_left_out(self):
        self.assertEqual(blamed(pool("strides", RIGHT), pool("none", ENDED, strides=ABSENT)), [("refused", ((("written", "strides"), False),))])

    def test_not_where_the_number_decides(self):
        models = [Asked(f"axis {number}", {("attribute", "axis"): number, ("written", "axis"): number != -1, ("operand", 0): COMPUTED}, answer)
                  for number, answer in ((-1, RIGHT), (0, RIGHT))]
        self.assertEqual(blamed(*models), [])

    def test_it_is_said_as_a_condition(self):
        asked_of = {"onnx::AveragePool": [pool("strides", RIGHT), pool("none", ENDED, strides=ABSENT)]}
        self.assertEqual([str(each["when"]) for each in entries(asked_of)["refused"]], ['[{attribute = "strides", or_absent = true}]'])

    def test_what_the_default_says_is_preferred(self):
        models = [pool(f"p={p}", ENDED if p == 1 else RIGHT, p=p) for p in (1, 2, 3)]
        models[0].facts["written", "p"] = False
        for each in models[1:]:
            each.facts["written", "p"] = True
        self.assertEqual(blamed(*models), [("refused", ((("attribute", "p"), 1),))])


class Ends(unittest.TestCase):
    def test_facts_that_need_not_hold_are_left_out(self):
        ended = [asked(f"epsilon {number}", ENDED, weights=COMPUTED, bias=COMPUTED, epsilon=number) for number in range(8)]
        found = blamed(asked("constants", RIGHT, epsilon=0), *ended)
        self.assertEqual({len(atoms) for _, atoms in found}, {1})
        self.assertEqual({kind for kind, _ in found}, {"refused"})

    def test_of_one_process_it_is_not_known_whether_it_always_ends(self):
        ended = asked("ended", ENDED, weights=COMPUTED, strides=2, pads=3)
        self.assertEqual({kind for kind, _ in blamed(asked("bias", RIGHT, bias=COMPUTED, groups=4, dilations=5), ended)}, {"depends"})


class Elements(unittest.TestCase):
    @staticmethod
    def reduced(name, answer, axes):
        return Asked(name, {("operand", 0): COMPUTED, ("operand", 1): EMPTY if axes == 0 else COMPUTED, ("empty", 1): axes == 0}, answer)

    def test_an_operand_without_elements(self):
        found = blamed(self.reduced("two", RIGHT, 2), self.reduced("none", Answer("wrong", "gives the shape [3] instead of [1]"), 0))
        self.assertEqual(found, [("wrong", ((("empty", 1), True),))])

    def test_what_is_said_of_all_results_without_elements(self):
        when = [{"output": 0, "empty": True}]
        self.assertTrue(may_hold("fails", when, [asked("plain", RIGHT)]))
        ran = asked("empty", RIGHT)
        ran.facts["result empty", 0] = True
        self.assertFalse(may_hold("fails", when, [ran]))

    def test_what_is_wrong_of_all_is_so_of_those_of_which_one_was_wrong_and_none_right(self):
        when = [{"input": 0, "dtypes": ["int64"]}]
        whole, right = asked("whole", OFF, TensorProto.INT64), asked("right", RIGHT, TensorProto.INT64)
        for each in (whole, right):
            each.facts["entry", 0] = True
        for each, holds_of_it in (([whole], True), ([asked("real", RIGHT)], False), ([whole, right], False)):
            self.assertEqual(may_hold("wrong", when, each), holds_of_it)


class Separates(unittest.TestCase):
    """What neither a twin nor words show, of nodes as of calls."""

    @staticmethod
    def found(*models):
        return sorted((cause.kind, cause.atoms) for cause in separating.all_causes(list(models)))

    def test_a_way_that_only_what_is_refused_has(self):
        plain = [asked(f"plain{number}", RIGHT, strides=number, pads=number) for number in range(2)]
        dilated = [asked(f"dilated{number}", NO_LAYER, dilations=1, strides=number + 8, pads=number + 8, group=number) for number in range(2)]
        self.assertIn(("refused", ((("others", "dilations"), 1),)), self.found(*plain, *dilated))
        self.assertEqual(self.found(*plain, *(Asked(each.name, each.facts, RIGHT) for each in dilated)), [])

    def test_another_shape_is_not_told_by_circumstances_alone(self):
        def ranked(name, answer, rank, **others):
            found = asked(name, answer, **others)
            found.facts["rank", 0] = rank
            return found

        shape = Answer("wrong", "gives the shape [1] instead of [1, 1]")
        right = [ranked(f"right{number}", RIGHT, 4, strides=number, pads=number, group=number, other=number) for number in range(3)]
        wrong = [ranked(f"wrong{number}", shape, 3, strides=number + 5, pads=number + 5, group=number + 5, other=number + 5) for number in range(3)]
        self.assertEqual([kind for kind, _ in self.found(*right, *wrong)], ["depends"])


class OfSeveral(unittest.TestCase):
    """Which node of a model of several operators its answer is about."""

    @staticmethod
    def question(name, slope):
        nodes = [helper.make_node("Relu", ["x"], ["h"]), helper.make_node("LeakyRelu", ["h"], ["y"], alpha=slope)]
        graph = helper.make_graph(nodes, "two", *([helper.make_tensor_value_info(each, TensorProto.FLOAT, (2, 3))] for each in "xy"))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
        return Question(name, ["onnx::Relu", "onnx::LeakyRelu"], model.SerializeToString(), {}, None, "network")

    def blamed(self, *answers):
        questions = [self.question(f"{number}", slope) for number, (slope, _) in enumerate(answers)]
        found = asked_of(questions, {f"{number}": answer for number, (_, answer) in enumerate(answers)})
        return sorted(operator for operator, each in found.items() for a in each if a.answer.kind == "wrong")

    def test_the_one_that_is_like_none_in_a_model_that_is_right(self):
        self.assertEqual(self.blamed((0.5, RIGHT), (0.25, OFF)), ["onnx::LeakyRelu"])
        self.assertEqual(self.blamed((0.5, RIGHT), (0.5, OFF)), [])
        self.assertEqual(self.blamed((0.25, OFF)), [])


class HeldOut(unittest.TestCase):
    def test_another_draw_is_another_third(self):
        names = [str(number) for number in range(300)]
        one, other = ({name for name in names if is_drawn(name, draw)} for draw in ("", "2"))
        self.assertNotEqual(one, other)
        for each in (one, other):
            self.assertTrue(80 < len(each) < 120)

    def test_what_did_not_answer_in_time_is_no_answer(self):
        question = Question("slow", ["onnx::Relu"], b"", {}, None, "variation")
        for said, has_sense in ((CRASH, True), (SLOW, False)):
            answer = of_words({"crash": said})
            self.assertEqual((answer.crashed, has_a_sense(question, answer)), (has_sense, has_sense))


class Lengths(unittest.TestCase):
    def test_how_long_an_axis_is(self):
        for size, holds_of_it in ((7, True), (8, False), (None, False)):
            condition = {"input": 0, "length": {"axis": 1, "at_most": 7}}
            self.assertEqual(holds(condition, {("shape", 0): (2, size), ("dtype", 0): TensorProto.FLOAT}), holds_of_it)


class Ncnn(unittest.TestCase):
    """A Mat shares the memory of an array, and does not keep it."""

    def test_an_input_lives_until_it_is_copied(self):
        class Mat:
            def __init__(self, array, batch_index):
                self.array = weakref.ref(array)

            def clone(self):
                return self.array().copy()

        extractor = mock.MagicMock()
        extractor.extract.return_value = (0, mock.Mock(numpy=lambda batch_index: numpy.zeros(2)))
        net = mock.Mock(create_extractor=lambda: mock.MagicMock(__enter__=lambda _: extractor))
        names = {"os": os, "numpy": numpy, "onnx": None}
        with mock.patch.dict(sys.modules, {"ncnn": mock.Mock(Mat=Mat), "pnnx": mock.Mock(__spec__=mock.Mock(origin="pnnx"))}):
            exec(ncnn.PROGRAM, names)  # as the child does
        names["run"]((net, ["x"], [("0", "0")], [("out0", "0")], [1], ""), {"x": numpy.arange(2.0)})
        (_, copied), _ = extractor.input.call_args
        self.assertEqual(copied.tolist(), [0, 1])


class Facts(unittest.TestCase):
    @staticmethod
    def of(operator, shapes, attributes=None, result=(2, 3)):
        names = [f"x{number}" for number in range(len(shapes))]
        graph = helper.make_graph([helper.make_node(operator, names, ["y"], **attributes or {})], "facts",
                                  [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in zip(names, shapes, strict=True)],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, result)])
        return facts_of(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)]))

    def test_which_attributes_are_written(self):
        self.assertEqual([self.of("LogSoftmax", [(2, 3)], given)["written", "axis"] for given in ({}, {"axis": -1})], [False, True])

    def test_an_axis_counts_from_the_end(self):
        self.assertEqual([self.of("LogSoftmax", [(2, 3)], {"axis": axis})["from end", "axis"] for axis in (1, -1, 0)], [-1, -1, -2])

    def test_operands_of_different_ranks(self):
        self.assertEqual([self.of("Add", [(2, 3), shape])["mixed", "ranks"] for shape in ((2, 3), (3,))], [False, True])
        self.assertEqual([self.of("Add", [(2, 3), shape])["unlike", 0, 1] for shape in ((2, 3), (1, 3))], [False, True])

    def test_results_without_elements(self):
        self.assertTrue(self.of("Relu", [(0, 3)], result=(0, 3))["result empty", 0])


class AsUsed(unittest.TestCase):
    """Axes and sizes are mostly stored: that they must be says nothing of the operator. Labels are not."""

    def test_by_the_dtypes_that_the_schema_allows(self):
        for operator, is_used in (("onnx::NegativeLogLikelihoodLoss", True), ("onnx::Unsqueeze", False)):
            with self.subTest(operator=operator):
                self.assertEqual(is_asked_as_used(operator, [Asked("computed", {("operand", 0): COMPUTED, ("operand", 1): COMPUTED}, NO_LAYER)]),
                                 is_used)


class OperatorsWithoutExamples(unittest.TestCase):
    def test_each_is_asked_about_alone_and_has_a_sense(self):
        for name, operator, model, inputs in without_examples.models():
            self.assertEqual([f"onnx::{node.op_type}" for node in model.graph.node], [operator])
            if not name.startswith("Multinomial"):  # which draws numbers
                self.assertIsNotNone(reference(model, inputs), name)

    def test_drawn_numbers_are_of_real_ones_alone(self):
        drawn = [name for name, operator, *_ in without_examples.models() if operator == "onnx::Multinomial"]
        self.assertEqual(drawn, ["Multinomial of float", "Multinomial of float16"])


if __name__ == "__main__":
    unittest.main()
