"""Faults of quantised models: each is made in a copy of a model in the QDQ form, and says which nodes it concerns."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

import numpy as np
import onnx
from onnx import numpy_helper

Array = np.ndarray
Pair = tuple[onnx.NodeProto, onnx.NodeProto]
Concerned = list[onnx.NodeProto]
Fault = Callable[["Editor"], "Concerned | None"]
LAYERS = ("Conv", "ConvTranspose", "Gemm", "MatMul")


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

    def change(self, node: onnx.NodeProto, index: int, change: Callable[[Array], Array]) -> None:
        self.put(node, index, change(self.numbers(node.input[index])))

    def readers(self, value: str) -> list[onnx.NodeProto]:
        return [node for node in self.graph.node if value in node.input]

    def dequantiser(self, value: str) -> onnx.NodeProto | None:
        node = self.made.get(value)
        return node if node is not None and node.op_type == "DequantizeLinear" else None

    def of_type(self, *types: str) -> Iterator[onnx.NodeProto]:
        return (node for node in self.graph.node if node.op_type in types)


Places = Callable[[Editor], Iterator[Pair]]


def weights(editor: Editor) -> Iterator[Pair]:
    """Layers, and what dequantises their weights."""
    for layer in editor.of_type(*LAYERS):
        node = editor.dequantiser(layer.input[1])
        if node is not None and node.input[0] in editor.stored:
            yield layer, node


def weights_by_channel(editor: Editor) -> Iterator[Pair]:
    return (pair for pair in weights(editor) if editor.numbers(pair[1].input[1]).size > 1)


def biases(editor: Editor) -> Iterator[Pair]:
    for layer in editor.of_type("Conv", "ConvTranspose", "Gemm"):
        node = editor.dequantiser(layer.input[2]) if len(layer.input) > 2 else None
        inputs_are = editor.dequantiser(layer.input[0]) is not None
        if node is not None and inputs_are and editor.stored[node.input[0]].data_type == onnx.TensorProto.INT32:
            yield layer, node


def activations(editor: Editor) -> Iterator[Pair]:
    """Pairs of Q and DQ on what the model computes."""
    for node in editor.of_type("QuantizeLinear"):
        for reader in editor.readers(node.output[0]):
            if reader.op_type == "DequantizeLinear" and node.input[0] not in editor.stored:
                yield node, reader


def quantised_results(editor: Editor) -> Iterator[Pair]:
    """An Add or Mul of dequantised values, and what alone quantises its result."""
    for node in editor.of_type("Add", "Mul"):
        readers = editor.readers(node.output[0])
        if len(readers) == 1 and readers[0].op_type == "QuantizeLinear" and all(map(editor.dequantiser, node.input)):
            yield node, readers[0]


def fault_at(places: Places, make: Callable[[Editor, onnx.NodeProto, onnx.NodeProto], bool | Concerned | None]) -> Fault:
    """What `make` does at one of the places: False if nothing can be done there, or further nodes that it concerns."""

    def fault(editor: Editor) -> Concerned | None:
        found = list(places(editor))
        if not found:
            return None
        pair = found[3 % len(found)]
        more = make(editor, *pair)
        return None if more is False else [*pair, *(more if isinstance(more, list) else [])]

    return fault


def of_weight_scale(change: Callable[[Array], Array]) -> Fault:
    return fault_at(weights, lambda editor, _, node: editor.change(node, 1, change))


def of_activation_scale(change: Callable[[Array], Array]) -> Fault:
    def make(editor: Editor, *pair: onnx.NodeProto) -> None:
        for node in pair:
            editor.change(node, 1, change)

    return fault_at(activations, make)


def first_becomes(value: float) -> Callable[[Array], Array]:
    def change(numbers: Array) -> Array:
        changed = numbers.copy()
        changed.reshape(-1)[0] = value
        return changed

    return change


def negated(numbers: Array) -> Array:
    return first_becomes(-numbers.reshape(-1)[0])(numbers)


def scaled(factor: float) -> Callable[[Array], Array]:
    return lambda numbers: (numbers * np.float32(factor)).astype(np.float32)


def bias_scale_doubled(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> None:
    editor.change(node, 1, scaled(2))


def bias_scale_doubled_and_halved(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> None:
    editor.change(node, 1, scaled(2))
    editor.change(node, 0, lambda numbers: numbers // 2)


def bias_zero_point(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> None:
    shape = editor.numbers(node.input[1]).shape
    node.input.extend([""] * (3 - len(node.input)))
    editor.put(node, 2, np.full(shape, 40, np.int32))


def bias_not_dequantised(_: Editor, layer: onnx.NodeProto, node: onnx.NodeProto) -> None:
    layer.input[2] = node.input[0]


def weight_zero_point(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> bool:
    if len(node.input) < 3 or editor.stored[node.input[2]].data_type != onnx.TensorProto.INT8:
        return False
    all_zero = all(not editor.numbers(each.input[2]).any() for _, each in weights(editor) if len(each.input) > 2)
    if not all_zero or len(list(weights(editor))) < 2:
        return False  # where other weights have zero points, or there are none, one more is no fault
    editor.change(node, 2, lambda numbers: np.full(numbers.shape, 5, np.int8))
    return True


def wrong_axis(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> None:
    rank = len(editor.stored[node.input[0]].dims)
    for attribute in node.attribute:
        if attribute.name == "axis":
            attribute.i = 0 if attribute.i % rank != 0 else 1


def count_short(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> None:
    for index in range(1, min(3, len(node.input))):
        editor.change(node, index, lambda numbers: numbers[:-1].copy())


def pair_zero_point(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> bool:
    if len(node.input) < 3:
        return False
    editor.change(node, 2, lambda numbers: (numbers.astype(np.int32) + (7 if numbers.max() < 100 else -7)).astype(numbers.dtype))
    return True


def zero_point_dtype(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> bool:
    if len(node.input) < 3:
        return False
    editor.change(node, 2, lambda numbers: np.zeros(numbers.shape, np.uint8 if numbers.dtype == np.int8 else np.int8))
    return True


def zero_point_missing(editor: Editor, _: onnx.NodeProto, node: onnx.NodeProto) -> bool:
    if len(node.input) < 3 or not editor.numbers(node.input[2]).any():
        return False
    del node.input[2]
    return True


def dequantiser_bypassed(editor: Editor) -> Concerned | None:
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
    layer, node, index, value = places[3 % len(places)]
    layer.input[index] = value
    return [layer, node]


def rounded_twice(editor: Editor, quantiser: onnx.NodeProto, dequantiser: onnx.NodeProto) -> Concerned:
    result = dequantiser.output[0]
    for reader in editor.readers(result):
        for index, name in enumerate(reader.input):
            if name == result:
                reader.input[index] = "twice"
    at = list(editor.graph.node).index(dequantiser) + 1
    steps = (("QuantizeLinear", result, "twice_q", "twice_quantise"), ("DequantizeLinear", "twice_q", "twice", "twice_dequantise"))
    for offset, (kind, read, made, name) in enumerate(steps):
        editor.graph.node.insert(at + offset, onnx.helper.make_node(kind, [read, *quantiser.input[1:]], [made], name))
    inserted = [editor.graph.node[at], editor.graph.node[at + 1]]
    for node in inserted:
        editor.change(node, 1, scaled(1.3))
    return inserted


def vector_of_one(editor: Editor, _: onnx.NodeProto, quantiser: onnx.NodeProto) -> None:
    for index in range(1, len(quantiser.input)):
        editor.change(quantiser, index, lambda numbers: numbers.reshape(1))


def vector_on_activation(editor: Editor, *pair: onnx.NodeProto) -> None:
    for node in pair:
        for index in range(1, len(node.input)):
            editor.change(node, index, lambda numbers: np.repeat(numbers.reshape(1), 5))


SMALL = float(np.float32(1e-40))
BAD_SCALES = {
    "zero": first_becomes(0.0),
    "negative": negated,
    "NaN": first_becomes(float("nan")),
    "infinite": first_becomes(float("inf")),
    "subnormal": first_becomes(SMALL),
}
FAULTS: dict[str, Fault] = {
    "bias scale doubled": fault_at(biases, bias_scale_doubled),
    "bias scale doubled, numbers halved": fault_at(biases, bias_scale_doubled_and_halved),
    "bias with a zero point": fault_at(biases, bias_zero_point),
    "bias saturated": fault_at(biases, lambda editor, _, node: editor.change(node, 0, first_becomes(np.iinfo(np.int32).max))),
    "bias not dequantised": fault_at(biases, bias_not_dequantised),
    "weights with a zero point": fault_at(weights, weight_zero_point),
    "wrong axis": fault_at(weights_by_channel, wrong_axis),
    "a scale too few": fault_at(weights_by_channel, count_short),
    **{f"weight scale {kind}": of_weight_scale(change) for kind, change in BAD_SCALES.items()},
    **{f"activation scale {kind}": of_activation_scale(change) for kind, change in BAD_SCALES.items()},
    "pair with two scales": fault_at(activations, lambda editor, _, node: editor.change(node, 1, scaled(1.1))),
    "pair with two zero points": fault_at(activations, pair_zero_point),
    "dtype of an activation's zero point": fault_at(activations, zero_point_dtype),
    "dtype of a weight's zero point": fault_at(weights, zero_point_dtype),
    "zero point missing": fault_at(activations, zero_point_missing),
    "dequantiser bypassed": dequantiser_bypassed,
    "rounded twice": fault_at(activations, rounded_twice),
    "vector of one scale at Add or Mul": fault_at(quantised_results, vector_of_one),
    "vector on an activation": fault_at(activations, vector_on_activation),
}


def names_of(concerned: Concerned) -> list[str]:
    return [f"`{name}`" for node in concerned for name in ([node.name] if node.name else list(node.output))]
