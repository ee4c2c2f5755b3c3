"""Questions of operators that none of ONNX's own examples has as its one node."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
from onnx import ModelProto, parser

HEADER = '<ir_version: 8, opset_import: ["" : 17]>'
DTYPES = {"float": numpy.float32, "float16": numpy.float16, "int32": numpy.int32, "int64": numpy.int64, "bool": numpy.bool_}
SEQUENCES = {  # T: the dtype
    "Optional": "(T[2, 3, 4] x) => (optional(T[2, 3, 4]) y) { y = Optional (x) }",
    "SequenceConstruct": "(T[2, 3, 4] x) => (seq(T[2, 3, 4]) y) { y = SequenceConstruct (x, x) }",
    "SequenceAt": "(seq(T[2, 3, 4]) s, int64 i) => (T[2, 3, 4] y) { y = SequenceAt (s, i) }",
    "SequenceErase": "(seq(T[2, 3, 4]) s, int64 i) => (seq(T[2, 3, 4]) y) { y = SequenceErase (s, i) }",
    "SequenceLength": "(seq(T[2, 3, 4]) s) => (int64 y) { y = SequenceLength (s) }",
    "ConcatFromSequence": "(seq(T[2, 3, 4]) s) => (T[4, 3, 4] y) { y = ConcatFromSequence <axis = 0> (s) }",
}
MULTINOMIAL = "(T[6, 4] x) => (int32[6, 3] y) { y = Multinomial <sample_size = 3> (x) }"


def models() -> Iterator[tuple[str, str, ModelProto, dict[str, Any]]]:
    """Name, operator, model and inputs."""
    for dtype, kind in DTYPES.items():
        graphs = SEQUENCES | ({"Multinomial": MULTINOMIAL} if "float" in dtype else {})
        for operator, graph in graphs.items():
            model = parser.parse_model(f"{HEADER} g {graph.replace('T[', f'{dtype}[')}")
            x: Any = numpy.linspace(0.1, 3, 24).astype(kind).reshape([6, 4] if operator == "Multinomial" else [2, 3, 4])
            values = {"x": x, "s": [x, x], "i": numpy.array(0)}
            yield f"{operator} of {dtype}", f"onnx::{operator}", model, {each.name: values[each.name] for each in model.graph.input}
