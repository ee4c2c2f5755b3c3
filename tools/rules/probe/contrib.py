"""Questions about operators of ONNX Runtime's own domain, com.microsoft, that its quantiser and its optimiser write into files. ONNX has no examples
of them; they are defined by what ONNX Runtime computes, so that is what is expected. Quantised values reach both ends of their range."""
from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy
import onnx
from onnx import AttributeProto, ModelProto, helper, numpy_helper

from probe.variations import MOST_BASES, Example, choices_of, with_attributes, with_constants, without_operands

DOMAIN = "com.microsoft"
OPSET = 21
SHAPES = {"vector": (1, 64), "map": (2, 4, 5, 6), "row": (1, 300), "square": (9, 9), "cube": (2, 5, 7)}
OF_WEIGHTS = {"rotary_embedding_dim", "num_heads", "kv_num_heads", "N", "K", "bits", "block_size"}  # the operands have other sizes then
EIGHT: tuple[Any, ...] = (numpy.int8, numpy.uint8)


@functools.cache
def schemas() -> dict[str, Any]:
    from onnxruntime.capi import onnxruntime_pybind11_state as runtime
    return {s.name: s for s in runtime.get_all_operator_schema() if s.domain == DOMAIN}


def know_schemas() -> None:
    """Gives ONNX the schemas that ONNX Runtime has for its domain."""
    kinds = onnx.defs.OpSchema.FormalParameterOption
    for name, schema in schemas().items():
        if onnx.defs.has(name, DOMAIN):
            continue
        attributes = []
        for each, a in schema.attributes.items():
            default = AttributeProto.FromString(a._default_value)
            if default.name:
                attributes.append(onnx.defs.OpSchema.Attribute(each, default, a.description))
            else:
                attributes.append(onnx.defs.OpSchema.Attribute(each, getattr(onnx.defs.OpSchema.AttrType, str(a.type).rpartition(".")[2]),
                                                               a.description, required=a.required))
        parameters = [[onnx.defs.OpSchema.FormalParameter(p.name, p.typeStr, "", param_option=getattr(kinds, str(p.option).rpartition(".")[2]),
                                                          is_homogeneous=p.isHomogeneous, min_arity=1)
                       for p in formal] for formal in (schema.inputs, schema.outputs)]
        constraints = [(c.type_param_str, list(c.allowed_type_strs), "") for c in schema.type_constraints]
        onnx.defs.register_schema(onnx.defs.OpSchema(name, DOMAIN, schema.since_version, inputs=parameters[0], outputs=parameters[1],
                                                     type_constraints=constraints, attributes=attributes))


def example(operator: str, what: str, inputs: dict[str, Any], constants: dict[str, Any], order: str = "", results: int = 1,
            **attributes: Any) -> Example:
    """`order`: the operands by name, a dash for one that is left out; else the inputs, then the constants. Results have no types yet."""
    names = ["" if each == "-" else each for each in order.split()] or [*inputs, *constants]
    node = helper.make_node(operator, names, [f"y{i}" for i in range(results)], domain=DOMAIN, **attributes)
    graph = helper.make_graph(
        [node], "contrib", [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for n, v in inputs.items()],
        [onnx.ValueInfoProto(name=name) for name in node.output], [numpy_helper.from_array(numpy.asarray(v), n) for n, v in constants.items()])
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(DOMAIN, 1)]
    return Example(f"{operator} {what}", helper.make_model(graph, opset_imports=opsets, ir_version=10), inputs)


def typed(encoded: bytes, outputs: list[Any]) -> bytes:
    """Declares results as they were computed."""
    model = ModelProto.FromString(encoded)
    for result, value in zip(model.graph.output, outputs, strict=True):
        result.CopyFrom(helper.make_tensor_value_info(result.name, helper.np_dtype_to_tensor_dtype(numpy.asarray(value).dtype), numpy.shape(value)))
    return bytes(model.SerializeToString(deterministic=True))


def numbers(*shape: int, dtype: Any = numpy.float32, seed: int = 0) -> Any:
    return numpy.random.default_rng([seed, *shape]).normal(0, 1, shape).astype(dtype)


def whole_range(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Any:
    """Both ends among them."""
    limits = numpy.iinfo(dtype)
    found = numpy.random.default_rng([seed, *shape]).integers(limits.min, limits.max, shape, endpoint=True).astype(dtype)
    found.flat[:2] = limits.min, limits.max
    return found


def middle(dtype: Any) -> Any:
    return dtype(128 if dtype == numpy.uint8 else 0)


def lowest(dtype: Any) -> Any:
    return dtype(numpy.iinfo(dtype).min)


def named(dtype: Any) -> str:
    return str(numpy.dtype(dtype).name)


def of_one_quantised() -> Iterator[Example]:
    """Scales such that results lie beyond both ends, and are clipped there: a range that calibration chose leaves some out."""
    for dtype, (size, shape) in itertools.product(EIGHT, SHAPES.items()):
        x, what = whole_range(shape, dtype), f"{named(dtype)} {size}"
        linear = {"xs": numpy.float32(0.05), "xz": middle(dtype), "ys": numpy.float32(0.02), "yz": middle(dtype)}
        unit = {"xs": numpy.float32(0.05), "xz": middle(dtype), "ys": numpy.float32(1 / 500), "yz": lowest(dtype)}
        yield example("QLinearSigmoid", what, {"x": x}, unit)
        yield example("QLinearLeakyRelu", what, {"x": x}, linear, alpha=0.1)
        yield example("QLinearSoftmax", what, {"x": x}, unit | {"xs": numpy.float32(1)}, axis=-1, opset=13)
        if size == "map":
            pads = [1, 1, 1, 1]
            others: dict[str, Any]
            for layout, others in (("", {}), (" padded", {"pads": pads}), (" counted", {"pads": pads, "count_include_pad": 1})):
                yield example("QLinearAveragePool", what + layout, {"x": x}, linear, kernel_shape=[2, 2], strides=[1, 1], **others)
            yield example("QLinearGlobalAveragePool", what, {"x": x}, linear | {"ys": numpy.float32(0.005)})


def of_two_quantised() -> Iterator[Example]:
    for dtype, (size, shape) in itertools.product(EIGHT, SHAPES.items()):
        a, b, what = whole_range(shape, dtype), whole_range(shape, dtype, 1), f"{named(dtype)} {size}"
        of_a, of_b = {"as": numpy.float32(0.05), "az": middle(dtype)}, {"bs": numpy.float32(0.04), "bz": dtype(middle(dtype) + 5)}
        for operator, scale in (("QLinearAdd", 0.05), ("QLinearMul", 0.12)):
            scales = {**of_a, **of_b, "cs": numpy.float32(scale), "cz": middle(dtype)}
            yield example(operator, what, {"a": a, "b": b}, scales, "a as az b bs bz cs cz")
            yield example(operator, what + " constant", {"a": a}, {"b": b, **scales}, "a as az b bs bz cs cz")
        scales = {**of_a, **of_b, "ys": numpy.float32(0.02), "yz": middle(dtype)}
        yield example("QLinearConcat", what, {"a": a, "b": b}, scales, "ys yz a as az b bs bz", axis=1)
        c = numpy.random.default_rng(0).integers(0, 2, shape).astype(bool)
        yield example("QLinearWhere", what, {"c": c, "a": a, "b": b}, scales, "c a as az b bs bz ys yz")


def of_quantised_products() -> Iterator[Example]:
    for dtype, weights, (rows, inner, columns) in itertools.product(EIGHT, EIGHT, ((4, 16, 8), (1, 64, 32), (16, 32, 4))):
        what = f"{named(dtype)} by {named(weights)} {rows}"
        a, b = whole_range((rows, inner), dtype), whole_range((inner, columns), weights)
        for each, scale in (("", numpy.float32(0.01)), (" per column", numpy.full(columns, 0.01, numpy.float32))):
            zero = numpy.full(numpy.shape(scale), middle(weights))
            of_b = {"b": b, "bs": scale, "bz": zero}
            scales: dict[str, Any] = {"as": numpy.float32(0.02), "az": middle(dtype), "ys": numpy.float32(0.05), "yz": middle(dtype)}
            scales["c"] = numpy.arange(columns, dtype=numpy.int32)
            yield example("QGemm", what + each, {"a": a}, {**scales, **of_b}, "a as az b bs bz c ys yz")
            for bias in (" bias", ""):
                more = {"c": numbers(columns)} if bias else {}
                yield example("MatMulIntegerToFloat", what + each + bias, {"a": a}, {"as": numpy.float32(0.02), "az": middle(dtype), **of_b, **more},
                              f"a b as bs az bz {'c' if bias else ''}")
                if dtype == numpy.uint8:
                    x = a.astype(numpy.float32) / 4  # which quantising leaves as it is
                    yield example("DynamicQuantizeMatMul", f"{named(weights)} {rows}{each}{bias}", {"x": x - 32}, {**of_b, **more},
                                  f"x b bs bz {'c' if bias else ''}")


def of_linear_quantisation() -> Iterator[Example]:
    for dtype, (size, shape) in itertools.product((*EIGHT, numpy.int16, numpy.uint16), SHAPES.items()):
        zero = dtype(numpy.iinfo(dtype).max // 2)
        scale = numpy.float32(6 / (int(numpy.iinfo(dtype).max) - int(numpy.iinfo(dtype).min)))
        yield example("QuantizeLinear", f"{named(dtype)} {size}", {"x": 2 * numbers(*shape)}, {"s": scale, "z": zero})
        yield example("DequantizeLinear", f"{named(dtype)} {size}", {"x": whole_range(shape, dtype)}, {"s": scale, "z": zero})


def of_activations() -> Iterator[Example]:
    for dtype, (size, shape) in itertools.product((numpy.float32, numpy.float16), SHAPES.items()):
        x, bias, what = 3 * numbers(*shape, dtype=dtype), numbers(shape[-1], dtype=dtype), f"{named(dtype)} {size}"
        yield example("Gelu", what, {"x": x}, {})
        yield example("QuickGelu", what, {"x": x}, {}, alpha=1.702)
        yield example("FastGelu", what, {"x": x}, {})
        yield example("FastGelu", what + " bias", {"x": x}, {"b": bias})
        yield example("BiasGelu", what, {"x": x}, {"b": bias})
        yield example("Trilu", what, {"x": numbers(4, 6, dtype=dtype)}, {"k": numpy.int64(1)})


def of_fused_products() -> Iterator[Example]:
    more: dict[str, Any]
    for number, (rows, inner, columns) in enumerate(((4, 16, 8), (1, 64, 32), (16, 32, 4))):
        a, b = numbers(rows, inner), numbers(inner, columns)
        for activation, more in (("Relu", {}), ("Tanh", {}), ("Sigmoid", {}), ("LeakyRelu", {"activation_alpha": 0.1}),
                                 ("HardSigmoid", {"activation_alpha": 0.2, "activation_beta": 0.4})):
            yield example("FusedGemm", f"{activation} {number}", {"a": a}, {"b": b, "c": numbers(columns)}, activation=activation, **more)
            x, w = numbers(1, 4, 8 + number, 8), numbers(6, 4, 3, 3)
            values: dict[str, Any] = {"activation_params": list(more.values())} if more else {}
            yield example("FusedConv", f"{activation} {number}", {"x": x}, {"w": w, "b": numbers(6)}, activation=activation, kernel_shape=[3, 3],
                          **values)
        yield example("FusedConv", f"sum {number}", {"x": x, "z": numbers(1, 6, 6 + number, 6)}, {"w": w, "b": numbers(6)}, "x w b z",
                      activation="Relu", kernel_shape=[3, 3])
        for flip_a, flip_b, alpha in itertools.product((0, 1), (0, 1), (1.0, 0.125)):
            batch = (2, 3)
            left = numbers(*batch, *((inner, rows) if flip_a else (rows, inner)))
            right = numbers(*batch, *((columns, inner) if flip_b else (inner, columns)))
            yield example("FusedMatMul", f"{number} {flip_a}{flip_b} by {int(8 * alpha)}", {"a": left, "b": right}, {}, transA=flip_a, transB=flip_b,
                          alpha=alpha)
        flipped = numbers(inner, 2, columns)
        yield example("FusedMatMul", f"{number} batch", {"a": numbers(2, rows, inner), "b": flipped}, {}, transBatchB=1)


def of_normalisations() -> Iterator[Example]:
    for dtype, (batch, length, width) in itertools.product((numpy.float32, numpy.float16), ((1, 4, 16), (2, 7, 32), (3, 1, 8))):
        what = f"{named(dtype)} {width}"
        x, skip = numbers(batch, length, width, dtype=dtype), numbers(batch, length, width, dtype=dtype, seed=1)
        weights = {"g": numbers(width, dtype=dtype, seed=2), "b": numbers(width, dtype=dtype, seed=3)}
        for name, given in (("SkipLayerNormalization", weights), ("SkipSimplifiedLayerNormalization", {"g": weights["g"]})):
            yield example(name, what, {"x": x, "s": skip}, given, epsilon=1e-5)
            yield example(name, what + " large epsilon", {"x": x, "s": skip}, given, epsilon=0.1)
            more = {**given, "c": numbers(width, dtype=dtype, seed=4)}
            yield example(name, what + " bias", {"x": x, "s": skip}, more, epsilon=1e-5)
            summed = example(name, what + " sum", {"x": x, "s": skip}, more, results=4, epsilon=1e-5)
            summed.node.output[1] = summed.node.output[2] = ""
            del summed.model.graph.output[1:3]
            yield summed
        rng = numpy.random.default_rng(width)
        tables = {"w": numbers(20, width, dtype=dtype), "p": numbers(16, width, dtype=dtype, seed=1), "t": numbers(2, width, dtype=dtype, seed=5),
                  **weights}
        ids = {"i": rng.integers(0, 20, (batch, length)).astype(numpy.int32), "s": rng.integers(0, 2, (batch, length)).astype(numpy.int32)}
        mask = {"m": (numpy.arange(length) < max(1, length - 1)).astype(numpy.int32) * numpy.ones((batch, 1), numpy.int32)}
        yield example("EmbedLayerNormalization", what, ids, tables, "i s w p t g b", results=2, epsilon=1e-5)
        yield example("EmbedLayerNormalization", what + " mask", ids | mask, tables, "i s w p t g b m", results=2, epsilon=1e-5)
        yield example("EmbedLayerNormalization", what + " no segments", {"i": ids["i"]}, tables, "i - w p - g b", results=2, epsilon=1e-5)
        yield example("EmbedLayerNormalization", what + " sum", ids, tables, "i s w p t g b", results=3, epsilon=1e-5)
        places = {"q": rng.integers(0, 16, (batch, length)).astype(numpy.int32)}
        yield example("EmbedLayerNormalization", what + " positions", ids | places, tables, "i s w p t g b - q", results=2, epsilon=1e-5)


HEADS = ((1, 5, 2, 16), (2, 8, 4, 16), (2, 3, 2, 32))  # batch, length, heads, width of a head


def of_attention() -> Iterator[Example]:
    for batch, length, heads, width in HEADS:
        size, what = heads * width, f"{heads} heads {length}"
        weights = {"w": numbers(size, 3 * size) / 4, "b": numbers(3 * size)}
        x = {"x": numbers(batch, length, size)}
        mask = (numpy.arange(length) < length - 1).astype(numpy.int32) * numpy.ones((batch, 1), numpy.int32)
        bias = numbers(batch, heads, length, length)
        yield example("Attention", what, x, weights, num_heads=heads)
        yield example("Attention", what + " scale", x, weights, num_heads=heads, scale=0.1)
        yield example("Attention", what + " causal", x, weights, num_heads=heads, unidirectional=1)
        yield example("Attention", what + " mask", x | {"m": mask}, weights, "x w b m", num_heads=heads)
        yield example("Attention", what + " lengths", x | {"m": mask.sum(1).astype(numpy.int32)}, weights, "x w b m", num_heads=heads)
        yield example("Attention", what + " bias", x | {"a": bias}, weights, "x w b - - a", num_heads=heads)
        yield example("Attention", what + " past", x | {"p": numbers(2, batch, heads, 3, width)}, weights, "x w b - p", results=2, num_heads=heads)
        qkv = {n: numbers(batch, length, size, seed=i) for i, n in enumerate("qkv")}
        yield example("MultiHeadAttention", what, qkv, {}, num_heads=heads)
        yield example("MultiHeadAttention", what + " projection bias", qkv, {"b": numbers(3 * size)}, num_heads=heads)
        yield example("MultiHeadAttention", what + " mask", qkv | {"m": mask}, {}, "q k v - m", num_heads=heads)
        yield example("MultiHeadAttention", what + " bias", qkv | {"a": bias}, {}, "q k v - - a", num_heads=heads)
        yield example("MultiHeadAttention", what + " scale", qkv, {}, num_heads=heads, scale=0.1)
        yield example("MultiHeadAttention", what + " causal", qkv, {}, num_heads=heads, unidirectional=1)
        past = {"pk": numbers(batch, heads, 3, width, seed=4), "pv": numbers(batch, heads, 3, width, seed=5)}
        yield example("MultiHeadAttention", what + " past", qkv | past, {}, "q k v - - - pk pv", results=3, num_heads=heads)


def of_grouped_attention() -> Iterator[Example]:
    """With room for keys and values to come, as generation gives it: what is in that room is nobody's."""
    for length, heads, width in ((5, 2, 16), (8, 4, 16), (3, 2, 32)):
        groups, size, room = heads // 2, heads * width, 16
        caches = rotations(width)
        for layout, given in (("", {}), (" rotary", {"do_rotary": 1}), (" interleaved", {"do_rotary": 1, "rotary_interleaved": 1}),
                              (" window", {"local_window_size": 2}), (" softcap", {"softcap": 2.0}), (" smooth", {"smooth_softmax": 1})):
            for steps, past, now in (("prompt", 0, length), ("step", 4, 1)):
                x = {"q": numbers(1, now, size), "k": numbers(1, now, groups * width, seed=1), "v": numbers(1, now, groups * width, seed=2),
                     "pk": numbers(1, groups, room, width, seed=3), "pv": numbers(1, groups, room, width, seed=4),
                     "l": numpy.full(1, past + now - 1, numpy.int32), "t": numpy.array(past + now, numpy.int32)}
                made = example("GroupQueryAttention", f"{heads} heads {length} {steps}{layout}", x, caches if "do_rotary" in given else {},
                               "q k v pk pv l t c s" if "do_rotary" in given else "", results=3, num_heads=heads, kv_num_heads=groups, **given)
                del made.model.graph.output[1:]
                yield made


def rotations(width: int) -> dict[str, Any]:
    angles = numbers(16, width // 2)
    return {"c": numpy.cos(angles), "s": numpy.sin(angles)}


def of_rotations() -> Iterator[Example]:
    for batch, length, heads, width in HEADS:
        size, caches = heads * width, rotations(width)
        x = {"x": numbers(batch, length, size), "i": numpy.arange(length, dtype=numpy.int64) * numpy.ones((batch, 1), numpy.int64)}
        for interleaved in (0, 1):
            yield example("RotaryEmbedding", f"{heads} heads {length} {interleaved}", x, caches, num_heads=heads, interleaved=interleaved)
            four = {"x": numbers(batch, heads, length, width), "i": x["i"]}
            yield example("RotaryEmbedding", f"{heads} heads {length} {interleaved} of four dimensions", four, caches, interleaved=interleaved)
        first = {"x": x["x"], "i": numpy.array([3], numpy.int64)}
        yield example("RotaryEmbedding", f"{heads} heads {length} offset", first, caches, num_heads=heads, interleaved=0)
        yield example("RotaryEmbedding", f"{heads} heads {length} default", x, caches, num_heads=heads)
        yield example("RotaryEmbedding", f"{heads} heads {length} whole", x, caches, num_heads=heads, rotary_embedding_dim=0, interleaved=0)
    for width, length in itertools.product((8, 16, 24, 32, 64), (3, 5)):
        x = {"x": numbers(1, length, 4 * width), "i": numpy.arange(length, dtype=numpy.int64).reshape(1, length)}
        yield example("RotaryEmbedding", f"{width} of {2 * width} {length}", x, rotations(width), num_heads=2, rotary_embedding_dim=width,
                      interleaved=0)


def of_few_bits() -> Iterator[Example]:
    sizes = ((3, 32, 8), (1, 64, 16), (5, 96, 4))
    for bits, (rows, inner, columns), zeros in itertools.product((2, 4, 8), sizes, ("", " zero points", " float zero points")):
        blocks, rng = inner // 32, numpy.random.default_rng(inner)
        given = {"b": rng.integers(0, 256, (columns, blocks, 32 * bits // 8)).astype(numpy.uint8),
                 "s": (0.05 + rng.random(columns * blocks) / 20).astype(numpy.float32)}
        if zeros == " zero points":
            given["z"] = rng.integers(0, 256, columns * -(-blocks * bits // 8)).astype(numpy.uint8)
        elif zeros:
            given["z"] = (rng.random(columns * blocks) * 2 ** bits).astype(numpy.float32)
        yield example("MatMulNBits", f"{bits} bits {inner}{zeros}", {"x": numbers(rows, inner)}, given, K=inner, N=columns, bits=bits, block_size=32)
    for with_zeros, (rows, width) in itertools.product((False, True), ((10, 32), (7, 64), (20, 96))):
        rng = numpy.random.default_rng(width)
        given = {"d": rng.integers(0, 256, (rows, width // 2)).astype(numpy.uint8), "s": rng.random((rows, width // 32)).astype(numpy.float32)}
        if with_zeros:
            given["z"] = rng.integers(0, 256, (rows, -(-(width // 32) // 2))).astype(numpy.uint8)
        yield example("GatherBlockQuantized", f"{width}{' zero points' if with_zeros else ''}", {"i": numpy.array([[1, 5, 0]], numpy.int64)}, given,
                      f"d i s {'z' if with_zeros else ''}", bits=4, block_size=32, quantize_axis=1, gather_axis=0)


def examples() -> Iterator[Example]:
    return itertools.chain(of_one_quantised(), of_two_quantised(), of_quantised_products(), of_linear_quantisation(), of_activations(),
                           of_fused_products(), of_normalisations(), of_attention(), of_grouped_attention(), of_rotations(), of_few_bits())


def sensible(of_operator: list[Example], choices: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Without sizes that the operands do not have, and without numbers that no flag has."""
    seen = {(a.name, helper.get_attribute_value(a)) for each in of_operator for a in each.node.attribute if a.type == AttributeProto.INT}
    return {name: [v for v in values if v not in (2, -1) or (name, v) in seen] for name, values in choices.items() if name not in OF_WEIGHTS}


def with_variations() -> Iterator[Example]:
    """The examples, and some of them with other attributes, without an operand, and with one as a constant."""
    know_schemas()
    by_operator: dict[str, list[Example]] = {}
    for each in examples():
        by_operator.setdefault(each.node.op_type, []).append(each)
    for of_operator in by_operator.values():
        yield from of_operator
        choices = sensible(of_operator, choices_of(of_operator))
        for base in of_operator[::max(1, len(of_operator) // MOST_BASES)][:MOST_BASES]:
            varied = itertools.chain(with_attributes(base, choices), with_constants(base), without_operands(base))
            yield from (each for each in varied if len(each.node.output) == len(base.node.output))
