"""Which module of the file is a class of torch.nn, and with which arguments.

The name of its class is a claim. It counts where the code of the file, with what the file stores put in, is the one operator
which that class runs, on the module's own tensors, with constants that follow from the arguments.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


@dataclass(frozen=True)
class Own:
    """A tensor of the module itself."""

    name: str


@dataclass(frozen=True)
class Argument:
    """What the module is called with."""

    position: int


Shapes = Mapping[str, Sequence[int]]


def _same(values: Any) -> Any:
    """One number for several that are equal, as people write it."""
    if not isinstance(values, tuple | list):
        return values
    return values[0] if values and all(value == values[0] for value in values) else tuple(values)


def _is_transposed(given: Given) -> bool:
    return bool(given.get("transposed")) or ("output_padding" in given and "transposed" not in given)


def _channels(given: Given, shapes: Shapes) -> tuple[int, int]:
    """In and out."""
    first, second = shapes["weight"][0], shapes["weight"][1] * given["groups"]
    return (first, second) if _is_transposed(given) else (second, first)


def _stride(given: Given, shapes: Shapes) -> Any:
    """That of a pool is as large as its kernel where none is given."""
    stride = _same(given["stride"]) if given["stride"] else None
    return None if stride == _same(given.get("kernel_size")) else stride


def _normalized_shape(given: Given, shapes: Shapes) -> Any:
    sizes = given["normalized_shape"]
    return sizes[0] if len(sizes) == 1 else tuple(sizes)


def _scale(given: Given, shapes: Shapes) -> Any:
    return _same(given["scale_factors"]) if given["output_size"] is None else None


PARAMETERS: Mapping[str, Callable[[Given, Shapes], Any]] = {
    "in_channels": lambda given, shapes: _channels(given, shapes)[0],
    "out_channels": lambda given, shapes: _channels(given, shapes)[1],
    "kernel_size": lambda given, shapes: _same(given["kernel_size"] if "kernel_size" in given else shapes["weight"][2:]),
    "stride": _stride,
    "padding": lambda given, shapes: _same(given["pad"] if "pad" in given else given["padding"]),
    "num_features": lambda given, shapes: shapes["running_mean" if "running_mean" in shapes else "weight"][0],
    "num_channels": lambda given, shapes: shapes["weight"][0],
    "in_features": lambda given, shapes: shapes["weight"][1],
    "out_features": lambda given, shapes: shapes["weight"][0],
    "num_embeddings": lambda given, shapes: shapes["weight"][0],
    "embedding_dim": lambda given, shapes: shapes["weight"][1],
    "padding_idx": lambda given, shapes: given["padding_idx"] if given["padding_idx"] >= 0 else None,
    "normalized_shape": _normalized_shape,
    "affine": lambda given, shapes: given["weight"] is not None,
    "elementwise_affine": lambda given, shapes: given["weight"] is not None,
    "bias": lambda given, shapes: given["bias"] is not None or ("normalized_shape" in given and given["weight"] is None),
    "size": lambda given, shapes: _same(given["output_size"]),
    "scale_factor": _scale,
    "align_corners": lambda given, shapes: True if given.get("align_corners") else None,
}
"""Arguments of the classes that are not an operand of that name, and what they follow from."""
DIMENSIONS = (1, 2, 3)
CLASSES: Mapping[str, Sequence[str]] = {
    **{f"Conv{n}d": (f"conv{n}d", "_convolution") for n in DIMENSIONS},
    **{f"ConvTranspose{n}d": (f"conv_transpose{n}d", "_convolution") for n in DIMENSIONS},
    **{f"BatchNorm{n}d": ("batch_norm",) for n in DIMENSIONS},
    **{f"MaxPool{n}d": (f"max_pool{n}d",) for n in DIMENSIONS},
    **{f"AvgPool{n}d": (f"avg_pool{n}d",) for n in DIMENSIONS},
    **{f"AdaptiveAvgPool{n}d": (f"adaptive_avg_pool{n}d",) for n in DIMENSIONS},
    **{f"Dropout{n}d": ("feature_dropout",) for n in DIMENSIONS},
    **{f"ConstantPad{n}d": ("pad", "constant_pad_nd") for n in DIMENSIONS},
    **{f"ZeroPad{n}d": ("pad", "constant_pad_nd") for n in DIMENSIONS},
    **{f"ReflectionPad{n}d": ("pad", f"reflection_pad{n}d") for n in DIMENSIONS},
    **{f"ReplicationPad{n}d": ("pad", f"replication_pad{n}d") for n in DIMENSIONS},
    "Linear": ("linear",),
    "LayerNorm": ("layer_norm",),
    "GroupNorm": ("group_norm",),
    "Embedding": ("embedding",),
    "ReLU": ("relu", "relu_"),
    "ReLU6": ("hardtanh", "hardtanh_", "relu6", "relu6_"),
    "Hardtanh": ("hardtanh",),
    "Sigmoid": ("sigmoid",),
    "Tanh": ("tanh",),
    "SiLU": ("silu", "silu_"),
    "Mish": ("mish", "mish_"),
    "GELU": ("gelu",),
    "Hardswish": ("hardswish", "hardswish_"),
    "Hardsigmoid": ("hardsigmoid", "hardsigmoid_"),
    "LeakyReLU": ("leaky_relu", "leaky_relu_"),
    "ELU": ("elu", "elu_"),
    "SELU": ("selu",),
    "CELU": ("celu",),
    "Softplus": ("softplus",),
    "LogSigmoid": ("log_sigmoid",),
    "Hardshrink": ("hardshrink",),
    "Softshrink": ("softshrink",),
    "Softmax": ("softmax",),
    "LogSoftmax": ("log_softmax",),
    "Dropout": ("dropout",),
    "Flatten": ("flatten",),
    "Identity": (),
    "PixelShuffle": ("pixel_shuffle",),
    "PixelUnshuffle": ("pixel_unshuffle",),
    "ChannelShuffle": ("channel_shuffle",),
    "Upsample": tuple(f"upsample_{mode}" for mode in "nearest1d nearest2d nearest3d linear1d bilinear2d bicubic2d trilinear3d".split()),
}
"""The operators that each runs: in a way of its own, or in place."""
NO_TRAINING = ("train", "training")
FIXED: Mapping[str, Mapping[str, Any]] = {
    "hardtanh of ReLU6": {"min_val": 0.0, "max_val": 6.0},
    "hardtanh_ of ReLU6": {"min_val": 0.0, "max_val": 6.0},
    "softmax": {"dtype": None},
    "log_softmax": {"dtype": None},
    "elu": {"scale": 1, "input_scale": 1},
    "elu_": {"scale": 1, "input_scale": 1},
}
"""Operands that the class has no argument for, and what it passes."""
PADDING_MODES = {"ReflectionPad": "reflect", "ReplicationPad": "replicate", "ZeroPad": "constant", "ConstantPad": "constant"}


def _arguments(names: Iterable[str], given: Given, shapes: Shapes) -> Iterator[tuple[str, Any]]:
    """Those of a constructor that show in what its module runs; the others are left at what the class makes of them."""
    for name in names:
        if name in PARAMETERS:
            yield name, PARAMETERS[name](given, shapes)
        elif name in given:
            yield name, _same(given[name])


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

    def __init__(self, document: Document, constant: Callable[[Tensor], Any], read: Callable[[bytes], Any]) -> None:
        import torch

        self._torch: Any = torch
        self._document = document
        self._constant = constant
        self._as_torch = AsTorch(document, read)
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
            arguments = self._as_torch.arguments(instance, methods)
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
        if operator not in CLASSES[short]:
            return None
        arguments = self._document.arguments(node)
        given = {one["name"]: self._operand(instance, value, function) for one, value in zip(arguments, node.inputs, strict=True)}
        if UNKNOWN in given.values() or not self._as_the_class_does(short, operator, given):
            return None
        given |= {"inplace": operator.endswith("_")} | ({"mode": operator[len("upsample_") : -len("2d")]} if short == "Upsample" else {})
        values = self._document.values(instance)
        shapes = {name: self._document.tensors[value.number]["shape"] for name, value in values.items() if isinstance(value, Tensor)}
        return Leaf(short, tuple(_arguments(self.defaults(short), given, shapes)))

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
