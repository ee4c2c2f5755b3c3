#!/usr/bin/env python3
"""Compares the table of torch's classes with the signatures of torch.

usage: torch_signatures_test.py PROGRAM, where PROGRAM prints the table
"""
import inspect
import subprocess
import sys
import typing
import unittest
from pathlib import Path

from torch import nn

sys.path.insert(0, str(Path(__file__).parents[3] / "python"))
from model_validator.migration._leaves import CLASSES, PARAMETERS

# Not set by users, deprecated, or never seen in an exported model.
LEFT_OUT = {"device", "dtype", "process_group", "init", "_weight", "_freeze", "_random_samples", "min_value", "max_value"}
BASE = {"LSTM": {"proj_size"}, "GRU": set(), "RNN": set()}


def signature(name):
    cls = getattr(nn, name)
    if name in BASE:  # their constructors take *args
        left_out = {"mode", "proj_size"} - BASE[name]
        parameters = [p for n, p in inspect.signature(nn.RNNBase.__init__).parameters.items() if n not in left_out]
        if name == "RNN":
            nonlinearity = inspect.Parameter("nonlinearity", inspect.Parameter.POSITIONAL_OR_KEYWORD, default="tanh")
            parameters.insert(4, nonlinearity)
    else:
        parameters = list(inspect.signature(cls.__init__).parameters.values())
    return {p.name: "" if p.default is p.empty else repr(p.default) for p in parameters[1:]
            if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD) and p.name not in LEFT_OUT}


def is_leaf_class(name):
    cls = getattr(nn, name)
    if not (inspect.isclass(cls) and issubclass(cls, nn.Module)):
        return False
    file = cls.__module__.rsplit(".", 1)[-1]
    return file not in ("container", "data_parallel", "distributed", "loss", "transformer", "adaptive", "module") and \
        not name.startswith("Lazy") and name not in ("RNNBase", "RNNCellBase", "MultiheadAttention")


def made(name, arguments):
    """A module of the class: twos for what has no default."""
    given = {argument: 2 for argument, default in arguments.items() if default == ""}
    if name.startswith("FractionalMaxPool"):
        given["output_size"] = 2
    if name == "Unflatten":
        given["unflattened_size"] = (1, 2)
    return getattr(nn, name)(**given)


class TorchClasses(unittest.TestCase):
    table: typing.ClassVar[dict[str, dict[str, str]]] = {}
    with_state: typing.ClassVar[set[str]] = set()

    def test_what_migration_finds_are_classes_and_arguments_of_the_table(self):
        self.assertLessEqual(set(CLASSES), set(self.table))
        self.assertLessEqual(set(PARAMETERS), {argument for name in CLASSES for argument in self.table[name]})

    def test_the_classes_with_state_have_weights_or_buffers(self):
        for name, arguments in self.table.items():
            with self.subTest(name):
                # Of an instance norm, the defaults have none.
                module = made(name, arguments | ({"affine": ""} if name.startswith("InstanceNorm") else {}))
                self.assertEqual(bool(module.state_dict()), name in self.with_state)

    def test_each_class_has_the_arguments_and_defaults_of_torch(self):
        for name, arguments in self.table.items():
            with self.subTest(name):
                self.assertEqual(list(arguments.items()), list(signature(name).items()))

    def test_no_leaf_class_of_torch_is_missing(self):
        self.assertEqual(sorted(n for n in dir(nn) if is_leaf_class(n)), sorted(self.table))


if __name__ == "__main__":
    printed = subprocess.run([sys.argv.pop()], capture_output=True, text=True, check=True).stdout
    for line in printed.splitlines():
        class_name, *words = line.split(" ")
        if class_name.endswith("!"):
            class_name = class_name[:-1]
            TorchClasses.with_state.add(class_name)
        TorchClasses.table[class_name] = dict(word.split("=", 1) for word in words)
    unittest.main()
