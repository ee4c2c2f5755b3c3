"""Copies of files of other exporters, each with one fault as conversions make them: in positions, masks, caches, heads, tables, sizes."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

from files import Pair, leaving_out

HOPS = 6  # between the node that is wrong and one that is taken for it: views and casts of its result


class Copy:
    """An ONNX file that is changed; remembers which nodes no longer compute what they did."""

    def __init__(self, file: Path) -> None:
        self.model = onnx.load(file)
        self.graph = self.model.graph
        self.wrong: list[onnx.NodeProto] = []
        self.made = 0

    # -- looking

    def node(self, name: str, kind: str = "") -> onnx.NodeProto:
        return next(each for each in self.graph.node if re.search(name, each.name) and each.op_type.startswith(kind))

    def readers(self, value: str) -> list[onnx.NodeProto]:
        return [each for each in self.graph.node if value in each.input]

    def maker(self, value: str) -> onnx.NodeProto:
        return next(each for each in self.graph.node if value in each.output)

    # -- changing

    def constant(self, numbers: object, dtype: object = np.int64) -> str:
        self.made += 1
        self.graph.initializer.append(numpy_helper.from_array(np.array(numbers, dtype=dtype), f"fault_constant_{self.made}"))
        return f"fault_constant_{self.made}"

    def op(self, before: onnx.NodeProto, kind: str, *inputs: str, **attributes: object) -> str:
        self.made += 1
        made = helper.make_node(kind, list(inputs), [f"fault_{self.made}"], name=f"fault_{self.made}", **attributes)
        self.graph.node.insert(list(self.graph.node).index(before), made)
        return f"fault_{self.made}"

    def read(self, node: onnx.NodeProto, place: int, value: str) -> None:
        node.input[place] = value
        self.wrong.append(node)

    def read_everywhere(self, value: str, make: Callable[[onnx.NodeProto], str]) -> None:
        """Whoever read a value reads what is made of it."""
        nodes = self.readers(value)
        other = make(nodes[0])
        for node in nodes:
            for place, name in enumerate(node.input):
                if name == value:
                    self.read(node, place, other)

    def weight(self, name: str, change: Callable[[np.ndarray], np.ndarray]) -> None:
        for each in self.graph.initializer:
            if re.search(name, each.name) or any(re.search(name, node.name) and each.name in node.input for node in self.graph.node):
                changed = change(numpy_helper.to_array(each).copy())
                each.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(changed), each.name))
                self.wrong += self.readers(each.name)
                return
        for node in self.graph.node:
            if node.op_type == "Constant" and (re.search(name, node.name) or any(re.search(name, r.name) for r in self.readers(node.output[0]))):
                old = next(each for each in node.attribute if each.name == "value")
                changed = np.asarray(change(numpy_helper.to_array(old.t).copy()))
                old.t.CopyFrom(numpy_helper.from_array(changed))
                self.wrong += self.readers(node.output[0])
                return
        raise KeyError(name)

    def output(self, name: str, make: Callable[[str], str]) -> None:
        """An output is what is made of it; the model itself goes on with the right one."""
        node = self.maker(name)
        inner = name + "_right"
        node.output[list(node.output).index(name)] = inner
        for reader in self.readers(name):
            for place, value in enumerate(reader.input):
                if value == name:
                    reader.input[place] = inner
        last = make(inner)
        self.graph.node.append(helper.make_node("Identity", [last], [name], name=name + "_wrong"))
        self.wrong.append(node)

    def last_op(self, kind: str, *inputs: str, **attributes: object) -> str:
        self.made += 1
        self.graph.node.append(helper.make_node(kind, list(inputs), [f"fault_{self.made}"], name=f"fault_{self.made}", **attributes))
        return f"fault_{self.made}"

    def where(self) -> str:
        """The names of what is wrong, and of what follows at once."""
        names, open_ = set(), [(node, 0) for node in self.wrong]
        while open_:
            node, hops = open_.pop()
            if node.name in names or hops > HOPS or node.name.startswith("fault_"):
                continue
            names |= {node.name, *node.output}
            if hops and node.op_type in {"MatMul", "Gemm", "Conv", "Softmax"}:
                continue
            open_ += [(reader, hops + 1) for value in node.output for reader in self.readers(value)]
        return "^(" + "|".join(re.escape(each) for each in sorted(names)) + ")$"


def ones(value: str) -> Callable[[Copy], None]:
    def fault(copy: Copy) -> None:
        zero, one = copy.constant(0), copy.constant(1)
        copy.read_everywhere(value, lambda at: copy.op(at, "Add", copy.op(at, "Mul", value, zero), one))
    return fault


def times(value: str, factor: float, dtype: object = np.int64) -> Callable[[Copy], None]:
    return lambda copy: copy.read_everywhere(value, lambda at: copy.op(at, "Mul", value, copy.constant(factor, dtype)))


def plus(value: str, number: int) -> Callable[[Copy], None]:
    return lambda copy: copy.read_everywhere(value, lambda at: copy.op(at, "Add", value, copy.constant(number)))


def at_most(value: str, number: float, dtype: object = np.int64) -> Callable[[Copy], None]:
    return lambda copy: copy.read_everywhere(value, lambda at: copy.op(at, "Min", value, copy.constant(number, dtype)))


def positions_from_zero(copy: Copy) -> None:
    first = copy.constant([0])
    copy.read_everywhere("position_ids", lambda at: copy.op(at, "Sub", "position_ids", copy.op(at, "Gather", "position_ids", first, axis=1)))


def mask_from_its_sum(copy: Copy) -> None:
    """As of padding on the right, wherever it is."""
    def make(at: onnx.NodeProto) -> str:
        mask = "attention_mask"
        length = copy.op(at, "ReduceSum", mask, copy.constant([1]), keepdims=1)
        place = copy.op(at, "CumSum", copy.op(at, "Add", copy.op(at, "Mul", mask, copy.constant(0)), copy.constant(1)), copy.constant(1, np.int64))
        return copy.op(at, "Cast", copy.op(at, "LessOrEqual", place, length), to=onnx.TensorProto.INT64)
    copy.read_everywhere("attention_mask", make)


def first_row_for_all(value: str) -> Callable[[Copy], None]:
    def make(copy: Copy) -> Callable[[onnx.NodeProto], str]:
        return lambda at: copy.op(at, "Expand", copy.op(at, "Gather", value, copy.constant([0]), axis=0), copy.op(at, "Shape", value))
    return lambda copy: copy.read_everywhere(value, make(copy))


def frozen_past(copy: Copy) -> None:
    """The length of the past, as it was in the example."""
    for shape in copy.readers("past_key_values.0.key"):
        if shape.op_type != "Shape":
            continue
        for gather in copy.readers(shape.output[0]):
            frozen = copy.constant(5)
            for node in copy.readers(gather.output[0]):
                for place, value in enumerate(node.input):
                    if value == gather.output[0]:
                        copy.read(node, place, frozen)
            return
    raise KeyError("past")


def stale(name: str, past: str) -> Callable[[Copy], None]:
    """New elements are not written: zeros stand in their place."""
    def fault(copy: Copy) -> None:
        def make(right: str) -> str:
            long = copy.last_op("Slice", right, copy.last_op("Shape", past, start=2, end=3), copy.constant([10000]), copy.constant([2]))
            return copy.last_op("Concat", past, copy.last_op("Mul", long, copy.constant(0, np.float32)), axis=2)
        copy.output(name, make)
    return fault


def swapped_outputs(first: str, second: str) -> Callable[[Copy], None]:
    def fault(copy: Copy) -> None:
        copy.output(first, lambda right: right)
        copy.output(second, lambda right: right)
        one, other = (next(each for each in copy.graph.node if each.name == f"{name}_wrong") for name in (first, second))
        one.input[0], other.input[0] = other.input[0], one.input[0]
    return fault


def other_input(value: str, instead: str) -> Callable[[Copy], None]:
    return lambda copy: copy.read_everywhere(value, lambda _: instead)


def turned_concat(name: str) -> Callable[[Copy], None]:
    def fault(copy: Copy) -> None:
        node = copy.node(name, "Concat") if name.startswith("/") else copy.maker(name)
        first, second = node.input[0], node.input[1]
        node.input[0], node.input[1] = second, first
        copy.wrong.append(node)
    return fault


def bypassed(name: str, place: int = 0, kind: str = "") -> Callable[[Copy], None]:
    """An op gives back one of its operands."""
    def fault(copy: Copy) -> None:
        node = copy.node(name, kind)
        value = node.input[place]
        node.CopyFrom(helper.make_node("Identity", [value], list(node.output), name=node.name))
        copy.wrong.append(node)
    return fault


def another_op(name: str, old: str, new: str, **attributes: object) -> Callable[[Copy], None]:
    def fault(copy: Copy) -> None:
        node = copy.node(name, old)
        node.CopyFrom(helper.make_node(new, list(node.input), list(node.output), name=node.name, **attributes))
        copy.wrong.append(node)
    return fault


def weight(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Copy], None]:
    return lambda copy: copy.weight(name, change)


def row(number: int) -> Callable[[np.ndarray], np.ndarray]:
    def change(table: np.ndarray) -> np.ndarray:
        table[number] = table[number - 1]
        return table
    return change


def column(number: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda table: row(number)(table.T).T


def heads_swapped(size: int) -> Callable[[np.ndarray], np.ndarray]:
    def change(table: np.ndarray) -> np.ndarray:
        order = np.arange(table.shape[-1])
        order[: 2 * size] = np.roll(order[: 2 * size], size)
        return table[..., order]
    return change


def off_by_one(name: str) -> Callable[[Copy], None]:
    """Each element sees the one after it, too."""
    def fault(copy: Copy) -> None:
        node = copy.node(name, "LessOrEqual")
        copy.read(node, 1, copy.op(node, "Add", node.input[1], copy.constant(1)))
    return fault


def last_alone(name: str, axis: int) -> Callable[[Copy], None]:
    """The result of the last element, for all."""
    def fault(copy: Copy) -> None:
        copy.output(name, lambda right: copy.last_op(
            "Expand", copy.last_op("Gather", right, copy.constant([-1]), axis=axis), copy.last_op("Shape", right)))
    return fault


def from_input(output: int, value: str) -> Callable[[Copy], None]:
    return lambda copy: copy.output(copy.graph.output[output].name, lambda _: value)


def channels_turned(value: str) -> Callable[[Copy], None]:
    return lambda copy: copy.read_everywhere(value, lambda at: copy.op(at, "Gather", value, copy.constant([2, 1, 0]), axis=1))


def first_element_for_all(value: str, axis: int) -> Callable[[Copy], None]:
    return lambda copy: copy.read_everywhere(value, lambda at: copy.op(
        at, "Expand", copy.op(at, "Gather", value, copy.constant([0]), axis=axis), copy.op(at, "Shape", value)))


def batch_of_one(name: str) -> Callable[[Copy], None]:
    """A size of the example is left in a reshape."""
    def fault(copy: Copy) -> None:
        node = copy.node(name, "Reshape")
        copy.read(node, 1, copy.constant([1, -1, 4, 16]))
    return fault


def less(number: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda old: (old * number).astype(old.dtype)


ATTENTION, SECOND = r"layers\.0/self_attn", r"layers\.1/"
FAULTS: list[tuple[str, str, Callable[[Copy], None]]] = [
    ("the mask is ignored", "llama/model", ones("attention_mask")),
    ("the mask is ignored", "gpt2/model", ones("attention_mask")),
    ("the mask is ignored", "bert/model", ones("attention_mask")),
    ("the mask is ignored", "distilbert/model", ones("attention_mask")),
    ("the mask is ignored", "t5/encoder_model", ones("attention_mask")),
    ("the encoder's mask is ignored", "bart/decoder_with_past_model", ones("encoder_attention_mask")),
    ("the encoder's mask is ignored", "t5/decoder_model", ones("encoder_attention_mask")),
    ("padding on the left is taken for the right", "llama/model", mask_from_its_sum),
    ("padding on the left is taken for the right", "qwen2/model", mask_from_its_sum),
    ("one row's mask for all", "mistral/model", first_row_for_all("attention_mask")),
    ("one row's mask for all", "bert/model", first_row_for_all("attention_mask")),
    ("positions begin at zero", "llama/model", positions_from_zero),
    ("positions begin at zero", "gpt2/model", positions_from_zero),
    ("positions begin at zero", "phi/model", positions_from_zero),
    ("positions are off by one", "gpt2/model", plus("position_ids", 1)),
    ("positions are off by one", "qwen3/model", plus("position_ids", 1)),
    ("one row's positions for all", "gpt2/model", first_row_for_all("position_ids")),
    ("positions end at 8", "gpt2/model", at_most("position_ids", 8)),
    ("positions end at 8", "gemma2/model", at_most("position_ids", 8)),
    ("a frozen past length", "llama/model", frozen_past),
    ("a frozen past length", "qwen2/model", frozen_past),
    ("a frozen past length", "gpt2/model", frozen_past),
    ("a cache is not updated", "llama/model", stale("present.1.value", "past_key_values.1.value")),
    ("a cache is not updated", "gpt2/model", stale("present.0.key", "past_key_values.0.key")),
    ("caches of two layers are swapped", "llama/model", swapped_outputs("present.0.key", "present.1.key")),
    ("keys for values", "mistral/model", swapped_outputs("present.0.key", "present.0.value")),
    ("a layer reads the cache of another", "qwen2/model", other_input("past_key_values.1.value", "past_key_values.0.value")),
    ("a layer reads the cache of another", "bart/decoder_with_past_model",
     other_input("past_key_values.1.encoder.key", "past_key_values.0.encoder.key")),
    ("new elements before the old", "llama/model", turned_concat("present.1.key")),
    ("new elements before the old", "opt/model", turned_concat("present.0.value")),
    ("scale of attention", "llama/model", weight(ATTENTION + "/Mul_8$", less(1.05))),
    ("softmax along another axis", "llama/model", another_op(ATTENTION + "/Softmax", "Softmax", "Softmax", axis=-2)),
    ("softmax along another axis", "bert/model", another_op("layer.1/attention", "Softmax", "Softmax", axis=-2)),
    ("a residual is missing", "llama/model", bypassed(r"layers\.0/Add$", 1, "Add")),
    ("a residual is missing", "vit/model", bypassed(r"layer\.1/Add$", 1, "Add")),
    ("a norm's weight is missing", "llama/model", weight(r"^model.layers.1.post_attention_layernorm.weight", np.ones_like)),
    ("a norm is missing", "mistral/model", bypassed(r"layers\.1/post_attention_layernorm/Mul$", 0, "Mul")),
    ("one row of the embedding", "llama/model", weight("embed_tokens", row(137))),
    ("one row of the embedding", "bert/model", weight("word_embeddings", row(137))),
    ("one row of the embedding", "t5/encoder_model", weight("shared|embed_tokens", row(137))),
    ("one row of the embedding", "whisper/decoder_model", weight("embed_tokens", row(137))),
    ("one column of the scores", "llama/model", weight("lm_head", column(137))),
    ("large tokens are clipped", "qwen3/model", at_most("input_ids", 127)),
    ("heads are swapped", "llama/model", weight(ATTENTION + "/q_proj/MatMul", heads_swapped(16))),
    ("heads are swapped", "bert/model", weight("layer.1/attention/self/key/MatMul", heads_swapped(16))),
    ("key heads are swapped", "qwen2/model", weight(ATTENTION + "/k_proj/MatMul", heads_swapped(16))),
    ("rotary base", "llama/model", weight("rotary_emb/Expand$", lambda old: (old ** 1.1).astype(old.dtype))),
    ("rotary base", "gpt_neox/model", weight("rotary_emb/Expand$", lambda old: (old ** 1.1).astype(old.dtype))),
    ("rotation the other way", "mistral/model", turned_concat(f"/model/{ATTENTION}/Concat_3$")),
    ("another activation", "llama/model", another_op(r"layers\.1/mlp/act_fn/Sigmoid", "Sigmoid", "HardSigmoid")),
    ("another activation", "gpt2/model", another_op(r"h\.1/mlp/act/Tanh", "Tanh", "Softsign")),
    ("the causal mask is off by one", "llama/model", off_by_one("model/LessOrEqual")),
    ("the causal mask is off by one", "qwen3/model", off_by_one("model/LessOrEqual")),
    ("the last element's result for all", "llama/model", last_alone("logits", 1)),
    ("token types are ignored", "bert/model", times("token_type_ids", 0)),
    ("one row of token types", "bert/model", weight("token_type_embeddings", row(1))),
    ("one row of positions", "bert/model", weight("position_embeddings", row(5))),
    ("one row of positions", "vit/model", weight("position_embeddings|embeddings/Add", lambda old: np.roll(old, 1, -2))),
    ("one bucket of relative positions", "t5/encoder_model", weight("relative_attention_bias", row(3))),
    ("channels in another order", "vit/model", channels_turned("pixel_values")),
    ("channels in another order", "clip/model", channels_turned("pixel_values")),
    ("bright values are clipped", "vit/model", at_most("pixel_values", 2.5, np.float32)),
    ("sound is clipped", "wav2vec2/model", at_most("input_values", 3, np.float32)),
    ("a bias is missing", "wav2vec2/model", weight(r"layers\.1\.attention\.q_proj\.bias|layers\.1/attention/q_proj/Add", np.zeros_like)),
    ("a size of the example is baked in", "llama/model", batch_of_one(ATTENTION + "/Reshape$")),
    ("a size of the example is baked in", "bert/model", batch_of_one("layer.0/attention/self/Reshape$")),
    ("soft caps are missing", "gemma2/model", bypassed(r"model/Tanh|^/Tanh|lm_head/Tanh|Tanh$", 0, "Tanh")),
    ("alibi slopes", "bloom/model", weight("transformer/Mul(_[0-9]+)?$", less(0.5))),
    ("the first text alone", "clip/model", first_row_for_all("input_ids")),
    ("encoder's result of another row", "whisper/decoder_model", first_row_for_all("encoder_hidden_states")),
    ("the last element is cut", "whisper/encoder_model", bypassed(r"encoder/layer_norm/Add_1|layer_norm/LayerNorm|layers\.1/Add_1", 0)),
]
PROGRAMS: list[tuple[str, str, Callable[[Copy], None]]] = [
    ("the time step is ignored", "unet.old", times("timestep", 0)),
    ("the prompt is ignored", "unet.old", times("encoder_hidden_states", 0, np.float32)),
    ("the first word for all", "unet.new", first_element_for_all("encoder_hidden_states", 1)),
    ("joints are ignored", "policy.old", times("observation_state", 0, np.float32)),
    ("channels in another order", "policy.new", channels_turned("observation_image")),
    ("the first picture for all", "policy.old", first_row_for_all("observation_image")),
    ("state is not updated", "controller.old", from_input(1, "past_hidden")),
    ("the past is ignored", "controller.new", times("past_hidden", 0, np.float32)),
    ("the mask is ignored", "bert.old", ones("attention_mask")),
    ("one row of the embedding", "bert.new", weight("word_embeddings", row(137))),
]


def faulty(folder: Path) -> Iterator[Pair]:
    """Each copy against the file that it is made from, those of PyTorch's exporters against the program."""
    for fault, file, change in FAULTS + PROGRAMS:
        name = f"{fault}, {file}"
        with leaving_out(name):
            program = (fault, file, change) in PROGRAMS
            source = folder.parent / ("programs" if program else "optimum") / f"{file}.onnx"
            copy = Copy(source)
            change(copy)
            target = folder / (re.sub(r"[^a-z0-9.]+", "-", name) + ".onnx")
            onnx.save(copy.model, target)
            reference = source.with_name(file.split(".")[0] + ".pt2") if program else source
            yield Pair(name, "faults", reference, target, fault=fault, where=copy.where())
