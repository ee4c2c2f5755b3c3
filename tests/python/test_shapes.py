"""Shapes that are worked out of ONNX's own node tests, with nothing declared of what they give, are those of the data that comes with them."""

import json
import warnings
from pathlib import Path

from onnx.backend.test.case.node import collect_testcases

from model_validator._library import Source, ask


def test_shapes_are_those_of_the_data(tmp_path: Path) -> None:
    file, asked, known, wrong = tmp_path / "model.onnx", 0, 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of numpy, about what the tests compute on purpose
        cases = collect_testcases(None)[::3]
    for case in cases:
        for output in case.model.graph.output:
            output.type.tensor_type.ClearField("shape")
        file.write_bytes(case.model.SerializeToString())
        told = json.loads(ask("graph", [Source(str(file))], {}).texts["json"])["outputs"]
        for output, data in zip(told, case.data_sets[0][1], strict=True):
            if not hasattr(data, "shape"):  # a sequence, or nothing
                continue
            asked += 1
            sizes = output["shape"]
            known += sizes is not None and None not in sizes
            if sizes is not None and (len(sizes) != data.ndim or any(a not in (None, b) for a, b in zip(sizes, data.shape, strict=True))):
                wrong.append((case.name, sizes, data.shape))
    assert not wrong
    assert asked > 600
    assert known > 0.75 * asked
