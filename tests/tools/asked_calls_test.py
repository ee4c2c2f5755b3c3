#!/usr/bin/env python3
"""How samples of PyTorch's operators are put to a converter (tools/rules/computed.py), and what is learnt from the answers."""
from __future__ import annotations

import os
import pathlib
import sys
import tempfile
import types
import unittest

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools" / "rules"))

import computed  # noqa: E402
import ways  # noqa: E402
from probe import calls, learnt_calls, table  # noqa: E402
from probe.answers import Answer  # noqa: E402


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
            (entry,), _ = learnt_calls.never_taken(found, learnt_calls.sentence_of({"refusal": "Lowering not found: {operator}"}))
            self.assertEqual(entry["when"], expected)

    def test_of_several_operators_the_one_that_the_words_name(self):
        found = self.asked((lambda x: x.abs().sign(), (torch.ones(2),), "refused", "Lowering not found: aten.sign.default"))
        self.assertEqual(list(found), ["aten::sign"])


if __name__ == "__main__":
    unittest.main()
