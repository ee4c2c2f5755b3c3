"""Inputs of a saved file that are no tensors, though the model takes tensors.

Environment: PROGRAM (the built program).
"""

import os
import sys
import tempfile
import unittest
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


class VerifyInputs(unittest.TestCase):
    def verify(self, lengths):
        with tempfile.TemporaryDirectory() as folder:
            model, inputs = Path(folder) / "ctc_loss.pt", Path(folder) / "inputs.pt"
            torch.jit.script(torch.nn.CTCLoss().eval()).save(str(model))
            torch.manual_seed(0)
            torch.save((torch.randn(12, 3, 5).log_softmax(2), torch.randint(1, 5, (3, 4)), lengths, [4, 3, 2]), inputs)
            command = [PROGRAM, "verify", model, "--backend", "eager", "--inputs", inputs, "--no-lint"]
            return preloaded.run(command)

    def test_a_list_of_numbers_does_for_a_tensor(self):
        done = self.verify([12, 10, 8])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_other_lists_are_refused_by_name(self):
        done = self.verify(["twelve", "ten", "eight"])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("the input `input_lengths` expects a Tensor but is given a list", done.stderr)


if __name__ == "__main__":
    unittest.main()
