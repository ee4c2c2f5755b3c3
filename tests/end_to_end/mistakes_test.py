"""What newcomers write by mistake, and the sentence that each is answered with: it names what is wrong, and what to write."""

import json
import os
import shutil
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import torch
from torch import nn

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

import preloaded

PROGRAM = os.environ["PROGRAM"]


class Words(nn.Module):
    """Takes indices."""

    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 4)
        self.out = nn.Linear(4, 3)

    def forward(self, ids):
        return self.out(self.table(ids))


class Picture(nn.Module):
    """Takes a picture."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.norm = nn.BatchNorm2d(4)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class Boxes(nn.Module):
    """Calls an operator of torchvision, which is not installed."""

    def forward(self, boxes, scores):
        return torch.ops.torchvision.nms(boxes, scores, 0.5)


class Mistakes(unittest.TestCase):
    folder: Path

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp()).resolve()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        torch.manual_seed(0)
        picture, words = Picture().eval(), Words().eval()
        x, ids = torch.randn(1, 3, 8, 8), torch.zeros(1, 5, dtype=torch.long)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.jit.trace(picture, x).save(cls.folder / "net.pt")
            torch.jit.trace(words, ids).save(cls.folder / "words.pt")
            torch.export.save(torch.export.export(picture, (x,)), cls.folder / "net.pt2")
            torch.export.save(torch.export.export(words, (ids,)), cls.folder / "words.pt2")
            with torch.no_grad():
                picture.conv.weight[0, 0, 0, 0] += 1
            torch.jit.trace(picture, x).save(cls.folder / "faulty.pt")

    def run_program(self, *arguments):
        return preloaded.run([PROGRAM, *arguments], cwd=self.folder)

    def refused(self, *arguments):
        """What standard error says of words that make no sense."""
        done = self.run_program(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def assert_told(self, text, *parts):
        for part in parts:
            self.assertIn(part, text)

    def test_a_wrong_dtype_names_the_op_the_input_and_the_option(self):
        told = self.refused("verify", "words.pt", "--backend", "ts", "--input", "1x5")
        self.assert_told(told, "`aten::embedding` in module `table`", "`ids` float32 [1, 5]", "--input NAME=SHAPE:DTYPE")

    def test_a_wrong_rank_does_so_too(self):
        told = self.refused("verify", "net.pt", "--backend", "eager", "--input", "x=3x8")
        self.assert_told(told, "in module `conv`", "`x` float32 [3, 8]", "--input NAME=SHAPE:DTYPE")

    def test_a_file_that_declares_its_inputs_says_how_to_give_them(self):
        for wrong in ("3x8", "1x3x8x8:int64"):
            told = self.refused("verify", "net.pt2", "--backend", "eager", "--input", f"x={wrong}")
            self.assert_told(told, "`x` is float32 [1, 3, 8, 8]", "`--input x=1x3x8x8:float32`")

    def test_two_models_of_different_inputs_are_no_failure_of_the_candidate(self):
        told = self.refused("verify", "net.pt", "words.pt2", "--input", "1x3x8x8")
        self.assert_told(told, "different inputs", "`ids`", "`x`", "words.pt2")
        self.assertEqual(self.run_program("verify", "net.pt", "net.pt2", "--input", "1x3x8x8").returncode, 0)

    def test_a_dtype_as_others_spell_it(self):
        self.assert_told(self.refused("verify", "net.pt", "net.pt2", "--input", "1x3x8x8:fp32"), "did you mean `float32`?")

    def test_a_release_that_is_not_known_is_answered_with_the_one_that_is(self):
        told = self.refused("check", "net.pt", "--target", "openvino@2019")
        self.assert_told(told, "`openvino@2019`", "no such release", "`openvino`", "2026.4.1")
        self.assertNotEqual(self.run_program("check", "net.pt", "--target", "openvino@2026.4.1").returncode, 2)

    def test_a_url(self):
        self.assert_told(self.refused("check", "https://models.test/net.onnx?raw=true"), "URL", "download")
        self.assert_told(self.refused("verify", "https://models.test/net.onnx", "net.pt"), "URL", "download")

    def test_the_weight_that_differs_is_named(self):
        done = self.run_program("verify", "net.pt", "faulty.pt", "--input", "1x3x8x8", "--localize")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("`conv.weight` differs in 1 of 108 numbers", done.stdout)
        done = self.run_program("verify", "net.pt", "net.pt2", "--input", "1x3x8x8", "--localize")
        self.assertNotIn("differs in", done.stdout)

    def test_an_operator_of_torchvision_says_which_library_has_it(self):
        library = torch.library.Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        torch.jit.script(Boxes()).save(self.folder / "boxes.pt")
        told = self.refused("verify", "boxes.pt", "--backend", "ts", "--input", "boxes=4x4", "--input", "scores=4")
        self.assert_told(told, "`torchvision::nms`", "--op-library", "`_C.so`")
        self.assertNotIn("only described", told)
        (self.folder / "_C.so").write_bytes(b"no library")
        told = self.refused("verify", "boxes.pt", "--backend", "ts", "--input", "boxes=4x4", "--input", "scores=4",
                            "--op-library", "./_C.so")
        self.assert_told(told, "cannot be loaded", "help")

    def test_a_baseline_names_a_link_as_it_is_called(self):
        (self.folder / "models").mkdir()
        (self.folder / "models" / "linked.pt").symlink_to("../net.pt")
        self.run_program("check", "models/linked.pt", "--baseline", "known.json", "--write-baseline")
        self.assertEqual(list(json.loads((self.folder / "known.json").read_text())["models"]), ["models/linked.pt"])

    def test_sarif_names_no_site_that_there_is_not(self):
        done = self.run_program("check", "net.pt", "--output-format", "sarif")
        driver = json.loads(done.stdout)["runs"][0]["tool"]["driver"]
        self.assertNotIn("informationUri", driver)
        for rule in driver["rules"]:
            self.assertNotIn("helpUri", rule)
            self.assertEqual(self.run_program(*rule["help"]["text"].split()[1:]).returncode, 0)

    def test_no_message_tells_to_install_this_program_from_an_index(self):
        told = self.refused("hub", "models/")
        self.assertNotIn("pip install", told)
        self.assertIn("wheel", told)


if __name__ == "__main__":
    unittest.main()
