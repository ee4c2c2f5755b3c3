#!/usr/bin/env python3
"""The command that runs everything over torch's own modules: what it calls by which name, on models whose outcome is known.

usage: torch_modules_test.py SOURCE_FOLDER PROGRAM
"""

import pathlib
import sys
import tempfile
import unittest

import torch


class Functional(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.relu(x)


class TorchModules(unittest.TestCase):
    program = ""

    def outcome(self, module, command, kind="scripted"):
        with tempfile.TemporaryDirectory() as folder:
            model, inputs = pathlib.Path(folder) / "model.pt", pathlib.Path(folder) / "inputs.pt"
            arguments = (torch.ones(1, 3, 8, 8),)
            torch.save(arguments, inputs)
            self.assertTrue(torch_modules.export(module.eval(), arguments, kind, model))
            case = torch_modules.Case("a model", model, inputs)
            if command == "check":
                return torch_modules.check_all(self.program, [case])[0]
            return torch_modules.run(self.program, command, case)

    def test_a_bare_module_of_torch_has_nothing_to_be_found(self):
        for kind in ("scripted", "traced"):
            for command in ("check", "graph", "inspect", "verify-ts"):
                with self.subTest(kind=kind, command=command):
                    self.assertEqual(self.outcome(torch.nn.Conv2d(3, 8, 3), command, kind).kind, "same")

    def test_a_function_in_a_module_of_ones_own_is_a_finding(self):
        found = self.outcome(Functional(), "check")
        self.assertEqual(found.kind, "finding")
        self.assertIn("missing-modules", found.what)

    def test_an_overloaded_forward_is_refused(self):
        found = self.outcome(torch.nn.GRU(8, 4), "check")
        self.assertEqual(found, torch_modules.Outcome("refused", "error: the model has no method `forward`"))

    def test_samples_are_spread_evenly(self):
        self.assertEqual(torch_modules.spread(list("abcdef"), 3), [(0, "a"), (2, "c"), (4, "e")])
        self.assertEqual(torch_modules.spread([], 3), [])

    def test_an_exit_status_is_explained(self):
        kinds = {-11: "crash", 139: "crash", 3: "internal error", 2: "refused", 1: "disagreement", 0: "same"}
        for status, kind in kinds.items():
            self.assertEqual(torch_modules.outcome_of("verify-ts", status, "", "error: why").kind, kind)


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "tools" / "accuracy"))
    import torch_modules

    TorchModules.program = sys.argv[2]
    unittest.main(argv=sys.argv[:1])
