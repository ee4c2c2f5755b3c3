"""Questions of the sizes that models have, for an operator whose kernels depend on them: ONNX's own examples are tiny."""
from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy
from onnx import ModelProto, TensorProto, helper

DTYPES = {"float32": (TensorProto.FLOAT, numpy.float32), "float16": (TensorProto.FLOAT16, numpy.float16),
          "bfloat16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16)}
HEADS = [(8, 8, 128, 64), (8, 2, 128, 64), (32, 8, 256, 128)]  # of queries, of keys; length, width


WIDTHS = [4, 8, 16, 40, 256, 264, 520]
FEW = [(3, 3), (9, 3)]  # heads of queries, of keys
LENGTHS = [(1, 6), (6, 6), (4, 6)]  # of queries, of keys


def heads_of_widths(dtype: str, rank: int, heads: tuple[int, int], lengths: tuple[int, int], width: int) -> tuple[ModelProto, dict[str, Any]]:
    """Kernels are chosen by the width of a head, and by whether there is one query."""
    number, kind = DTYPES[dtype]
    (queries, keys), (length, past) = heads, lengths
    shapes = {"q": [2, queries, length, width] if rank == 4 else [2, length, queries * width]}
    shapes["k"] = shapes["v"] = [2, keys, past, width] if rank == 4 else [2, past, keys * width]
    rng = numpy.random.default_rng(0)
    inputs: dict[str, Any] = {name: rng.normal(0, 1, shape).astype(kind) for name, shape in shapes.items()}
    attributes: dict[str, Any] = {"q_num_heads": queries, "kv_num_heads": keys} if rank == 3 else {}
    node = helper.make_node("Attention", list(shapes), ["y"], **attributes)
    graph = helper.make_graph([node], "attention", [helper.make_tensor_value_info(name, number, shape) for name, shape in shapes.items()],
                              [helper.make_tensor_value_info("y", number, shapes["q"])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10), inputs


def attention(dtype: str, rank: int, heads: tuple[int, int, int, int], causal: int, mask: str) -> tuple[ModelProto, dict[str, Any]]:
    number, kind = DTYPES[dtype]
    queries, keys, length, width = heads
    shapes = {"q": [1, queries, length, width] if rank == 4 else [1, length, queries * width]}
    shapes["k"] = shapes["v"] = [1, keys, length, width] if rank == 4 else [1, length, keys * width]
    rng = numpy.random.default_rng(0)
    inputs: dict[str, Any] = {name: rng.normal(0, 1, shape).astype(kind) for name, shape in shapes.items()}
    values = [helper.make_tensor_value_info(name, number, shape) for name, shape in shapes.items()]
    if mask:
        shape = [length, length] if mask.endswith("matrix") else [1, 1, length, length]
        inputs["m"] = rng.random(shape) < 0.9 if mask.startswith("bool") else rng.normal(0, 1, shape).astype(kind)
        values.append(helper.make_tensor_value_info("m", TensorProto.BOOL if mask.startswith("bool") else number, shape))
    attributes: dict[str, Any] = ({"is_causal": 1} if causal else {}) | ({"q_num_heads": queries, "kv_num_heads": keys} if rank == 3 else {})
    node = helper.make_node("Attention", [v.name for v in values], ["y"], **attributes)
    graph = helper.make_graph([node], "attention", values, [helper.make_tensor_value_info("y", number, shapes["q"])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=10), inputs


def models() -> Iterator[tuple[str, str, ModelProto, dict[str, Any]]]:
    """Name, operator, model and inputs."""
    for dtype, rank, heads, causal, mask in itertools.product(DTYPES, (3, 4), HEADS, (0, 1), ("", "bool", "float", "bool matrix", "float matrix")):
        name = f"attention.{dtype}.rank {rank}.{heads[0]}-{heads[1]} heads.{'causal' if causal else 'all'}.{mask or 'no'} mask"
        yield name, "onnx::Attention", *attention(dtype, rank, heads, causal, mask)
    for dtype, rank, few, lengths, width in itertools.product(DTYPES, (3, 4), FEW, LENGTHS, WIDTHS):
        name = f"attention.{dtype}.rank {rank}.{few[0]}-{few[1]} heads of {width}.{lengths[0]} of {lengths[1]}"
        yield name, "onnx::Attention", *heads_of_widths(dtype, rank, few, lengths, width)
