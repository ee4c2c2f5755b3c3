#!/usr/bin/env python3
"""How samples of PyTorch's operators are put to a converter (tools/rules/computed.py), and what is learnt from the answers."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import tomllib
import torch
import torch.nn.functional as F

ROOT = pathlib.Path(sys.argv.pop(1))
REAL, WHOLE = (torch.ones(2, 3),), (torch.ones(2, 3, dtype=torch.int64),)
sys.path.insert(0, str(ROOT / "tools" / "rules"))

import computed  # noqa: E402
import exporting  # noqa: E402
import sample_verdicts  # noqa: E402
import ways  # noqa: E402
from probe import calls, learnt_calls, separating, siblings, table  # noqa: E402
from probe.answers import Answer  # noqa: E402
from probe.causes import Asked  # noqa: E402
from probe.facts import COMPUTED, CONSTANT  # noqa: E402
from probe.parts import Foreteller, Program, foretold  # noqa: E402
from probe.said_before import SaidBefore  # noqa: E402


def info(name, op, *samples):
    """As torch describes an operator."""
    made = [types.SimpleNamespace(input=tensor, args=args, kwargs={}) for tensor, *args in samples]
    return types.SimpleNamespace(name=name, variant_test_name="", dtypes={torch.float32}, op=op, inplace_variant=None,
                                 sample_inputs=lambda device, dtype: iter(made))


def way(convert):
    return ways.Way("none", ".pt2", ways.write_program, convert, lambda module, inputs: computed.flat(module(*inputs)), ())


def program_of(function, *inputs):
    class Module(torch.nn.Module):
        def forward(self, *tensors):
            return function(*tensors)
    return calls.calls_in(torch.export.export(Module(), inputs))


class Asks(unittest.TestCase):
    def rows(self, convert, *infos):
        with tempfile.TemporaryDirectory() as folder:
            tasks = [computed.Task(each, 0) for each in infos]
            return {row[0]: row[1:] for row in computed.answers_to(way(convert), tasks, 1, pathlib.Path(folder)) if row[1] != "asked"}

    def test_what_ends_the_process_is_an_answer_and_not_the_end(self):
        def convert(path, module, inputs):
            if path.name.startswith("abs"):
                os._exit(3)
            return module

        found = self.rows(convert, info("abs", torch.abs, (torch.ones(2),)), info("neg", torch.neg, (torch.ones(2),)))
        self.assertEqual(found, {"abs.float32.0": ["refused", computed.ENDED], "neg.float32.0": ["right", ""]})

    def test_what_is_computed_otherwise_is_wrong_by_how_much(self):
        def convert(path, module, inputs):
            return (lambda x: module(x) + 1) if path.name.startswith("exp") else module

        found = self.rows(convert, info("exp", torch.exp, (torch.zeros(2),)), info("neg", torch.neg, (torch.ones(2),)))
        self.assertEqual(found["exp.float32.0"], ["wrong", "is off by 1 of 1"])
        self.assertEqual(found["neg.float32.0"][0], "right")

    def test_where_nothing_runs_what_is_left_to_the_processor_is_the_answer(self):
        asked = dataclasses.replace(way(lambda path, module, inputs: path.name.startswith("exp")), run=None,
                                    left=lambda is_left: "EXP: no" if is_left else "")
        kinds = {name: computed.left_or_right(asked, asked.convert(pathlib.Path(name), None, ())) for name in ("exp.pt2", "neg.pt2")}
        self.assertEqual(kinds, {"exp.pt2": ("left", "EXP: no"), "neg.pt2": ("right", "")})

    def test_the_compilers_words_without_those_of_one_model(self):
        words = ways.in_velas_words("""
Warning (supported operators) operator: MEAN, ofm: 'N;16'
Reason: Unsupported depth-reduction.  IFM: 1, 8, 16, 16
Reduction over depth is only supported if any of h,w,c == 1

Warning (supported operators) operator: DEQUANTIZE, ofm: 'N;2_dequant'
Reason: Unsupported opType

Warning (supported operators) operator: ADD, ofm: 'N;17'
Reason: Operation has tensor with unsupported DataType Float32 (N/Linear_l;2)
Feature-map dataTypes must be one of {"INT8"}

""")
        self.assertEqual(words, ["MEAN: Unsupported depth-reduction.; Reduction over depth is only supported if any of h,w,c == 1",
                                 'ADD: Operation has tensor with unsupported DataType Float32; Feature-map dataTypes must be one of {"INT8"}'])

    def test_what_the_compiler_does_not_read_fails_and_what_the_numbers_of_a_sample_do_is_no_answer(self):
        said = "Compilation failed: Error:  'N;7' Does not have valid TFLite Semantics.\n - {}\nFailed to parse TFLite file"
        empty, infinite = (ways.failure_of_vela(said.format(reason)) for reason in (
            "Constant tensors must not have empty buffers", "Tensor Quantization scales must be finite"))
        self.assertEqual((type(empty), str(empty)),
                         (RuntimeError, "Does not have valid TFLite Semantics. - Constant tensors must not have empty buffers"))

        def convert(path, module, inputs):
            raise infinite

        self.assertEqual(self.rows(convert, info("abs", torch.abs, (torch.ones(2),))), {"abs.float32.0": ["not asked", ""]})

    def test_a_first_sample_is_asked_about_in_other_sizes(self):
        sizes = {name: tuple(given.shape) for name, _, (given,) in
                 computed.models(info("abs", torch.abs, (torch.ones(3),), (torch.ones(4),)), 2, (torch.float32,))}
        self.assertEqual(sizes, {"abs.float32.0": (3,), "abs.float32.0.stacked": (2, 3), "abs.float32.0.unsqueezed": (1, 1, 3),
                                 "abs.float32.0.enlarged": (6,), "abs.float32.1": (4,)})
        self.assertEqual(len({computed.number_of(name) for name in sizes}), len(sizes))

    def test_calls_as_models_make_them_are_asked_about_as_operators_are(self):
        found = [given.shape for _, _, (given,) in computed.models(computed.Habit(0), 2, (torch.float32,))]
        self.assertIn(torch.Size(computed.ordinary.SIZES[0]), found)
        self.assertEqual(computed.name_of(computed.Habit(7)), "ordinary_7")

    def test_operators_are_overridden_as_torch_does_it(self):
        with mock.patch.object(torch._ops.OperatorBase, "py_impl", torch._ops.OperatorBase.py_impl), \
                mock.patch.object(exporting.exported_program, "autograd_not_implemented", exporting.exported_program.autograd_not_implemented):
            slow = torch.export.export(torch.nn.Linear(2, 3), (torch.ones(1, 2),)).run_decompositions()
            exporting.override_quickly()
            quick = torch.export.export(torch.nn.Linear(2, 3), (torch.ones(1, 2),)).run_decompositions()
        self.assertEqual(slow.graph_module.code, quick.graph_module.code)

    def test_attention_that_drops_nothing_is_not_random(self):
        given = (torch.ones(1, 2, 4, 8),)
        for drops, is_asked in ((0.0, True), (0.5, False)):
            found = computed.expected_of(lambda x, drops=drops: F.scaled_dot_product_attention(x, x, x, dropout_p=drops), given)
            self.assertEqual(found is not None, is_asked)
        self.assertIsNone(computed.expected_of(lambda x: F.dropout(x, 0.5), given))

    def test_that_nobody_was_asked_agrees_with_no_answer(self):
        for condition, agree in ((computed.NOT_ASKED, "0.0000"), ("MEAN: no", "1.0000")):
            verdict = {"verdict": "taken in part", "refusals": [], "operators": [
                {"verdict": "taken in part", "evidence": "entry `aten::mean`", "conditions": [condition]}]}
            said = json.dumps({"models": [{"path": "mean.pt2", "status": "passed", "verdicts": [verdict]}]})
            with mock.patch.object(sample_verdicts.subprocess, "run", return_value=mock.Mock(stdout=said)):
                ours = sample_verdicts.verdicts(pathlib.Path("tool"), "litert", [pathlib.Path("mean.pt2")], {})
            self.assertIn(agree, computed.figures(ways.WAYS["litert"], [["mean", "refused", "no"]], ours).row("one"))

    def test_files_that_are_declared_alike_are_judged_together(self):
        self.assertEqual(sample_verdicts.declared((torch.ones(2, 3), torch.tensor(True))), ("2x3:float32", "scalar:bool"))
        files = [pathlib.Path(each) for each in ("a.pt", "b.pt", "c.pt")]
        self.assertEqual(list(sample_verdicts.calls(files, {"a.pt": ("2:bool",), "c.pt": ("2:bool",)})),
                         [["--input", "2:bool", "--", "a.pt", "c.pt"], ["--", "b.pt"]])
        self.assertEqual(list(sample_verdicts.calls(files[:1] * (sample_verdicts.AT_ONCE + 1), {}))[1], ["--", "a.pt"])

    def test_what_a_converter_says_is_kept(self):
        def convert(path, module, inputs):
            raise ValueError("no such thing")

        self.assertEqual(self.rows(convert, info("abs", torch.abs, (torch.ones(2),))), {"abs.float32.0": ["refused", "ValueError: no such thing"]})


class Learns(unittest.TestCase):
    def asked(self, *each):
        """(function, inputs, kind, said): the entries that come of these answers."""
        programs = [(str(at), program_of(function, *inputs)) for at, (function, inputs, _, _) in enumerate(each)]
        return learnt_calls.asked_of(programs, {str(at): Answer(kind, said) for at, (_, _, kind, said) in enumerate(each)})

    def test_the_argument_that_a_converter_refuses(self):
        image = (torch.ones(1, 2, 6, 6),)
        found = self.asked((lambda x: F.avg_pool2d(x, 2, ceil_mode=True), image, "refused", "ValueError: no ceil_mode"),
                           (lambda x: F.avg_pool2d(x, 2, ceil_mode=False), image, "right", ""))
        (entry,) = map(learnt_calls.spelled, table.entries(found)["refused"])
        self.assertEqual(entry["operators"], ["aten::avg_pool2d"])
        self.assertEqual(entry["when"], '[{argument = "ceil_mode", given = true, is = [true]}]')

    def test_nothing_where_all_is_right(self):
        found = self.asked((lambda x: x.abs(), (torch.ones(2),), "right", ""), (lambda x: x.abs(), (torch.ones(2, 2),), "right", ""))
        self.assertEqual(table.entries(found), {})

    def test_an_operator_that_is_never_taken_for_whole_numbers_alone_may_be_for_others(self):
        whole, real = (torch.ones(2, dtype=torch.int64),), (torch.ones(2),)
        for inputs, expected in ((whole, '[{input = 0, dtypes = ["int64"]}]'), (real, "[{output = 0, given = true}]")):
            found = self.asked((lambda x: x.sign(), inputs, "refused", "ValueError: not that"))
            _, (entry,), _ = learnt_calls.never_taken(found, learnt_calls.sentence_of({"refusal": "Lowering not found: {operator}"}), "refused")
            self.assertEqual(entry["when"], expected)

    def test_an_operator_of_one_sample_is_not_as_sure_as_one_of_several(self):
        found = self.asked(*((function, (torch.ones(size),), "refused", "SELECT_V2: no") for function, size in (
            (torch.sign, 2), (torch.sign, 3), (torch.erf, 2))))
        sure, unsure, _ = learnt_calls.never_taken(found, learnt_calls.sentence_of({"refusal": "Lowering not found: {operator}"}), "refused")
        self.assertEqual([[each["operators"] for each in entries] for entries in (sure, unsure)], [[["aten::sign"]], [["aten::erf"]]])

    def test_what_is_made_of_an_operator_that_is_lacking_is_refused_for_every_dtype(self):
        found = self.asked((lambda x: x.sign(), (torch.ones(2, dtype=torch.int64),), "refused", "Lowering not found: aten.lt.default"))
        (entry,), _, lacking = learnt_calls.never_taken(found, learnt_calls.sentence_of({"refusal": "Lowering not found: {operator}"}), "refused")
        self.assertEqual((entry["when"], lacking), ("[{output = 0, given = true}]", set()))

    def test_what_is_left_is_refused_and_what_is_not_converted_fails(self):
        rows = learnt_calls.falls_back([["exp", "left", "EXP: unsupported"], ["sign", "refused", "ValueError: not that"], ["abs", "right", ""]])
        self.assertEqual([kind for _, kind, _ in rows], ["refused", "fails", "right"])
        found = self.asked((lambda x: x.exp(), (torch.ones(2),), *rows[0][1:]), (lambda x: x.sign(), (torch.ones(2),), *rows[1][1:]))
        sentence = learnt_calls.sentence_of({"refusal": "Lowering not found: {operator}"})
        for worst, expected in (("refused", "aten::exp"), ("fails", "aten::sign")):
            _, (entry,), _ = learnt_calls.never_taken(found, sentence, worst)
            self.assertEqual(entry["operators"], [expected])

    def test_calls_alike_that_are_taken_and_left_are_not_decided(self):
        one, other = ((lambda x: x.exp(), (torch.ones(2),), kind, "EXP: unsupported") for kind in ("refused", "right"))
        unlike = (lambda x: x.exp(), (torch.ones(2, 2),), "right", "")
        self.assertEqual([each["operators"] for each in learnt_calls.undecided(self.asked(one, other))], [["aten::exp"]])
        self.assertEqual(learnt_calls.undecided(self.asked(one, unlike)), [])

    def test_what_a_target_states_of_all_but_of_what_ran(self):
        found = self.asked((torch.abs, (torch.ones(2, dtype=torch.int64),), "right", ""), (torch.exp, (torch.ones(2),), "right", ""))
        stated = {"when": [{"input": 0, "dtypes": ["int64"]}], "reason": "of reals alone"}
        for of, expected in (({"of": "all"}, ["aten::exp", "aten::permute"]), ({}, ["aten::exp"])):
            (entry,) = learnt_calls.as_stated((stated | of,), found, {"aten::abs", "aten::exp", "aten::permute"})
            self.assertEqual(entry["operators"], expected)

    def added(self, *each, removed, stated=()):
        """The profile once answers are added to one that lists `aten::abs`."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(learnt_calls.out, "RULES", pathlib.Path(folder)):
            file = pathlib.Path(folder) / "edge.toml"
            file.write_text(f'[operators]\n"aten::abs" = 0\n\n[removed_by_passes]\noperators = {json.dumps(removed)}\n\n[decomposed]\n\n')
            learnt_calls.add("edge", self.asked(*((function, inputs, kind, "no configuration" if kind == "refused" else "")
                                                  for function, inputs, kind in each)), stated)
            return tomllib.loads(file.read_text())

    def test_what_is_left_of_an_operator_that_is_listed_or_removed(self):
        profile = self.added((torch.abs, REAL, "right"), (torch.abs, WHOLE, "refused"), (torch.ravel, WHOLE, "refused"), (torch.exp, REAL, "refused"),
                             removed=["aten::ravel", "aten::t"])
        self.assertEqual(list(profile["operators"]), ["aten::abs"])
        self.assertEqual(sorted((each["operators"][0], each["when"][0]["dtypes"][0]) for each in profile["refused"]),
                         [("aten::abs", "int64"), ("aten::ravel", "int64")])

    def test_what_ran_is_listed_and_what_failed_of_whole_numbers_alone_is_left_as_it_was(self):
        profile = self.added((torch.sin, REAL, "right"), (torch.cos, WHOLE, "fails"), removed=[])
        self.assertEqual(list(profile["operators"]), ["aten::abs", "aten::sin"])
        said = "Operator torch._ops.aten.cos.default is not in Core ATen opset"
        (entry,) = learnt_calls.of_one_answer(self.asked((torch.cos, WHOLE, "fails", said)), "fails")
        self.assertEqual(entry["when"], learnt_calls.out.raw(learnt_calls.ALWAYS))

    def test_that_a_result_is_not_smaller_is_no_cause(self):
        scalar = (torch.exp, (torch.tensor(1.0),), "right", "")
        found = self.separated(scalar, *((torch.exp, (torch.ones(*sizes),), "refused", "EXP: no") for sizes in ((2, 3), (4, 5))))
        self.assertEqual(found, ["[{input = 0, ranks = [2]}]"])

    def test_what_a_target_states_that_it_computes_wrongly_is_a_table_of_its_own(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(learnt_calls.out, "RULES", pathlib.Path(folder)):
            stated = {"operators": ["aten::abs"], "when": [{"attribute": "used", "is": [2]}], "kind": "wrong", "reason": "it counts otherwise"}
            learnt_calls.write("edge", {"refusal": "no {operator}"}, ("torch",), self.asked((torch.abs, REAL, "right", "")), {"aten::abs"}, (stated,))
            profile = tomllib.loads((pathlib.Path(folder) / "edge.toml").read_text())
        self.assertEqual([each["operators"] for each in profile["wrong"]], [["aten::abs"]])

    def test_what_a_target_states_of_an_operator_by_name_is_not_learnt_as_well(self):
        stated = ({"operators": ["aten::relu6"], "when": [{"input": 0, "entry": True}], "reason": "nothing takes it in"},)
        asked = self.asked((F.relu6, REAL, "refused", "no RELU6"), (F.relu6, (torch.ones(2, 2, 3),), "refused", "no RELU6"),
                           (lambda x: F.relu6(x.abs()), (torch.ones(4),), "right", ""))
        left = learnt_calls.beside_stated(stated, asked)
        self.assertEqual([each.answer.kind for each in left["aten::relu6"]], ["right"])
        self.assertEqual(len(learnt_calls.beside_stated((), asked)["aten::relu6"]), 3)
        entry = {"operators": ["aten::relu6"], "when": [{"input": 0, "ranks": [2]}], "reason": "no RELU6", "asked": asked["aten::relu6"][0].name}
        before = SaidBefore({"refused": [entry]})
        self.assertEqual(before.without_answers({entry["asked"]}).entries("refused", [], {}), [])
        self.assertEqual(len(before.without_answers({"another"}).entries("refused", [], {})), 1)

    def test_entries_name_only_operators_that_the_table_lists(self):
        before = """
            [target]
            package = "torch"
            [operators]
            "aten::abs" = 0
            "aten::cos" = 0
            [[refused]]
            operators = ["aten::abs", "aten::cos"]
            when = [{input = 0, dtypes = ["int64"]}]
            reason = "of reals alone"
        """
        asked = self.asked((torch.abs, REAL, "right", ""), (torch.cos, REAL, "refused", "no aten.cos.default"))
        with (tempfile.TemporaryDirectory() as folder, mock.patch.object(learnt_calls.out, "RULES", pathlib.Path(folder)),
              mock.patch.object(learnt_calls.out, "installed", return_value="torch")):
            file = pathlib.Path(folder) / "edge.toml"
            file.write_text(before)
            learnt_calls.write("edge", {"refusal": "no {operator}"}, ("torch",), asked, {"aten::abs"})
            profile = tomllib.loads(file.read_text())
        self.assertEqual([each["operators"] for each in profile["refused"]], [["aten::abs"]])
        self.assertNotIn("aten::cos", profile["operators"])

    def test_what_a_target_states_of_all_that_its_passes_remove_is_one_row(self):
        stated = ({"when": [{"input": 0, "dtypes": ["int64"]}], "reason": "of reals alone", "of": "all", "asked": "ravel.int64.0"},)
        removed = [f"aten::{name}" for name in ("is_complex", "positive", "ravel", "resolve_conj", "t")]
        profile = self.added((torch.ravel, WHOLE, "refused"), (torch.positive, WHOLE, "right"), (torch.t, REAL, "refused"),
                             (torch.t, WHOLE, "refused"), removed=removed, stated=stated)
        self.assertEqual([each.get("removed_by_passes_but", each.get("operators")) for each in profile["refused"]],
                         [["aten::t"], ["aten::is_complex", "aten::positive", "aten::resolve_conj"]])

    def test_of_several_that_are_not_taken_any_may_be_why(self):
        found = self.asked((lambda x: x.sign().floor(), REAL, "refused", "no such thing"), (torch.floor, WHOLE, "refused", "no floor"))
        self.assertEqual([each["operators"] for each in learnt_calls.undecided(found)], [["aten::sign"]])
        self.assertEqual([each.answer.kind for each in found["aten::floor"]], ["refused"])
        self.assertEqual(list(learnt_calls.sure(found)), ["aten::floor"])

    def test_of_several_that_are_taken_the_one_that_is_called_otherwise(self):
        same, narrow = (torch.ones(4, 5),), (torch.ones(1, 5),)
        right, wider = (lambda x: x.abs().expand(4, 5), same, "right", ""), (lambda x: x.abs().expand(4, 5), narrow, "refused", "no such thing")
        twice = (lambda x: x.expand(4, 5).abs().expand(2, 4, 5).clone().sum(0, keepdim=True).expand(3, 4, 5), narrow, "refused", "no such thing")
        kinds = {operator: [each.answer.kind for each in answers] for operator, answers in self.asked(right, wider).items()}
        self.assertEqual(kinds, {"aten::abs": ["right"], "aten::expand": ["right", "refused"]})
        known = (lambda x: x.clone().sum(0, keepdim=True), same, "right", "")
        self.assertEqual(len(self.asked(right, known, twice)["aten::expand"]), 1)

    def test_of_several_operators_the_one_that_the_words_name(self):
        found = self.asked((lambda x: x.abs().sign(), (torch.ones(2),), "refused", "Lowering not found: aten.sign.default"))
        self.assertEqual(list(found), ["aten::sign"])

    def separated(self, *each, kind="refused"):
        """The conditions of what is refused, as they are written."""
        found = table.entries(self.asked(*each), causes=separating.all_causes)
        return [learnt_calls.spelled(entry)["when"] for entry in found.get(kind, [])]

    def pooled(self, kind, dtype=torch.float32, size=6, **arguments):
        return lambda x: F.max_pool2d(x, 2, **arguments), (torch.ones(1, 2, size, size, dtype=dtype),), kind, "no" if kind == "refused" else ""

    def test_what_one_sample_alone_is_refused_for_may_be_taken(self):
        def averaged(size):
            return (lambda x: F.avg_pool2d(x, 2, padding=1, ceil_mode=True, count_include_pad=False, divisor_override=2),
                    (torch.ones(1, 2, size, size),), "refused", "no")

        right = (lambda x: F.avg_pool2d(x, 2), (torch.ones(1, 2, 6, 6),), "right", "")
        for samples, expected in (([8], [0, 1]), ([8, 9], [1, 0])):
            found = [self.separated(right, *map(averaged, samples), kind=kind) for kind in ("refused", "depends")]
            self.assertEqual([len(each) for each in found], expected)

    def test_what_whole_numbers_alone_are_refused_for(self):
        def found(*dtypes):
            return self.separated(self.pooled("right"), self.pooled("right", torch.int64),
                                  *(self.pooled("refused", dtype, size, stride=3) for size, dtype in enumerate(dtypes, start=8)))

        stride = '{argument = "stride", given = true, is_not = [1]}'
        self.assertEqual(found(torch.int64, torch.int64), [f'[{stride}, {{input = 0, dtypes = ["int64"]}}]'])
        self.assertEqual(found(torch.int64, torch.float32), [f"[{stride}]"])

    def test_any_of_the_arguments_that_only_come_together_may_be_why(self):
        both = [self.pooled("refused", padding=1, dilation=2, size=size) for size in (8, 9)]
        padding, dilation = (f'{{argument = "{name}", given = true, is_not = [{usual}]}}' for name, usual in (("padding", 0), ("dilation", 1)))
        self.assertIn(self.separated(self.pooled("right"), *both), ([f"[{dilation}, {padding}]"], [f"[{padding}, {dilation}]"]))
        alone = self.pooled("right", padding=1)
        self.assertEqual(self.separated(self.pooled("right"), alone, *both), [f"[{dilation}]"])

    def test_sizes_that_do_not_divide_each_other(self):
        def pooled(inner, outer, kind):
            return lambda x: F.adaptive_avg_pool2d(x, outer), (torch.ones(1, 2, inner, inner),), kind, "GATHER_ND: no" if kind == "refused" else ""

        even = [pooled(6, 3, "right"), pooled(8, 2, "right"), pooled(4, 1, "right")]
        self.assertEqual(self.separated(*even, pooled(7, 3, "refused"), pooled(9, 2, "refused")), ["[{output = 0, uneven_to_input = 0}]"])
        self.assertEqual(self.separated(*even), [])

    def test_a_batch_of_more_than_one(self):
        def softplus(sizes, kind):
            return F.softplus, (torch.ones(*sizes),), kind, "Batch must be 1" if kind == "refused" else ""

        found = self.separated(*(softplus((batch, *sizes), "right" if batch == 1 else "refused")
                                 for batch, sizes in ((1, (2, 3)), (1, (4, 1)), (2, (2, 3)), (3, (4, 1)))))
        self.assertEqual(found, ["[{input = 0, ranks = [3], length = {axis = 0, at_least = 2}}]"])

    def test_a_tensor_without_elements(self):
        def doubled(sizes, kind):
            return (torch.sum, (torch.ones(*sizes),), kind, "no values" if kind == "refused" else "")
        self.assertEqual(self.separated(doubled((0, 3), "refused"), doubled((2, 3), "right"), doubled((2, 0), "refused")),
                         ["[{input = 0, empty = true}]"])

    def test_an_axis_before_the_last(self):
        def softmax(axis, kind, rank=3):
            return lambda x: x.softmax(axis), (torch.ones(*[2] * rank),), kind, "EXP: no" if kind == "refused" else ""

        found = self.separated(softmax(-1, "right"), softmax(2, "right"), softmax(1, "refused"), softmax(1, "right", rank=2), softmax(0, "refused"))
        self.assertEqual(found, ['[{argument = "dim", given = true, is_not = [-1], from_end = true}]'])

    def test_what_is_taken_of_whole_numbers_is_not_refused_for_being_real(self):
        found = self.separated((lambda x: x.sum(1), (torch.ones(2, 2, dtype=torch.int64),), "right", ""),
                               *((lambda x, axis=axis: x.sum(axis), (torch.ones(2, 2, 2),), "refused", "no") for axis in (1, 2)))
        self.assertEqual(found, ["[{input = 0, ranks = [3]}]"])

    def test_overloads_that_nobody_asked_about_are_as_all_others_are(self):
        def told(*kinds):
            found = self.asked(*((lambda x: x.pow(2), (torch.ones(2, *[2] * at),), kind, "POW: no") for at, kind in enumerate(kinds)))
            entries, taken = learnt_calls.of_other_overloads({"aten::pow.Scalar", "aten::abs"}, found)
            return [(kind, entry["operators"]) for kind, entry in entries], taken

        self.assertEqual(told("right", "right"), ([], {"aten::pow.Scalar"}))
        self.assertEqual(told("refused", "refused"), ([("refused", ["aten::pow.Scalar"])], set()))
        for undecided in (("right",), ("right", "refused")):
            self.assertEqual(told(*undecided), ([], set()))

    def inferred(self, *each, operators):
        return [(kind, entry["operators"], learnt_calls.spelled(entry)["when"])
                for kind, entry in siblings.inferred(self.asked(*each), operators)]

    def of_dtypes(self, refused, functions, others=()):
        """Each function of real numbers, taken, and of whole ones."""
        whole, real = (torch.ones(2, dtype=torch.int64),), (torch.ones(2),)
        return [(each, inputs, kind, "" if kind == "right" else "ValueError: not of whole numbers") for each, kinds in
                [*((f, ("right", refused)) for f in functions), *((f, ("right", "right")) for f in others)]
                for inputs, kind in zip((real, whole), kinds, strict=True)]

    def test_functions_whose_siblings_are_refused_of_whole_numbers(self):
        asked = self.of_dtypes("refused", [torch.sin, torch.asin, torch.atan], others=[torch.abs])
        found = self.inferred(*asked, operators=["aten::cos", "aten::abs", "aten::sum", "aten::div.Tensor"])
        self.assertEqual(found, [("refused", ["aten::cos"], '[{input = 0, dtypes = ["int64"]}, {output = 0, dtypes = ["float32"]}]')])

    def test_nothing_where_siblings_do_not_agree_or_are_few(self):
        for functions, others in (([torch.sin, torch.asin, torch.atan], [torch.exp]), ([torch.sin, torch.asin], [])):
            found = self.inferred(*self.of_dtypes("refused", functions, others), operators=["aten::cos"])
            self.assertEqual(found, [])

    def test_nothing_of_what_is_refused_whatever_it_is_called_with(self):
        asked = [each for each in self.of_dtypes("refused", [torch.sin, torch.asin, torch.atan]) if each[2] == "refused"]
        self.assertEqual(self.inferred(*asked, operators=["aten::cos"]), [])

    def test_an_argument_that_siblings_of_other_dimensions_are_refused_with(self):
        def pools(pool, rank):
            image = (torch.ones(1, *[6] * (rank + 1)),)
            return ((lambda x: pool(x, 2, ceil_mode=True), image, "refused", "no"), (lambda x: pool(x, 2), image, "right", ""))

        found = self.inferred(*pools(F.avg_pool1d, 1), *pools(F.avg_pool2d, 2), operators=["aten::avg_pool3d", "aten::max_pool3d"])
        self.assertEqual(found, [("refused", ["aten::avg_pool3d"], '[{argument = "ceil_mode", given = true, is = [true]}]')])


WHOLE, REAL = (torch.ones(2, dtype=torch.int64),), (torch.ones(2),)
RIGHT, NOT_OF_WHOLE = Answer("right"), Answer("refused", "ValueError: not of whole numbers")


class Foretells(unittest.TestCase):
    def program(self, name, function, inputs, parts):
        """A program of a function, which a converter takes apart into those of another."""
        return Program(name, program_of(function, *inputs), program_of(parts, *inputs))

    def told(self, *asked_about):
        known = [(self.program(str(at), function, inputs, function), answer) for at, (function, inputs, answer) in enumerate(asked_about)]
        teller = Foreteller({"aten::abs", "aten::exp", "aten::neg"}, "Lowering not found: {operator}", known)
        return lambda *program, asked=(): [answer for _, answer in foretold(teller, [self.program("new", *program)], set(asked))]

    def test_a_part_without_a_lowering_is_refused_whatever_calls_it(self):
        (answer,) = self.told()(torch.square, REAL, torch.sign)
        self.assertEqual(answer, Answer("refused", "Lowering not found: aten.sign.default"))

    def test_a_part_that_was_refused_of_a_dtype_is_refused_of_it_again(self):
        told = self.told((torch.neg, WHOLE, NOT_OF_WHOLE), (torch.neg, REAL, RIGHT))
        self.assertEqual(told(torch.square, WHOLE, torch.neg), [NOT_OF_WHOLE])
        self.assertEqual(told(torch.square, REAL, torch.neg, asked=["aten::square"]), [])

    def test_nobody_knows_which_of_several_parts_was_refused(self):
        told = self.told((lambda x: x.neg().abs(), WHOLE, NOT_OF_WHOLE))
        self.assertEqual(told(torch.square, WHOLE, torch.neg), [])
        told = self.told((lambda x: x.neg().abs(), WHOLE, NOT_OF_WHOLE), (torch.abs, WHOLE, RIGHT))
        self.assertEqual(told(torch.square, WHOLE, torch.neg), [NOT_OF_WHOLE])

    def test_a_part_that_many_refused_programs_share_is_why(self):
        mixed = [(lambda x, beside=beside: beside(x.neg()), WHOLE, NOT_OF_WHOLE) for beside in (torch.abs, torch.exp, torch.abs)]
        told = self.told(*mixed, (torch.exp, REAL, RIGHT))
        self.assertEqual(told(torch.square, WHOLE, torch.neg), [NOT_OF_WHOLE])
        self.assertEqual(self.told(*mixed[:2])(torch.square, WHOLE, torch.neg), [])
        unlike = [(*each[:2], Answer("refused", f"ValueError: {said} is not supported")) for each, said in zip(mixed, "abc", strict=True)]
        self.assertEqual(self.told(*unlike, (torch.sign, WHOLE, RIGHT))(torch.square, WHOLE, torch.neg), [])

    def test_that_a_tensor_has_no_axes_tells_one_part_from_another(self):
        scalar, ended = (torch.ones(()),), Answer("refused", "it ends the process")
        told = self.told((torch.neg, scalar, ended), (torch.neg, REAL, RIGHT))
        self.assertEqual(told(torch.square, scalar, torch.neg), [ended])
        self.assertEqual([answer.kind for answer in told(torch.square, REAL, torch.neg)], ["not compared"])

    def test_an_operator_that_nothing_is_known_of_is_taken_where_all_its_parts_are(self):
        told = self.told((torch.neg, REAL, RIGHT))
        self.assertEqual([answer.kind for answer in told(torch.square, REAL, torch.neg)], ["not compared"])
        self.assertEqual(told(torch.square, WHOLE, torch.neg), [])


    def test_what_was_answered_before_is_enough_to_foretell(self):
        asked = dataclasses.replace(way(None), is_learnt=True, take_apart=lambda program: program, profile={"refusal": "no {operator}"})
        with (tempfile.TemporaryDirectory() as folder, mock.patch.object(learnt_calls, "write"), mock.patch.object(computed, "first_files"),
              mock.patch.object(learnt_calls, "add_foretold") as foretelling):
            computed.learn(asked, pathlib.Path(folder), [], 0)
        foretelling.assert_called_once()


class Keeps(unittest.TestCase):
    """What a table said before of the same release."""
    def kept(self, function, inputs, kind, when=(), now=(), table="refused"):
        of_whole = [{"input": 0, "dtypes": ["int64"]}]
        before = SaidBefore({table: [{"operators": ["aten::abs", "aten::sign"], "when": list(when) or of_whole, "reason": "no"}]})
        asked = {operator: [Asked("0", facts, Answer(kind))] for operator, facts in program_of(function, *inputs)}
        return [each["operators"] for each in before.entries(table, list(now), asked)]

    def test_what_no_answer_speaks_against(self):
        self.assertEqual(self.kept(torch.abs, REAL, "right"), [["aten::abs", "aten::sign"]])
        self.assertEqual(self.kept(torch.abs, WHOLE, "refused"), [["aten::abs", "aten::sign"]])

    def test_not_what_is_right_now(self):
        self.assertEqual(self.kept(torch.abs, WHOLE, "right"), [["aten::sign"]])
        self.assertEqual(self.kept(torch.abs, REAL, "right", when=[{"output": 0, "given": True}], table="depends"), [["aten::sign"]])

    def test_not_what_is_said_again(self):
        again = {"operators": ["aten::abs"], "when": '[{input = 0, dtypes = ["int64"]}]', "reason": "no"}
        self.assertEqual(self.kept(torch.neg, REAL, "right", now=[again]), [["aten::sign"]])

    def test_of_what_is_right_only_where_it_is_folded_the_rest(self):
        before = SaidBefore({"refused": [{"operators": ["onnx::ConstantOfShape"], "when": [{"from_opset": 1}], "reason": "no"}]})
        for origin, expected in ((CONSTANT, '[{input = 0, computed = true}]'), (COMPUTED, None)):
            asked = {"onnx::ConstantOfShape": [Asked("0", {("version",): 9, ("dtype", 0): 7, ("operand", 0): origin}, RIGHT)]}
            self.assertEqual([each["when"] for each in before.entries("refused", [], asked)], [expected] if expected else [])
        self.assertEqual([each["when"] for each in before.entries("refused", [], {})], ["[{from_opset = 1}]"])

    def test_no_less_special_condition_than_before(self):
        flag = {"argument": "rounding_mode", "is": ["floor"]}
        before = SaidBefore({"refused": [{"operators": ["aten::div"], "when": [flag, {"input": 0, "dtypes": ["float32"]}], "reason": "no"}]})
        wider = {"operators": ["aten::div", "aten::mul"], "when": '[{input = 0, dtypes = ["float32"]}]', "reason": "no"}
        other = {"operators": ["aten::div"], "when": '[{input = 0, dtypes = ["int64"]}]', "reason": "no"}
        self.assertEqual([each["operators"] for each in before.without_wider("refused", [wider, other])], [["aten::mul"], ["aten::div"]])

    def test_what_depends_on_values_though_some_are_right(self):
        self.assertEqual(self.kept(torch.abs, WHOLE, "right", table="depends"), [["aten::abs", "aten::sign"]])


if __name__ == "__main__":
    unittest.main()
