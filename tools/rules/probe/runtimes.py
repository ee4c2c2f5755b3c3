"""The runtimes that are asked, each as a program of its own process: `ask(path, inputs)` returns the outputs, or raises."""
from __future__ import annotations

import importlib
import pkgutil

from probe import adapters
from probe.runtime import Runtime

ONNXRUNTIME = """
import onnxruntime
onnxruntime.set_default_logger_severity(4)
def session(path, level):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
def load(path):
    return session(path, onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL)
def load_plain(path):
    return session(path, onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL)
# numpy has no such dtypes: a value of them is made from its bits.
BITS = {"bfloat16": 16, "float8_e4m3fn": 17, "float8_e4m3fnuz": 18, "float8_e5m2": 19, "float8_e5m2fnuz": 20, "uint4": 21, "int4": 22,
        "float4_e2m1fn": 23, "float8_e8m0fnu": 24, "uint2": 25, "int2": 26}
def value(given):
    if isinstance(given, numpy.ndarray) and given.dtype.name in BITS:
        if given.dtype.itemsize == 1 and given.dtype.name.endswith(("int4", "int2", "e2m1fn")):
            raise NotAsked
        bits = numpy.ascontiguousarray(given).view(numpy.uint16 if given.dtype.itemsize == 2 else numpy.uint8).reshape(given.shape)
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(bits, BITS[given.dtype.name])
    if isinstance(given, numpy.ndarray):
        return onnxruntime.OrtValue.ortvalue_from_numpy(given)
    raise NotAsked
ODD = ("bfloat16", "float8", "int4", "int2", "float4")
def array(result):
    kind = result.element_type() if result.is_tensor() else None
    for name, number in BITS.items():
        if kind == number and number in (16, 17, 18, 19, 20, 24):
            return result.numpy().view(getattr(ml_dtypes, name))
    return result.numpy()
def run(loaded, inputs):
    if not any(isinstance(v, numpy.ndarray) and v.dtype.name in BITS for v in inputs.values()) and not any(
            odd in o.type for o in loaded.get_outputs() for odd in ODD):
        return loaded.run(None, inputs)
    results = loaded.run_with_ort_values([o.name for o in loaded.get_outputs()], {n: value(v) for n, v in inputs.items()})
    try:
        return [array(r) for r in results]
    except Exception as error:  # numpy has no such dtype
        raise Ran from error
"""
OPENVINO = """
import sys
sys.modules["openvino_telemetry"] = None  # it would wait for the network
import openvino
core = openvino.Core()
core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32", "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0})
def load(path):
    return core.compile_model(core.read_model(path), "CPU")
load_plain = core.read_model
kept = []  # a result may be an input's memory
PACKED = ("int4", "uint4", "int2", "uint2", "float4_e2m1fn")
def tensor(value):
    if not isinstance(value, numpy.ndarray) or value.dtype.name in PACKED:
        raise NotAsked
    if value.dtype.name in FLOAT8:
        made = openvino.Tensor(FLOAT8[value.dtype.name], openvino.Shape(value.shape))
        made.data[...] = value.view(made.data.dtype)
        return made
    if value.dtype == numpy.dtype(object):
        return openvino.Tensor(value.astype(str))
    if value.dtype.name == "bfloat16":
        made = openvino.Tensor(openvino.Type.bf16, openvino.Shape(value.shape))
        made.data[...] = value.view(made.data.dtype)
        return made
    kept.append(numpy.array(value, order="C"))
    return openvino.Tensor(kept[-1], shared_memory=True)
FLOAT8 = {"float8_e4m3fn": openvino.Type.f8e4m3, "float8_e5m2": openvino.Type.f8e5m2, "float8_e8m0fnu": openvino.Type.f8e8m0}
TYPES = {"bf16": ml_dtypes.bfloat16, "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2}
def array(result):
    kind = result.element_type.get_type_name()
    if kind in ("i4", "u4", "u2", "u1", "nf4", "f4e2m1"):
        raise Ran
    if kind == "string":
        return numpy.array(result.str_data, object)
    return result.data.view(TYPES[kind]).copy() if kind in TYPES else result.data.copy()
def run(loaded, inputs):
    kept.clear()
    request = loaded.create_infer_request()
    known = {name: port for port in loaded.inputs for name in port.get_names()}
    if any(name not in known for name in inputs) and len(inputs) == len(loaded.inputs):
        known = dict(zip(inputs, loaded.inputs))  # an input that is passed on may have lost its name
    if any(name not in known for name in inputs):
        raise NotAsked
    tensors = {name: tensor(value) for name, value in inputs.items() if name in known}  # alive while it runs: a result may be an input
    for name, value in tensors.items():
        request.set_tensor(known[name], value)
    request.infer()
    return [array(request.get_output_tensor(i)) for i in range(len(loaded.outputs))]
"""
# Parsed strongly typed and built ahead of time for one kind of GPU, which need not be there. Nothing is run.
TENSORRT = """
import tensorrt_rtx_libs, tensorrt_rtx_bindings as trt
class Quiet(trt.ILogger):
    def __init__(self):
        super().__init__()
        self.errors = []
    def log(self, severity, text):
        if severity in (trt.ILogger.Severity.ERROR, trt.ILogger.Severity.INTERNAL_ERROR):
            self.errors.append(text)
logger = Quiet()
builder = trt.Builder(logger)
def parsed(path):
    logger.errors.clear()
    network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    parser = trt.OnnxParser(network, logger)
    if not parser.parse_from_file(path):
        errors = [parser.get_error(i) for i in range(parser.num_errors)]
        raise Refused("; ".join(f"{e.code().name}: {e.desc()}" for e in errors) or "; ".join(logger.errors) or "refused")
    return network, parser
def load_plain(path):
    parsed(path)
def load(path, inputs=None):
    network, parser = parsed(path)
    config = builder.create_builder_config()
    config.num_compute_capabilities = 1
    config.set_compute_capability(getattr(trt.ComputeCapability, "COMPUTE"), 0)
    profile, used = builder.create_optimization_profile(), False
    for i in range(network.num_inputs):
        given = network.get_input(i)
        value = (inputs or {}).get(given.name)
        if value is None:
            continue
        if given.is_shape_tensor:
            numbers = [int(v) for v in numpy.asarray(value).ravel()]
            profile.set_shape_input(given.name, numbers, numbers, numbers)
            used = True
        elif -1 in tuple(given.shape):
            shape = tuple(numpy.asarray(value).shape)
            profile.set_shape(given.name, shape, shape, shape)
            used = True
    if used:
        config.add_optimization_profile(profile)
    logger.errors.clear()
    built = builder.build_serialized_network(network, config)
    if built is None:
        raise Refused("BUILDER: " + ("; ".join(logger.errors) or "no engine"))
    return built
run = None
"""


RUNTIMES = {r.target: r for r in (
    Runtime("onnxruntime", "onnxruntime", ONNXRUNTIME),
    Runtime("openvino-onnx", "openvino", OPENVINO),
    Runtime("tensorrt-rtx", "tensorrt-rtx-cu13-bindings", TENSORRT.replace("COMPUTE", "SM89")),
    *(importlib.import_module(f"probe.adapters.{module.name}").RUNTIME for module in pkgutil.iter_modules(adapters.__path__)))}
