"""Which module of the file is a class of torch.nn, and with which arguments.

The name of its class is a claim. It counts where the code of the file, with what the file stores put in, is the one operator
which that class runs, on the module's own tensors, with constants that follow from the arguments.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._as_torch import AsTorch, parameters_of
from ._document import UNKNOWN, Document, Function, Instance, Node, RefusedError, Tensor, Value
from ._names import qualified
from ._simplify import SAME, behind_same, simplified
from ._variables import index


@dataclass(frozen=True)
class Leaf:
    """A module of torch.nn: the class, and its arguments by name in order."""

    cls: str
    arguments: tuple[tuple[str, Any], ...]
    inputs: int = 1


Given = dict[str, Any]
Reader = Callable[[Given, "Shapes"], Any]


@dataclass(frozen=True)
class Own:
    """A tensor of the module itself."""

    name: str


@dataclass(frozen=True)
class Argument:
    """What the module is called with."""

    position: int


Shapes = Mapping[str, Sequence[int]]


def _same(values: Sequence[Any]) -> Any:
    """One number for several that are equal, as people write it."""
    return values[0] if values and all(value == values[0] for value in values) else tuple(values)


def _convolution(given: Given, shapes: Shapes) -> Given:
    weight = shapes["weight"]
    transposed = bool(given.get("transposed")) or ("output_padding" in given and "transposed" not in given)
    groups = given["groups"]
    first, second = weight[0], weight[1] * groups
    padding = given["padding"]
    found = {
        "in_channels": first if transposed else second,
        "out_channels": second if transposed else first,
        "kernel_size": _same(weight[2:]),
        "stride": _same(given["stride"]),
        "padding": padding if isinstance(padding, str) else _same(padding),
        "output_padding": _same(given["output_padding"]) if transposed else 0,
        "dilation": _same(given["dilation"]),
        "groups": groups,
        "bias": given["bias"] is not None,
    }
    return found if transposed else {name: value for name, value in found.items() if name != "output_padding"}


def _norm(given: Given, shapes: Shapes) -> Given:
    found: Given = {"num_features": shapes["running_mean"][0] if "running_mean" in shapes else shapes["weight"][0]}
    return found | _named(given, "eps", "momentum") | {"affine": given["weight"] is not None}


def _named(given: Given, *names: str) -> Given:
    return {name: given[name] for name in names if name in given}


def _layer_norm(given: Given, shapes: Shapes) -> Given:
    shape = given["normalized_shape"]
    found = {"normalized_shape": shape[0] if len(shape) == 1 else tuple(shape), **_named(given, "eps")}
    return {**found, "elementwise_affine": given["weight"] is not None, "bias": given["weight"] is None or given["bias"] is not None}


def _group_norm(given: Given, shapes: Shapes) -> Given:
    return {"num_groups": given["num_groups"], "num_channels": shapes["weight"][0], **_named(given, "eps")}


def _embedding(given: Given, shapes: Shapes) -> Given:
    weight = shapes["weight"]
    index = given["padding_idx"]
    return {"num_embeddings": weight[0], "embedding_dim": weight[1], "padding_idx": index if index >= 0 else None}


def _pool(given: Given, shapes: Shapes) -> Given:
    kernel, stride = _same(given["kernel_size"]), _same(given["stride"]) if given["stride"] else None
    found = {"kernel_size": kernel, "stride": None if stride == kernel else stride}
    found |= {name: _same(given[name]) for name in ("padding", "dilation") if name in given}
    return found | _named(given, "ceil_mode", "count_include_pad", "divisor_override")


def _adaptive(given: Given, shapes: Shapes) -> Given:
    return {"output_size": _same(given["output_size"])}


def _linear(given: Given, shapes: Shapes) -> Given:
    weight = shapes["weight"]
    return {"in_features": weight[1], "out_features": weight[0], "bias": given["bias"] is not None}


def _with(*names: str) -> Reader:
    """The arguments of these names."""

    def read(given: Given, shapes: Shapes) -> Given:
        return _named(given, *names)

    return read


def _renamed(**names: str) -> Reader:
    def read(given: Given, shapes: Shapes) -> Given:
        return {new: given[old] for new, old in names.items()}

    return read


def _dropout(given: Given, shapes: Shapes) -> Given:
    return {"p": given["p"]}


def _pad(given: Given, shapes: Shapes) -> Given:
    return {"padding": _same(given["pad"])}


def _upsample(mode: str) -> Reader:
    def read(given: Given, shapes: Shapes) -> Given:
        size, scale = given["output_size"], given["scale_factors"]
        found: Given = {"size": _same(size)} if size is not None else {"scale_factor": _same(scale)}
        return {**found, "mode": mode, "align_corners": True if given.get("align_corners") else None}

    return read


NO_TRAINING = ("train", "training")
PLAIN = _with()
_Row = tuple[str, Reader]
CLASSES: Mapping[str, Sequence[_Row]] = {
    **{f"Conv{n}d": ((f"conv{n}d", _convolution), ("_convolution", _convolution)) for n in (1, 2, 3)},
    **{f"ConvTranspose{n}d": ((f"conv_transpose{n}d", _convolution), ("_convolution", _convolution)) for n in (1, 2, 3)},
    **{f"BatchNorm{n}d": (("batch_norm", _norm),) for n in (1, 2, 3)},
    **{f"MaxPool{n}d": ((f"max_pool{n}d", _pool),) for n in (1, 2, 3)},
    **{f"AvgPool{n}d": ((f"avg_pool{n}d", _pool),) for n in (1, 2, 3)},
    **{f"AdaptiveAvgPool{n}d": ((f"adaptive_avg_pool{n}d", _adaptive),) for n in (1, 2, 3)},
    **{f"Dropout{n}d": (("feature_dropout", _dropout),) for n in (1, 2, 3)},
    **{
        f"ConstantPad{n}d": (("pad", _renamed(padding="pad", value="value")), ("constant_pad_nd", _renamed(padding="pad", value="value")))
        for n in (1, 2, 3)
    },
    **{f"ZeroPad{n}d": (("pad", _pad), ("constant_pad_nd", _pad)) for n in (1, 2, 3)},
    **{f"ReflectionPad{n}d": (("pad", _pad), (f"reflection_pad{n}d", _renamed(padding="padding"))) for n in (1, 2, 3)},
    **{f"ReplicationPad{n}d": (("pad", _pad), (f"replication_pad{n}d", _renamed(padding="padding"))) for n in (1, 2, 3)},
    "Linear": (("linear", _linear),),
    "LayerNorm": (("layer_norm", _layer_norm),),
    "GroupNorm": (("group_norm", _group_norm),),
    "Embedding": (("embedding", _embedding),),
    "ReLU": (("relu", PLAIN), ("relu_", PLAIN)),
    "ReLU6": (("hardtanh", PLAIN), ("hardtanh_", PLAIN), ("relu6", PLAIN), ("relu6_", PLAIN)),
    "Hardtanh": (("hardtanh", _with("min_val", "max_val")),),
    "Sigmoid": (("sigmoid", PLAIN),),
    "Tanh": (("tanh", PLAIN),),
    "SiLU": (("silu", PLAIN), ("silu_", PLAIN)),
    "Mish": (("mish", PLAIN), ("mish_", PLAIN)),
    "GELU": (("gelu", _with("approximate")),),
    "Hardswish": (("hardswish", PLAIN), ("hardswish_", PLAIN)),
    "Hardsigmoid": (("hardsigmoid", PLAIN), ("hardsigmoid_", PLAIN)),
    "LeakyReLU": (("leaky_relu", _with("negative_slope")), ("leaky_relu_", _with("negative_slope"))),
    "ELU": (("elu", _with("alpha")), ("elu_", _with("alpha"))),
    "SELU": (("selu", PLAIN),),
    "CELU": (("celu", _with("alpha")),),
    "Softplus": (("softplus", _with("beta", "threshold")),),
    "LogSigmoid": (("log_sigmoid", PLAIN),),
    "Hardshrink": (("hardshrink", _with("lambd")),),
    "Softshrink": (("softshrink", _with("lambd")),),
    "Softmax": (("softmax", _with("dim")),),
    "LogSoftmax": (("log_softmax", _with("dim")),),
    "Dropout": (("dropout", _dropout),),
    "Flatten": (("flatten", _with("start_dim", "end_dim")),),
    "Identity": (),
    "PixelShuffle": (("pixel_shuffle", _with("upscale_factor")),),
    "PixelUnshuffle": (("pixel_unshuffle", _with("downscale_factor")),),
    "ChannelShuffle": (("channel_shuffle", _with("groups")),),
    "Upsample": (
        ("upsample_nearest2d", _upsample("nearest")),
        ("upsample_bilinear2d", _upsample("bilinear")),
        ("upsample_nearest1d", _upsample("nearest")),
        ("upsample_nearest3d", _upsample("nearest")),
        ("upsample_bicubic2d", _upsample("bicubic")),
        ("upsample_linear1d", _upsample("linear")),
        ("upsample_trilinear3d", _upsample("trilinear")),
    ),
}
FIXED: Mapping[str, Mapping[str, Any]] = {
    "hardtanh of ReLU6": {"min_val": 0.0, "max_val": 6.0},
    "hardtanh_ of ReLU6": {"min_val": 0.0, "max_val": 6.0},
    "embedding": {"scale_grad_by_freq": False, "sparse": False},
    "softmax": {"dtype": None},
    "log_softmax": {"dtype": None},
    "elu": {"scale": 1, "input_scale": 1},
    "elu_": {"scale": 1, "input_scale": 1},
}
"""Operands that the class has no argument for, and what it passes."""
PADDING_MODES = {"ReflectionPad": "reflect", "ReplicationPad": "replicate", "ZeroPad": "constant", "ConstantPad": "constant"}


def _is_in_place(operator: str, name: str, value: Any) -> bool:
    """Whether an operand is what the class passes there: what it is called with, its own tensor of that name, or no training."""
    if name in ("input", "self") or (operator == "embedding" and name == "indices"):
        return isinstance(value, Argument)
    if name in NO_TRAINING:
        return value is False
    if name in ("weight", "bias", "running_mean", "running_var") and value is not None:
        return isinstance(value, Own) and value.name == name
    return not isinstance(value, Argument) and (not isinstance(value, Own) or value.name == name)


def _is_of_the_kind(short: str, operator: str, given: Given) -> bool:
    """Of operators that several classes run: whether they do what this one does."""
    if short.startswith("ConvTranspose"):
        return operator != "_convolution" or bool(given["transposed"])
    if short.startswith("Conv"):
        return not given.get("transposed") and not any(given.get("output_padding", ()))
    if short.startswith("ZeroPad") and given["value"] not in (None, 0):
        return False
    return operator != "pad" or given["mode"] == PADDING_MODES[short[: -len("2d")]]


class Leaves:
    """Finds the modules of torch.nn of a file. Needs torch, to hold what it finds against the class itself."""

    def __init__(self, document: Document, constant: Callable[[Tensor], Any], read: Callable[[bytes], Any] | None = None) -> None:
        import torch

        self._torch: Any = torch
        self._document = document
        self._constant = constant
        self._as_torch = AsTorch(document, read) if read is not None else None
        self._defaults: dict[str, dict[str, Any]] = {}
        self._known: dict[tuple[Any, ...], bool] = {}

    def defaults(self, cls: str) -> Mapping[str, Any]:
        """What the constructor of a class of torch.nn takes, and what it does where an argument is left out."""
        if cls not in self._defaults:
            parameters = parameters_of(getattr(self._torch.nn, cls))
            self._defaults[cls] = {name: parameter.default for name, parameter in parameters.items()}
        return self._defaults[cls]

    def leaf(self, instance: Instance, methods: Sequence[str]) -> Leaf | None:
        """The class of torch.nn that a module is, with its arguments; None if it is none, or not just that.

        methods: those of it that are called
        """
        name = qualified(self._document.class_of(instance))
        if not name.startswith("torch.nn.modules."):
            return None
        short = name.rpartition(".")[2]
        bodies = self._document.methods(self._document.class_of(instance))
        if not methods or any(method not in bodies for method in methods):
            return None
        if short not in CLASSES:
            arguments = self._as_torch.arguments(instance, methods) if self._as_torch is not None else None
            return None if arguments is None else Leaf(short, arguments)
        try:
            found = {self._of_method(instance, short, bodies[method]) for method in methods}
        except (RefusedError, KeyError, IndexError, TypeError, ValueError):
            return None
        leaf = found.pop()
        return leaf if not found and leaf is not None and self._fits(instance, leaf) else None

    def _of_method(self, instance: Instance, short: str, body: Mapping[str, Any]) -> Leaf | None:
        function = simplified(self._document, body, instance, leaf=True)
        index(function)
        nodes = [node for node in function.block.nodes if not self._is_quiet(node)]
        if not nodes:
            unchanged = function.block.outputs[0] in function.block.inputs[1:2]
            return Leaf(short, ()) if short == "Identity" and unchanged else None
        (node,) = nodes
        if node.blocks or len(node.outputs) != 1 or behind_same(function.block.outputs[0]) is not node.out or len(function.block.inputs) != 2:
            return None
        return self._of_operator(instance, short, node, function)

    def _is_quiet(self, node: Node) -> bool:
        return node.kind in ("prim::Constant", "prim::GetAttr", "prim::ListConstruct") or node.kind in SAME

    def _of_operator(self, instance: Instance, short: str, node: Node, function: Function) -> Leaf | None:
        operator = node.kind.removeprefix("aten::")
        reader = dict(CLASSES[short]).get(operator)
        if reader is None:
            return None
        arguments = self._document.arguments(node)
        given = {one["name"]: self._operand(instance, value, function) for one, value in zip(arguments, node.inputs, strict=True)}
        if UNKNOWN in given.values() or not self._as_the_class_does(short, operator, given):
            return None
        values = self._document.values(instance)
        shapes = {name: self._document.tensors[value.number]["shape"] for name, value in values.items() if isinstance(value, Tensor)}
        found = dict(reader(given, shapes))
        if "inplace" in self.defaults(short):
            found["inplace"] = operator.endswith("_")
        return Leaf(short, tuple(found.items()))

    def _operand(self, instance: Instance, value: Value, function: Function) -> Any:
        value = behind_same(value)
        if value.known:
            return value.const if not isinstance(value.const, Tensor) else self._constant(value.const)
        if value is function.block.inputs[1]:
            return Argument(0)
        maker = value.maker
        if maker is None:
            return UNKNOWN
        if maker.kind == "prim::ListConstruct":
            items = [self._operand(instance, item, function) for item in maker.inputs]
            return UNKNOWN if any(item is UNKNOWN or isinstance(item, Own | Argument) for item in items) else items
        own = maker.kind == "prim::GetAttr" and maker.inputs[0] is function.block.inputs[0]
        return Own(maker.name) if own and isinstance(self._document.values(instance).get(maker.name), Tensor) else UNKNOWN

    def _as_the_class_does(self, short: str, operator: str, given: Given) -> bool:
        """Whether the operands are in their places, and those without an argument of the class are what it passes."""
        fixed = {**FIXED.get(operator, {}), **FIXED.get(f"{operator} of {short}", {})}
        return (
            all(_is_in_place(operator, name, value) for name, value in given.items())
            and all(given.get(name, value) == value for name, value in fixed.items())
            and _is_of_the_kind(short, operator, given)
        )

    def _fits(self, instance: Instance, leaf: Leaf) -> bool:
        """Whether the class, made with these arguments, has the tensors of the module and no others."""
        values = self._document.values(instance)
        stored = {name: self._document.tensors[value.number] for name, value in values.items() if isinstance(value, Tensor)}
        if any(isinstance(value, Instance) for value in values.values()):
            return False
        expected = tuple(sorted((name, tuple(tensor.get("shape", ()))) for name, tensor in stored.items()))
        key = (leaf, expected)
        if key not in self._known:
            self._known[key] = False
            with contextlib.suppress(Exception), self._torch.device("meta"):
                module = getattr(self._torch.nn, leaf.cls)(**dict(leaf.arguments))
                state = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
                self._known[key] = tuple(sorted(state.items())) == expected
        return self._known[key]
