"""Forms of files whose attributes and sizes together make a runtime compute something else."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy
from onnx import ModelProto, TensorProto

from probe.forms import F, Form, model, node, stored, value

CHANNELS = 3
MOST_AXES = 4  # that are resized at once
RESIZED = (2, 3, 5, 4, 6)  # sizes that differ, since what reads beyond its data may be right where they are alike


def image(*shape: int) -> numpy.ndarray[Any, Any]:
    return numpy.random.default_rng(1).standard_normal(shape).astype(numpy.float32)


def of_transposed() -> Iterator[Form]:
    """Transposed convolutions that leave out a part of what they compute, of a size that is free."""

    def turned(kernel: int, free: int | None, **attributes: Any) -> ModelProto:
        sizes: list[int | str] = [1, CHANNELS, 8, 8]
        if free is not None:
            sizes[free] = "n"
        weights = stored("w", image(CHANNELS, 4, kernel, kernel))
        made = node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2], **attributes)
        return model([made], [value("x", F, sizes)], [value("y", F, ["a", "b", "c", "d"])], [weights], opset=11)

    given = {"x": image(1, CHANNELS, 8, 8)}
    for wanted in (15, 16):
        words = f"a transposed convolution to {wanted} of 17"
        cut = turned(3, 0, output_shape=[wanted, wanted])
        yield Form("deconvolution-cut", f"{words}, for any batch", cut, turned(3, None, output_shape=[wanted, wanted]), given)
        yield Form("deconvolution-cut", f"{words}, and to 17", turned(3, 0, output_shape=[17, wanted]), turned(3, 0, output_shape=[17, 17]), given)
    whole = {"output_shape": [16, 17]}
    yield Form("deconvolution-cut-open", "a transposed convolution to 16, of any image", turned(3, 2, **whole), turned(3, None, **whole), given)
    for same in ("SAME_UPPER", "SAME_LOWER"):
        for kernel in (3, 4, 5):
            words = f"a transposed convolution by {kernel} that is padded {same}"
            yield Form("deconvolution-cut", words, turned(kernel, 0, auto_pad=same), turned(2, 0, auto_pad=same), given)
        cut, even = (turned(4, 0, auto_pad=same, output_shape=[size, size]) for size in (15, 16))
        yield Form("deconvolution-cut", f"a transposed convolution to 15 of 18 that is padded {same}", cut, even, given)


def of_slopes() -> Iterator[Form]:
    """A list of slopes that fits the channels as well as the last axis."""

    def sloped(shape: tuple[int, ...], slopes: tuple[int, ...]) -> ModelProto:
        tensors = [stored("s", numpy.linspace(0.1, 0.9, CHANNELS).reshape(slopes))]
        return model([node("PRelu", ["x", "s"], ["y"])], [value("x", F, shape)], [value("y", F, shape)], tensors, opset=16)

    for shape in ((2, 3, 3), (2, 3, 4, 3), (2, 3, 3, 3), (2, 3, 2, 4, 3)):
        whole = (CHANNELS, *[1] * (len(shape) - 2))
        yield Form("slope-by-channel", f"slopes of {shape}", sloped(shape, (CHANNELS,)), sloped(shape, whole), {"x": image(*shape)})


def of_places() -> Iterator[Form]:
    """Places that are counted by columns, of images that are not square."""

    def pooled(order: int, shape: tuple[int, ...]) -> ModelProto:
        made = node("MaxPool", ["x"], ["y", "i"], kernel_shape=[2, 2], strides=[2, 2], storage_order=order)
        sizes = ["a", "b", "c", "d"]
        return model([made], [value("x", F, shape)], [value("y", F, sizes), value("i", TensorProto.INT64, sizes)], opset=12)

    for shape in ((1, 2, 6, 4), (1, 1, 4, 6), (2, 1, 2, 6)):
        yield Form("pool-places-turned", f"places by columns of {shape}", pooled(1, shape), pooled(0, shape), {"x": image(*shape)})


def of_resized_axes() -> Iterator[Form]:
    """Which axes are resized: the batch and the channels, too."""

    def resized(mode: str, factors: tuple[int, ...]) -> ModelProto:
        rank = len(factors)
        made = node("Resize", ["x", "", "k"], ["y"], mode=mode)
        tensors = [stored("k", factors)]
        return model([made], [value("x", F, RESIZED[:rank])], [value("y", F, list("abcde")[:rank])], tensors, opset=13)

    for mode, rank in itertools.product(("nearest", "linear", "cubic"), (3, 4, 5)):
        for factors in itertools.product((1, 2), repeat=rank):
            axes = [str(axis) for axis, factor in enumerate(factors) if factor > 1]
            if factors[:2] != (1, 1) and len(axes) <= MOST_AXES:
                kind = f"resized-{'-'.join(axes)}-of-{rank}-{mode}"
                last = (*[1] * (rank - 1), 2)
                yield Form(kind, f"{mode} by {factors}", resized(mode, factors), resized("nearest", last), {"x": image(*RESIZED[:rank])})


def of_resized_free_axes() -> Iterator[Form]:
    """Which axes are resized, of an image of any size."""
    for mode in ("linear", "cubic"):
        nodes = [node("Resize", ["x", "", "k"], ["y"], mode=mode)]
        whole, alone = (
            model(nodes, [value("x", F, [1, CHANNELS, "h", "w"])], [value("y", F, list("abcd"))], [stored("k", factors)], opset=13)
            for factors in ((1, 2, 2, 2), (1, 1, 2, 2))
        )
        yield Form(f"resized-1-2-3-of-4-{mode}", f"{mode} of the channels of an image of any size", whole, alone, {"x": image(1, CHANNELS, 5, 4)})


def size_forms() -> list[Form]:
    return [*of_transposed(), *of_slopes(), *of_places(), *of_resized_axes(), *of_resized_free_axes()]
