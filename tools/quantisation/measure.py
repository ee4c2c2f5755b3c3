#!/usr/bin/env python3
"""Measures the rules on quantisation: faults that they find, and what they say of files without one.

usage: tools/quantisation/measure.py PROGRAM MODEL.onnx... [--each N] [--list]

Every MODEL is a quantised ONNX file in the QDQ form. Each kind of fault is put into a copy of it, at up to N places (2),
one fault per file; a fault counts as told if a finding on quantisation names one of the nodes that it concerns. Findings
on the MODELs themselves are printed one by one: each is either a real fault of the file or a false alarm.
"""
from __future__ import annotations

import argparse
import collections
import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator

import numpy as np
import onnx
from onnx import numpy_helper

QUOTED = re.compile(r"`([^`]+)`")
RULES = ("quantisation-parameter", "quantised-bias", "quantisation-pair", "partly-quantised")
LAYERS = ("Conv", "ConvTranspose", "Gemm", "MatMul")
Array = np.ndarray


class Editor:
    """A copy of a model in which one fault is made."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = copy.deepcopy(model)
        self.graph = self.model.graph
        self.made = {output: node for node in self.graph.node for output in node.output}
        self.stored = {tensor.name: tensor for tensor in self.graph.initializer}

    def numbers(self, name: str) -> Array:
        return numpy_helper.to_array(self.stored[name])

    def put(self, node: onnx.NodeProto, index: int, numbers: Array) -> None:
        """Gives one input of one node other numbers, and leaves other readers of the tensor alone."""
        name = f"{node.name or node.output[0]}_changed_{index}"
        self.graph.initializer.append(numpy_helper.from_array(numbers, name))
        node.input[index] = name

    def readers(self, value: str) -> list[onnx.NodeProto]:
        return [node for node in self.graph.node if value in node.input]

    def dequantiser(self, value: str) -> onnx.NodeProto | None:
        node = self.made.get(value)
        return node if node is not None and node.op_type == "DequantizeLinear" else None

    def of_type(self, *types: str) -> Iterator[onnx.NodeProto]:
        return (node for node in self.graph.node if node.op_type in types)

    def weights(self) -> Iterator[tuple[onnx.NodeProto, onnx.NodeProto]]:
        """Layers, and what dequantises their weights."""
        for layer in self.of_type(*LAYERS):
            node = self.dequantiser(layer.input[1])
            if node is not None and node.input[0] in self.stored:
                yield layer, node

    def biases(self) -> Iterator[tuple[onnx.NodeProto, onnx.NodeProto]]:
        for layer in self.of_type("Conv", "ConvTranspose", "Gemm"):
            node = self.dequantiser(layer.input[2]) if len(layer.input) > 2 else None
            inputs_are = self.dequantiser(layer.input[0]) is not None
            if node is not None and inputs_are and self.stored[node.input[0]].data_type == onnx.TensorProto.INT32:
                yield layer, node

    def activations(self) -> Iterator[tuple[onnx.NodeProto, onnx.NodeProto]]:
        """Pairs of Q and DQ on what the model computes."""
        for node in self.of_type("QuantizeLinear"):
            for reader in self.readers(node.output[0]):
                if reader.op_type == "DequantizeLinear" and node.input[0] not in self.stored:
                    yield node, reader


Concerned = list[onnx.NodeProto]
Fault = Callable[[Editor, int], "Concerned | None"]


def nth(items: Iterator[tuple[onnx.NodeProto, onnx.NodeProto]], place: int) -> tuple[onnx.NodeProto, onnx.NodeProto] | None:
    found = list(items)
    return found[(place * 7 + 3) % len(found)] if found else None


def of_weight_scale(change: Callable[[Array], Array]) -> Fault:
    def make(editor: Editor, place: int) -> Concerned | None:
        found = nth(editor.weights(), place)
        if found is None:
            return None
        editor.put(found[1], 1, change(editor.numbers(found[1].input[1])))
        return list(found)
    return make


def of_activation_scale(change: Callable[[Array], Array]) -> Fault:
    def make(editor: Editor, place: int) -> Concerned | None:
        found = nth(editor.activations(), place)
        if found is None:
            return None
        numbers = change(editor.numbers(found[0].input[1]))
        for node in found:
            editor.put(node, 1, numbers)
        return list(found)
    return make


def first_becomes(value: float) -> Callable[[Array], Array]:
    def change(numbers: Array) -> Array:
        changed = numbers.copy()
        changed.reshape(-1)[0] = value
        return changed
    return change


def negated(numbers: Array) -> Array:
    changed = numbers.copy()
    changed.reshape(-1)[0] *= -1
    return changed


def bias_scale_doubled(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.biases(), place)
    if found is None:
        return None
    editor.put(found[1], 1, editor.numbers(found[1].input[1]) * np.float32(2))
    return list(found)


def bias_scale_doubled_and_halved(editor: Editor, place: int) -> Concerned | None:
    found = bias_scale_doubled(editor, place)
    if found is not None:
        editor.put(found[1], 0, editor.numbers(found[1].input[0]) // 2)
    return found


def bias_zero_point(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.biases(), place)
    if found is None:
        return None
    shape = editor.numbers(found[1].input[1]).shape
    while len(found[1].input) < 3:
        found[1].input.append("")
    editor.put(found[1], 2, np.full(shape, 40, np.int32))
    return list(found)


def bias_saturated(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.biases(), place)
    if found is None:
        return None
    numbers = editor.numbers(found[1].input[0]).copy()
    numbers[0] = np.iinfo(np.int32).max
    editor.put(found[1], 0, numbers)
    return list(found)


def bias_not_dequantised(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.biases(), place)
    if found is None:
        return None
    found[0].input[2] = found[1].input[0]
    return list(found)


def weight_zero_point(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.weights(), place)
    if found is None or len(found[1].input) < 3 or editor.stored[found[1].input[2]].data_type != onnx.TensorProto.INT8:
        return None
    all_zero = all(not editor.numbers(node.input[2]).any() for _, node in editor.weights() if len(node.input) > 2)
    if not all_zero or len(list(editor.weights())) < 2:
        return None  # where other weights have zero points, or there are none, one more is no fault
    editor.put(found[1], 2, np.full(editor.numbers(found[1].input[2]).shape, 5, np.int8))
    return list(found)


def per_channel(editor: Editor) -> Iterator[tuple[onnx.NodeProto, onnx.NodeProto]]:
    return ((layer, node) for layer, node in editor.weights() if editor.numbers(node.input[1]).size > 1)


def wrong_axis(editor: Editor, place: int) -> Concerned | None:
    found = nth(per_channel(editor), place)
    if found is None:
        return None
    rank = len(editor.stored[found[1].input[0]].dims) if found[1].input[0] in editor.stored else 2
    for attribute in found[1].attribute:
        if attribute.name == "axis":
            attribute.i = 0 if attribute.i % rank != 0 else 1
    return list(found)


def count_short(editor: Editor, place: int) -> Concerned | None:
    found = nth(per_channel(editor), place)
    if found is None:
        return None
    for index in (1, 2):
        if index < len(found[1].input):
            editor.put(found[1], index, editor.numbers(found[1].input[index])[:-1].copy())
    return list(found)


def pair_scale(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.activations(), place)
    if found is None:
        return None
    editor.put(found[1], 1, (editor.numbers(found[1].input[1]) * np.float32(1.1)).astype(np.float32))
    return list(found)


def pair_zero_point(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.activations(), place)
    if found is None or len(found[1].input) < 3:
        return None
    numbers = editor.numbers(found[1].input[2])
    moved = numbers.astype(np.int32) + (7 if numbers.max() < 100 else -7)
    editor.put(found[1], 2, moved.astype(numbers.dtype))
    return list(found)


def other_dtype(found: tuple[onnx.NodeProto, onnx.NodeProto] | None, editor: Editor) -> Concerned | None:
    if found is None or len(found[1].input) < 3:
        return None
    numbers = editor.numbers(found[1].input[2])
    dtype = np.uint8 if numbers.dtype == np.int8 else np.int8
    editor.put(found[1], 2, np.zeros(numbers.shape, dtype))
    return list(found)


def activation_zero_point_dtype(editor: Editor, place: int) -> Concerned | None:
    return other_dtype(nth(editor.activations(), place), editor)


def weight_zero_point_dtype(editor: Editor, place: int) -> Concerned | None:
    return other_dtype(nth(editor.weights(), place), editor)


def zero_point_missing(editor: Editor, place: int) -> Concerned | None:
    pairs = (pair for pair in editor.activations() if len(pair[1].input) > 2 and editor.numbers(pair[1].input[2]).any())
    found = nth(pairs, place)
    if found is None:
        return None
    del found[1].input[2]
    return list(found)


def dequantiser_bypassed(editor: Editor, place: int) -> Concerned | None:
    places = []
    for layer in editor.of_type("Conv", "Gemm", "MatMul", "Add", "Mul"):
        for index in range(min(2, len(layer.input))):
            node = editor.dequantiser(layer.input[index])
            quantiser = editor.made.get(node.input[0]) if node is not None else None
            others = [name for k, name in enumerate(layer.input) if k != index and editor.dequantiser(name) is not None]
            if node is not None and quantiser is not None and quantiser.op_type == "QuantizeLinear" and others:
                places.append((layer, node, index, quantiser.input[0]))
    if not places:
        return None
    layer, node, index, value = places[(place * 7 + 3) % len(places)]
    layer.input[index] = value
    return [layer, node]


def rounded_twice(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.activations(), place)
    if found is None:
        return None
    quantiser, dequantiser = found
    result = dequantiser.output[0]
    second = onnx.helper.make_node("QuantizeLinear", [result, quantiser.input[1], *quantiser.input[2:]], ["twice_q"],
                                   "twice_quantise")
    third = onnx.helper.make_node("DequantizeLinear", ["twice_q", quantiser.input[1], *quantiser.input[2:]], ["twice"],
                                  "twice_dequantise")
    for reader in editor.readers(result):
        for index, name in enumerate(reader.input):
            if name == result:
                reader.input[index] = "twice"
    at = list(editor.graph.node).index(dequantiser) + 1
    for offset, node in enumerate((second, third)):
        editor.graph.node.insert(at + offset, node)
    numbers = (editor.numbers(quantiser.input[1]) * np.float32(1.3)).astype(np.float32)
    inserted = [editor.graph.node[at], editor.graph.node[at + 1]]
    for node in inserted:
        editor.put(node, 1, numbers)
    return [quantiser, dequantiser, *inserted]


def vector_of_one(editor: Editor, place: int) -> Concerned | None:
    places = []
    for node in editor.of_type("Add", "Mul"):
        readers = editor.readers(node.output[0])
        if len(readers) == 1 and readers[0].op_type == "QuantizeLinear" and all(map(editor.dequantiser, node.input)):
            places.append((node, readers[0]))
    found = nth(iter(places), place)
    if found is None:
        return None
    for index in range(1, len(found[1].input)):
        editor.put(found[1], index, editor.numbers(found[1].input[index]).reshape(1))
    return list(found)


def vector_on_activation(editor: Editor, place: int) -> Concerned | None:
    found = nth(editor.activations(), place)
    if found is None:
        return None
    if any(editor.numbers(name).size != 1 for node in found for name in node.input[1:]):  # NNCF has them by channel before depthwise layers
        return None
    for node in found:
        for index in range(1, len(node.input)):
            editor.put(node, index, np.repeat(editor.numbers(node.input[index]).reshape(1), 5))
    return list(found)


SMALL = float(np.float32(1e-40))
FAULTS: dict[str, Fault] = {
    "bias scale doubled": bias_scale_doubled,
    "bias scale doubled, numbers halved": bias_scale_doubled_and_halved,
    "bias with a zero point": bias_zero_point,
    "bias saturated": bias_saturated,
    "bias not dequantised": bias_not_dequantised,
    "weights with a zero point": weight_zero_point,
    "wrong axis": wrong_axis,
    "a scale too few": count_short,
    "weight scale zero": of_weight_scale(first_becomes(0.0)),
    "weight scale negative": of_weight_scale(negated),
    "weight scale NaN": of_weight_scale(first_becomes(float("nan"))),
    "weight scale infinite": of_weight_scale(first_becomes(float("inf"))),
    "weight scale subnormal": of_weight_scale(first_becomes(SMALL)),
    "activation scale zero": of_activation_scale(first_becomes(0.0)),
    "activation scale negative": of_activation_scale(negated),
    "activation scale NaN": of_activation_scale(first_becomes(float("nan"))),
    "activation scale infinite": of_activation_scale(first_becomes(float("inf"))),
    "activation scale subnormal": of_activation_scale(first_becomes(SMALL)),
    "pair with two scales": pair_scale,
    "pair with two zero points": pair_zero_point,
    "dtype of an activation's zero point": activation_zero_point_dtype,
    "dtype of a weight's zero point": weight_zero_point_dtype,
    "zero point missing": zero_point_missing,
    "dequantiser bypassed": dequantiser_bypassed,
    "rounded twice": rounded_twice,
    "vector of one scale at Add or Mul": vector_of_one,
    "vector on an activation": vector_on_activation,
}


def findings_of(program: str, files: list[pathlib.Path]) -> dict[str, list[str]]:
    """What the rules say of each file, as text with the names of nodes in it."""
    said: dict[str, list[str]] = {}
    for start in range(0, len(files), 40):
        names = [str(file) for file in files[start:start + 40]]
        run = subprocess.run([program, "check", "--select", ",".join(RULES), "--output-format", "json", *names],
                             capture_output=True, text=True, check=False)
        if not run.stdout.startswith("{"):
            sys.exit(f"{program} failed ({run.returncode}): {run.stderr.strip()}")
        for model in json.loads(run.stdout)["models"]:
            said[model["path"]] = [f"{each['rule']}: {each['message']} ({'; '.join(each['notes'])})"
                                   for each in model["findings"]]
    return said


def names_of(concerned: Concerned) -> list[str]:
    return [f"`{name}`" for node in concerned for name in ([node.name] if node.name else list(node.output))]


def is_so(text: str, model: onnx.ModelProto) -> bool:
    """Whether a scale that the finding calls infinite or NaN is: quantisers write such for masks of -inf."""
    stored = {each.name: each for each in model.graph.initializer}
    named = [stored[name] for name in QUOTED.findall(text) if name in stored]
    return text.startswith("quantisation-parameter: scale ") and any(not np.isfinite(numpy_helper.to_array(each)).all() for each in named)


def measure(program: str, models: list[pathlib.Path], each: int, listed: bool) -> tuple[int, int, int]:
    """Prints how many faults of each kind are told, and what is said of the models as they are.

    Returns the faults told, those made, and the models as they are of which something is said that is not so.
    """
    told: collections.Counter[str] = collections.Counter()
    made: collections.Counter[str] = collections.Counter()
    blamed = 0
    for path in models:
        model = onnx.load(path, load_external_data=False)
        with tempfile.TemporaryDirectory() as folder:
            cases: list[tuple[pathlib.Path, str, list[str]]] = []
            for kind, fault in FAULTS.items():
                for place in range(each):
                    editor = Editor(model)
                    try:
                        concerned = fault(editor, place)
                    except (KeyError, onnx.checker.ValidationError):  # what it would change is not stored, or stored elsewhere
                        continue
                    if concerned is None:
                        continue
                    file = pathlib.Path(folder) / f"{len(cases)}.onnx"
                    onnx.save(editor.model, file)
                    cases.append((file, kind, names_of(concerned)))
            before = findings_of(program, [path]).get(str(path), [])
            said = findings_of(program, [file for file, _, _ in cases])
        blamed += not all(is_so(text, model) for text in before)
        for text in before:
            print(f"unchanged {path.name}, {'as' if is_so(text, model) else 'not'} it says: {text}")
        for file, kind, names in cases:
            made[kind] += 1
            new = [text for text in said.get(str(file), []) if text not in before]
            if any(name in text for text in new for name in names):
                told[kind] += 1
            elif listed:
                print(f"missed in {path.name}: {kind} at {', '.join(names)}; said: {new}")
    for kind in FAULTS:
        if made[kind]:
            print(f"{told[kind]:5} of {made[kind]:4}  {kind}")
    total = sum(made.values())
    print(f"{sum(told.values()):5} of {total:4}  told with the right node: {sum(told.values()) / max(total, 1):.3f}")
    return sum(told.values()), total, blamed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--each", type=int, default=2, help="places for each kind of fault in each model")
    parser.add_argument("--list", action="store_true", help="print every fault that was missed")
    options = parser.parse_args()
    measure(options.program, options.models, options.each, options.list)
    return 0


if __name__ == "__main__":
    sys.exit(main())
