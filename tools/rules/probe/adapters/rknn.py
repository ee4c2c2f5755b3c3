"""RKNN's toolkit, for the NPUs of Rockchip, compiled and run by its simulator on x86-64. It is asked by a Python of its own: --python."""
from probe.runtime import Runtime

PROGRAM = r"""
import re
from rknn.api import RKNN
def reasons(log):
    plain = re.sub(r"\x1b\[[0-9;]*m|(Error|E \w+): Traceback", "", log)
    lines = re.findall(r"(?m)^.*?((?:\w+\.)*\w*(?:Error|Exception|Fail|Invalid\w+|NotImplemented)\b: .+|\bE \w+: .+|Unsupport.+)", plain)
    return re.sub(r"\('[^']*'\)", "", lines[-1]) if lines else ""
def quietly(call):
    with Words() as words:
        try:
            result = call()
        except BaseException as error:  # it exits where a user would see a message
            os.write(2, f"Error: {error}".encode())
            result = None
    return result, words.text
def load(path):
    toolkit = RKNN(verbose=False)
    graph = onnx.load(path).graph
    names = [v.name for v in graph.input if v.name not in {t.name for t in graph.initializer}]
    steps = [lambda: toolkit.config(target_platform="rk3588"), lambda: toolkit.load_onnx(model=path),
             lambda: toolkit.build(do_quantization=False), toolkit.init_runtime]
    done, log = quietly(lambda: all(step() == 0 for step in steps))
    if not done:
        raise Refused(reasons(log) or log[-400:])
    return toolkit, names
def load_plain(path): pass
def run(loaded, inputs):
    toolkit, names = loaded
    results, log = quietly(lambda: toolkit.inference(inputs=[inputs[n] for n in names], data_format=["nchw"] * len(names)))
    quietly(toolkit.release)
    if results is None:
        raise Exception(reasons(log) or log[-400:])
    return results
"""

ENDED = "the runtime ends its process, or does not answer"
ENDED_WITH_BYTES = [f"onnx::{name}" for name in ("Abs", "Add", "Cast", "Concat", "Equal", "Identity", "Mod", "Neg", "Reshape", "Sign", "Tile")]
MAY_END_WITH_BYTES = [f"onnx::{name}" for name in (
    "ArgMax", "ArgMin", "BitwiseXor", "CumSum", "Div", "Expand", "Gather", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Min", "Mul",
    "Pad", "ReduceMax", "ReduceMin", "ReduceSum", "Slice", "Split", "Squeeze", "Sub", "TopK", "Transpose", "Unsqueeze")]
BYTES = {"input": 0, "dtypes": ["int8", "uint8"]}
RUNTIME = Runtime("rknn", "rknn-toolkit2", PROGRAM, precision="float16", opsets=(1, 19), profile={
    "description": "Rockchip's NPUs through RKNN's toolkit, in float16",
    "url": "https://github.com/airockchip/rknn-toolkit2",
    "refusal": "{operator} is not supported",
    "judged": {"folds_constants": True, "cast_to_float32": ["float16"]},
    "kernels": "onnxruntime",  # in which it computes constants, of the whole model
    "sentences": {"opset": "ValueError: Unsupport onnx opset {version}, need <= {newest}!",
                  "open_sizes": "ValueError: The input shape is not support!"},
    "refused": [{"operators": ENDED_WITH_BYTES, "when": [BYTES | {"ranks": [4]}], "reason": ENDED, "asked": "Identity int8 4"}],
    "depends": [{"operators": sorted(ENDED_WITH_BYTES + MAY_END_WITH_BYTES), "when": [BYTES], "reason": ENDED, "asked": "Identity uint8 2"},
                {"operators": ["onnx::MatMul"], "when": [{"input": 0, "dtypes": ["int32"]}], "reason": ENDED, "asked": "MatMul int32 4"}],
    "wrong": [{"operators": ["onnx::Squeeze", "onnx::Unsqueeze"], "when": [{"input": 1, "computed": True}], "asked": "test_unsqueeze_axis_1",
               "reason": "axes that are no constant are taken for zeros: it gives the shape [1, 3, 4, 5] instead of [3, 1, 4, 5]"}],
    "everywhere": [
        ("fails", {"when": [{"input": number, "dtypes": ["float64"], "entry": True}], "asked": "test_acos.T=DOUBLE",
                   "reason": "inference: Unsupport inputs[0].dtype: float64"}) for number in range(4)] + [
        ("fails", {"when": [{"input": number, "ranks": [0], "entry": True}], "asked": "test_erf.shape scalar",
                   "reason": "IndexError: list index out of range"}) for number in range(4)] + [
        ("refused", {"when": [{"input": number, "empty": True, "entry": True}], "asked": "test_reduce_l1_empty_set",
                     "reason": "ValueError: The input shape [0] is not support!"}) for number in range(4)],
    "notes": ["compiled and run by the toolkit's simulator on x86-64 for rk3588, do_quantization=False",
              "computes in float16: what rounding to it explains is not wrong",
              "speed, memory and drivers are a device's to tell"]})
