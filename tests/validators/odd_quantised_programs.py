"""Odd but valid exported programs on quantised numbers, as quantisers of PT2E write them.

What each has is written by a published quantiser: those of executorch's backends (XNNPACK: per channel, dynamic, 4 bits in 8; QNN: uint8 and
uint16 activations, int32 biases; Arm: int16 activations, several ops on one observer; Vulkan, Cadence: embeddings), Core ML's for PT2E, and
torchao's X86InductorQuantizer.
"""
from __future__ import annotations

import pathlib
import warnings
from collections.abc import Callable
from typing import Any

import torch
import torch.ao.quantization.fx._decomposed  # registers the operators
from torch import Tensor, nn

Q: Any = torch.ops.quantized_decomposed
RANGES = {torch.int8: (-128, 127), torch.uint8: (0, 255), torch.int16: (-32768, 32767), torch.uint16: (0, 65535), torch.int32: (-(2**31), 2**31 - 1)}


def pair(x: Tensor, scale: float = 0.05, zero: int = 0, dtype: torch.dtype = torch.int8, low: int | None = None, high: int | None = None) -> Any:
    least, most = RANGES[dtype]
    least, most = least if low is None else low, most if high is None else high
    return Q.dequantize_per_tensor(Q.quantize_per_tensor(x, scale, zero, least, most, dtype), scale, zero, least, most, dtype)


class Layer(nn.Module):
    """A linear layer on stored weights, between pairs of an activation's kind."""

    def __init__(self, work: Callable[[Any, Tensor], Any], axis: int = 0, dtype: torch.dtype = torch.int8, low: int = -127,
                 high: int = 127) -> None:
        super().__init__()
        self.work, self.axis, self.dtype, self.low, self.high = work, axis, dtype, low, high
        torch.manual_seed(0)
        self.register_buffer("w", torch.randint(low, high + 1, (8, 8)).to(dtype))
        self.register_buffer("conv", torch.randint(low, high + 1, (8, 8, 3, 3)).to(dtype))
        self.register_buffer("scales", torch.rand(8) * 0.02 + 0.01)
        self.register_buffer("zeros", torch.zeros(8, dtype=torch.int64))
        self.register_buffer("bias", torch.randint(-100, 100, (8,), dtype=torch.int32))
        self.register_buffer("scale", torch.tensor(0.05))
        self.register_buffer("zero", torch.tensor(3, dtype=torch.int64))
        self.register_buffer("table", torch.randint(-127, 128, (10, 8)).to(torch.int8))
        self.register_buffer("float_weight", torch.randn(8, 8))

    def weight(self, name: str = "w") -> Any:
        return Q.dequantize_per_channel(getattr(self, name), self.scales, self.zeros, self.axis, self.low, self.high, self.dtype)

    def forward(self, x: Tensor) -> Any:
        return self.work(self, x)


def linear(m: Any, x: Tensor) -> Any:
    return nn.functional.linear(x, m.weight())


def image(x: Tensor) -> Any:
    return x.reshape(1, 8, 2, 2).repeat(1, 1, 2, 2)


def with_pairs(dtype: torch.dtype, zero: int = 0, low: int | None = None, high: int | None = None) -> Layer:
    return Layer(lambda m, x: pair(linear(m, pair(x, 0.05, zero, dtype, low, high)), 0.1, zero, dtype, low, high))


def by_tensors(m: Any, x: Tensor) -> Any:
    q = Q.quantize_per_tensor.tensor(x, m.scale, m.zero, -128, 127, torch.int8)
    return linear(m, Q.dequantize_per_tensor.tensor(q, m.scale, m.zero, -128, 127, torch.int8))


def dynamic(m: Any, x: Tensor) -> Any:
    scale, zero = Q.choose_qparams.tensor(x, -128, 127, 1e-7, torch.int8)
    q = Q.quantize_per_tensor.tensor(x, scale, zero, -128, 127, torch.int8)
    return linear(m, Q.dequantize_per_tensor.tensor(q, scale, zero, -128, 127, torch.int8))


def dynamic_symmetric(m: Any, x: Tensor) -> Any:
    scale, zero = Q.choose_qparams_symmetric.tensor(x, -127, 127, 1e-7, torch.int8)
    q = Q.quantize_per_tensor.tensor(x, scale, zero, -127, 127, torch.int8)
    return linear(m, Q.dequantize_per_tensor.tensor(q, scale, zero, -127, 127, torch.int8))


def by_token(m: Any, x: Tensor) -> Any:
    scale, zero = Q.choose_qparams_per_token_asymmetric(x, torch.int8)
    q = Q.quantize_per_token(x, scale, zero, -128, 127, torch.int8)
    return linear(m, Q.dequantize_per_token(q, scale, zero, -128, 127, torch.int8, torch.float32))


def in_groups(m: Any, x: Tensor) -> Any:
    scales, zeros = m.scales.reshape(8, 1).repeat(1, 2), m.zeros.to(torch.int32).reshape(8, 1).repeat(1, 2)
    return nn.functional.linear(x, Q.dequantize_per_channel_group(m.w, scales, zeros, -8, 7, torch.int8, 4, torch.float32))


def weights_in_graph(m: Any, x: Tensor) -> Any:
    q = Q.quantize_per_channel(m.float_weight, m.scales, m.zeros, 0, -127, 127, torch.int8)
    return nn.functional.linear(pair(x), Q.dequantize_per_channel(q, m.scales, m.zeros, 0, -127, 127, torch.int8))


def int32_bias(m: Any, x: Tensor) -> Any:
    bias = Q.dequantize_per_channel(m.bias, m.scales * 0.05, m.zeros, 0, -(2**31), 2**31 - 1, torch.int32)
    return pair(nn.functional.linear(pair(x), m.weight(), bias), 0.1)


def shared_by_views(m: Any, x: Tensor) -> Any:
    return pair(pair(pair(pair(x).reshape(8, 4)).transpose(0, 1)).reshape(4, 8))


def joined(m: Any, x: Tensor) -> Any:
    return pair(torch.cat([pair(x), pair(linear(m, pair(x)))], 1))


def read_twice(m: Any, x: Tensor) -> Any:
    q = Q.quantize_per_tensor(x, 0.05, 0, -128, 127, torch.int8)
    one, other = (Q.dequantize_per_tensor(q, 0.05, 0, -128, 127, torch.int8) for _ in range(2))
    return linear(m, one) + linear(m, other)


def two_for_one(m: Any, x: Tensor) -> Any:
    return linear(m, pair(x, 0.05)) + pair(x, 0.1, 3)


def clamped_by_range(m: Any, x: Tensor) -> Any:
    return pair(torch.relu(linear(m, pair(x))), 0.02, -128)


def convolution(m: Any, x: Tensor) -> Any:
    return pair(nn.functional.conv2d(pair(image(x)), m.weight("conv"), None, 1, 1), 0.1)


def transposed(m: Any, x: Tensor) -> Any:
    return pair(nn.functional.conv_transpose2d(pair(image(x)), m.weight("conv")), 0.1)


def pooled(m: Any, x: Tensor) -> Any:
    return pair(nn.functional.adaptive_avg_pool2d(pair(image(x)), 1))


def from_table(m: Any, x: Tensor) -> Any:
    table = Q.dequantize_per_tensor(m.table, 0.02, 0, -127, 127, torch.int8)
    return linear(m, pair(nn.functional.embedding(x.argmax(1), table)))


def products(m: Any, x: Tensor) -> Any:
    return pair(torch.matmul(pair(x), pair(x, 0.05, 3, torch.uint8).transpose(0, 1)), 0.3)


def from_half(m: Any, x: Tensor) -> Any:
    q = Q.quantize_per_tensor(x.half().float(), 0.05, 0, -128, 127, torch.int8)
    return Q.dequantize_per_tensor(q, 0.05, 0, -128, 127, torch.int8).half()


def stored_result(m: Any, x: Tensor) -> Any:
    return Q.quantize_per_tensor(linear(m, pair(x)), 0.1, 0, -128, 127, torch.int8)


def mixed(m: Any, x: Tensor) -> Any:
    return pair(linear(m, pair(x, 0.001, 0, torch.int16)), 0.1, 128, torch.uint8)


def faked(m: Any, x: Tensor) -> Any:
    return linear(m, torch.fake_quantize_per_tensor_affine(x, 0.05, 0, -128, 127))


def in_a_branch(m: Any, x: Tensor) -> Any:
    return torch.cond(x.sum() > 0, pair, lambda y: pair(y, 0.1), (x,))


PROGRAMS: dict[str, Layer] = {
    "int8": with_pairs(torch.int8, 5), "uint8": with_pairs(torch.uint8, 128), "int16": with_pairs(torch.int16),
    "uint16": with_pairs(torch.uint16, 32768), "int32": with_pairs(torch.int32), "seven_bits": with_pairs(torch.uint8, 64, 0, 127),
    "four_bits_in_eight": with_pairs(torch.int8, 0, -8, 7), "narrow": with_pairs(torch.int8, 0, -127, 127),
    "zero_point_at_the_end": with_pairs(torch.int8, -128), "small_scale": Layer(lambda m, x: linear(m, pair(x, 1.1920928955078125e-07))),
    "weights_of_four_bits": Layer(lambda m, x: linear(m, pair(x)), 0, torch.int8, -8, 7), "weights_of_uint8": Layer(
        lambda m, x: linear(m, pair(x)), 0, torch.uint8, 0, 255), "weights_alone": Layer(linear), "by_tensors": Layer(by_tensors),
    "dynamic": Layer(dynamic), "dynamic_symmetric": Layer(dynamic_symmetric), "by_token": Layer(by_token),
    "in_groups": Layer(in_groups, 0, torch.int8, -8, 7), "weights_in_graph": Layer(weights_in_graph), "int32_bias": Layer(int32_bias),
    "shared_by_views": Layer(shared_by_views), "joined": Layer(joined), "read_twice": Layer(read_twice), "two_for_one": Layer(two_for_one),
    "clamped_by_range": Layer(clamped_by_range), "convolution": Layer(convolution), "transposed_convolution": Layer(transposed, 1),
    "pooled": Layer(pooled), "from_table": Layer(from_table), "products": Layer(products), "from_half": Layer(from_half),
    "stored_result": Layer(stored_result), "mixed": Layer(mixed), "faked": Layer(faked), "in_a_branch": Layer(in_a_branch),
}


def other_pair(scale: float, zero: int) -> Layer:
    """Quantised with one scale and zero point, and read with others."""

    def work(m: Any, x: Tensor) -> Any:
        q = Q.quantize_per_tensor(x, 0.05, 0, -128, 127, torch.int8)
        return linear(m, Q.dequantize_per_tensor(q, scale, zero, -128, 127, torch.int8))

    return Layer(work)


def with_scale(number: float) -> Layer:
    return Layer(lambda m, x: linear(m, pair(x, number)))


def with_scale_of_weights(number: float) -> Layer:
    layer = Layer(lambda m, x: linear(m, pair(x)))
    layer.state_dict()["scales"][2] = number
    return layer


NAN, INFINITY = float("nan"), float("inf")
FAULTS: dict[str, tuple[str, Layer]] = {
    **{f"scale_{each}": ("quantisation-parameter", with_scale(each)) for each in (0.0, -0.1, NAN, INFINITY)},
    **{f"weights_{each}": ("quantisation-parameter", with_scale_of_weights(each)) for each in (0.0, -0.1, 1e-40, NAN, INFINITY)},
    "two_scales": ("quantisation-pair", other_pair(0.06, 0)), "two_zero_points": ("quantisation-pair", other_pair(0.05, 7)),
    "rounded_twice": ("quantisation-pair", Layer(lambda m, x: linear(m, pair(pair(x), 0.06)))),
}


def write(folder: pathlib.Path, programs: dict[str, Layer]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, model in programs.items():
            torch.export.save(torch.export.export(model.eval(), (torch.randn(4, 8),), strict=False), folder / f"{name}.pt2")
