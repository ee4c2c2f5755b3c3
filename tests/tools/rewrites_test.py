#!/usr/bin/env python3
"""What tools/rules/rewrites.py proposes instead of operators: it computes the same, and profiles hold nothing else."""
from __future__ import annotations

import pathlib
import sys
import unittest
import warnings

import tomllib

ROOT = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(ROOT / "tools" / "rules"))

import rewrites  # noqa: E402


class Rewrites(unittest.TestCase):
    def test_each_computes_what_the_operator_computes(self):
        warnings.filterwarnings("ignore")
        for operator, arguments, expression in rewrites.REWRITES:
            with self.subTest(operator=operator, expression=expression):
                self.assertTrue(rewrites.computes_the_same(operator, arguments, expression))

    def test_a_wrong_one_is_found(self):
        with self.assertRaises(AssertionError):
            rewrites.computes_the_same("silu", "x", "x * torch.tanh(x)")

    def test_only_what_the_target_takes_is_proposed(self):
        table = {"aten::mul", "aten::sigmoid"}
        self.assertEqual(tomllib.loads("it = " + rewrites.of_table(table)["aten::silu"])["it"]["text"], "write `silu(x)` as `x * torch.sigmoid(x)`")
        self.assertNotIn("aten::silu", rewrites.of_table({"aten::mul"}))
        self.assertNotIn("aten::silu", rewrites.of_table(table | {"aten::silu"}))

    def test_the_domain_is_named(self):
        self.assertTrue(rewrites.words_of("log2", "p", "torch.log(p)").endswith(", for positive p"))

    def test_profiles_hold_what_the_script_makes(self):
        made = [tomllib.loads("it = " + rewrites.entry_of(*rewrite))["it"] for rewrite in rewrites.REWRITES]
        for path in (ROOT / "rules").glob("*.toml"):
            with self.subTest(profile=path.name):
                for operator, entry in tomllib.loads(path.read_text()).get("replacements", {}).items():
                    if not operator.startswith("prim::"):  # a statement has no formula
                        self.assertIn(entry, made)

    def test_the_arguments_that_were_checked_are_noted(self):
        self.assertEqual(rewrites.checked_arguments("diff", "v"), ({"n": [1], "dim": [-1], "prepend": ["None"], "append": ["None"]}, [1]))
        self.assertEqual(rewrites.checked_arguments("silu", "x"), ({}, []))


if __name__ == "__main__":
    unittest.main()
