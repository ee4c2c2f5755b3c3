"""Calls that converters of PyTorch models compute otherwise are told, and the same calls without what is left out are not.

    computed_otherwise_test.py PROGRAM FOLDER
"""

import json
import pathlib
import subprocess
import sys
import unittest

import torch
import torch.nn.functional as F

PROGRAM, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools" / "rules"
sys.path.insert(0, str(TOOLS))

import computed_otherwise  # noqa: E402  # found by the path above
import sample_verdicts  # noqa: E402

IMAGE, ROWS, CLASSES = torch.ones(1, 2, 6, 6), torch.ones(3, 4), torch.tensor([0, 1, 2])
MEAN, VARIANCE, HEADS, MASK = torch.zeros(2), torch.ones(2), torch.ones(1, 1, 4, 8), torch.ones(4, 4, dtype=torch.bool)


class Call(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def verdict(name, target, function, *inputs, program=False, declared=False):
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.{'pt2' if program else 'pt'}"
    if program:
        torch.export.save(torch.export.export(Call(function), inputs), path)
    else:
        torch.jit.trace(Call(function), inputs, check_trace=False).save(path)
    given = [word for each in sample_verdicts.declared(inputs if declared else ()) for word in ("--input", each)]
    done = subprocess.run([PROGRAM, "check", "--isolated", "--target", target, "--select", "unsupported-ops", "--output-format", "json",
                           path, *given], capture_output=True, text=True, timeout=60, check=False)
    return json.loads(done.stdout)["models"][0]["verdicts"][0]["verdict"]


class WhatLiteRtAnswered(unittest.TestCase):
    def test_a_layer_is_taken_and_what_has_no_lowering_is_not(self):
        for name, function, expected in (("linear", lambda x: F.relu(F.linear(x, torch.ones(2, 4))), "taken"), ("lgamma", torch.lgamma, "refused")):
            self.assertEqual(verdict(name, "litert", function, ROWS, program=True), expected)


class WhatCompilersForNpusAnswered(unittest.TestCase):
    def test_what_is_left_falls_back_and_what_is_not_converted_is_refused(self):
        for name, function, expected in (("layer", lambda x: F.relu(x + x), "taken"),
                                         ("left", lambda x: torch.cumsum(x, 1), "taken in part"), ("lost", torch.lgamma, "refused")):
            self.assertEqual(verdict(name, "ethos-u", function, ROWS, program=True), expected)

    def test_core_ai_refuses_what_it_has_no_lowering_for(self):
        for name, function, expected in (("layer", lambda x: F.relu(x + x), "taken"), ("lost", torch.lgamma, "refused")):
            self.assertEqual(verdict(name, "coreai", function, ROWS, program=True), expected)


class WhatIsLeftOut(unittest.TestCase):
    def check(self, expected, *arguments, **options):
        self.assertEqual(verdict(self.id().rpartition(".")[2], *arguments, **options), expected)

    def test_a_divisor(self):
        for target, expected in (("openvino", "refused"), ("onnx", "wrong")):
            self.check(expected, target, lambda x: F.avg_pool2d(x, 2, divisor_override=3), IMAGE)
            self.check("taken", target, lambda x: F.avg_pool2d(x, 2), IMAGE)

    def test_a_correction(self):
        for correction, expected in ((2, "wrong"), (1, "taken"), (0, "taken")):
            self.check(expected, "openvino", lambda x, by=correction: torch.var(x, dim=1, correction=by), ROWS)
        self.check("refused", "openvino", lambda x: torch.var(x, dim=1, correction=2), ROWS, program=True)
        self.check("taken", "openvino", lambda x: torch.var(x, dim=1), ROWS, program=True)

    def test_what_a_softplus_is_told(self):
        self.check("wrong", "openvino", lambda x: F.softplus(x, beta=2), ROWS)
        self.check("wrong", "onnx", lambda x: F.softplus(x, threshold=2), ROWS)
        for target in ("openvino", "onnx"):
            self.check("taken", target, F.softplus, ROWS)

    def test_decimals(self):
        self.check("wrong", "openvino", lambda x: torch.round(x, decimals=2), ROWS)
        self.check("taken", "openvino", torch.round, ROWS)

    def test_statistics_of_the_input(self):
        self.check("wrong", "openvino", F.instance_norm, IMAGE, MEAN, VARIANCE)
        self.check("wrong", "openvino", F.instance_norm, IMAGE, MEAN, VARIANCE, VARIANCE, MEAN)
        self.check("taken", "openvino", lambda x, w, b: F.instance_norm(x, weight=w, bias=b), IMAGE, VARIANCE, MEAN)
        self.check("taken", "openvino", lambda x, m, v: F.instance_norm(x, m, v, use_input_stats=False), IMAGE, MEAN, VARIANCE)

    def test_smoothed_labels(self):
        self.check("refused", "onnx", lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1), ROWS, CLASSES)
        self.check("taken", "onnx", F.cross_entropy, ROWS, CLASSES)

    def test_rows_that_a_mask_may_cover_are_no_alarm(self):
        for program in (False, True):
            self.check("taken in part", "openvino", F.scaled_dot_product_attention, HEADS, HEADS, HEADS, MASK, program=program)
            self.check("taken", "openvino", F.scaled_dot_product_attention, HEADS, HEADS, HEADS, program=program)

    def test_sizes_are_divided_rightly(self):
        self.check("taken", "openvino", lambda x: x.reshape(x.shape[1] // 2, -1), IMAGE)
        self.check("taken in part", "openvino", lambda x: x // 3, CLASSES)


    def test_what_only_sizes_show(self):
        self.check("taken in part", "openvino", torch.linalg.det, torch.ones(4, 4))
        self.check("taken in part", "onnx", lambda x: F.adaptive_avg_pool2d(x, 4), IMAGE)
        self.check("taken", "onnx", lambda x: F.adaptive_avg_pool2d(x, 1), IMAGE)

    def test_what_only_dtypes_show(self):
        for dtype, of_trace, of_program in ((torch.int64, "taken in part", "wrong"), (torch.float32, "taken", "taken")):
            self.check(of_trace, "openvino", lambda x: F.avg_pool2d(x, 2), IMAGE.to(dtype), declared=True)
            self.check(of_trace, "onnx", lambda x: torch.logsumexp(x, 1), ROWS.to(dtype), declared=True)
            self.check(of_program, "openvino-export", lambda x: F.avg_pool2d(x, 2), IMAGE.to(dtype), program=True)
        self.check("taken", "openvino", lambda x: F.avg_pool2d(x, 2), IMAGE.long())

    def test_what_has_no_batch_or_no_elements(self):
        for given, expected in ((IMAGE, "taken"), (IMAGE[0], "taken in part")):
            self.check(expected, "onnx", lambda x: F.adaptive_avg_pool2d(x, 1), given, declared=True)
        for given, expected in ((ROWS, "taken"), (ROWS[:0], "wrong")):
            self.check(expected, "openvino-export", lambda x: x.mean(0), given, program=True)

    def test_an_index_of_fewer_rows(self):
        for rows, of_trace, of_program in ((3, "taken", "taken"), (2, "taken in part", "wrong")):
            index = torch.zeros(rows, 2, dtype=torch.int64)
            self.check(of_trace, "openvino", lambda x, at: torch.gather(x, 1, at), ROWS, index, declared=True)
            self.check(of_program, "openvino-export", lambda x, at: torch.gather(x, 1, at), ROWS, index, program=True)

    def test_vectors_in_a_row(self):
        for given, expected in ((ROWS, "taken"), (ROWS[0], "wrong")):
            self.check(expected, "openvino-export", lambda x: torch.vstack([x, x]), given, program=True)

    def test_spellings_in_place(self):
        for called in (lambda x: torch.floor_divide(x + 1, -3), lambda x: (x + 1).floor_divide_(-3)):
            self.check("taken in part", "openvino", called, ROWS)

    def test_a_norm_that_keeps_its_axes(self):
        self.check("wrong", "onnx", lambda x: torch.linalg.norm(x, keepdim=True), ROWS)
        self.check("taken", "onnx", lambda x: torch.linalg.norm(x, dim=1, keepdim=True), ROWS)
        self.check("taken", "onnx", torch.linalg.norm, ROWS)

    def test_distances(self):
        for power, expected in ((2.0, "taken"), (0.5, "wrong"), (float("inf"), "wrong")):
            self.check(expected, "onnx", lambda x, p=power: torch.cdist(x, x, p=p), ROWS)
        self.check("wrong", "onnx", lambda x: F.pairwise_distance(x, x + 1, p=0.0), ROWS)

    def test_complex_results_become_pairs(self):
        self.check("taken in part", "onnx-export", torch.fft.rfft, ROWS, program=True)
        self.check("taken", "onnx-export", lambda x: torch.fft.rfft(x).abs(), ROWS, program=True)


class TheTables(unittest.TestCase):
    def test_are_those_of_the_script(self):
        for name in computed_otherwise.TABLES:
            text = (computed_otherwise.out.RULES / f"{name}.toml").read_text()
            plain = computed_otherwise.without(text)
            self.assertEqual(plain + computed_otherwise.tables(name, plain), text, "run tools/rules/computed_otherwise.py")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
