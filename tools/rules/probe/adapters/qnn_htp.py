"""QNN's HTP backend, the NPU of Snapdragon chips, compiled and emulated on x86-64 by ONNX Runtime's plug-in provider."""
from probe.runtime import NEWEST, Runtime

PROGRAM = r"""
import re
import onnxruntime, onnxruntime_qnn
onnxruntime.register_execution_provider_library("QNNExecutionProvider", onnxruntime_qnn.get_library_path())
DEVICES = [d for d in onnxruntime.get_ep_devices() if d.ep_name == "QNNExecutionProvider"]
OPTIONS = {"backend_path": onnxruntime_qnn.get_qnn_htp_path(), "htp_arch": "75", "soc_model": "57", "enable_htp_fp16_precision": "1",
           "offload_graph_io_quantization": "0"}
def reasons(log):
    found = [re.sub("for node `[^`]*` ", "", m[0]) for m in re.finditer(r"(?<=REASON : ).+|QNN\.backendValidateOpConfig\(\) failed.+", log)]
    known = [each for each in dict.fromkeys(found) if each.strip() != "Failed to add node."]
    return re.sub("node `[^`]*` will", "node will", " | ".join(known[:2]))
def load(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 0  # each node that is left to the CPU, with the reason
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    options.add_provider_for_devices(DEVICES, OPTIONS)
    words = Words()
    try:
        with words:
            return onnxruntime.InferenceSession(path, options)
    except Exception as error:
        raise Refused(reasons(words.text) or str(error))
def load_plain(path): pass
def run(loaded, inputs):
    try:
        return loaded.run(None, inputs)
    except Exception as error:  # so it says where a node was left to the CPU
        raise Refused(str(error)) if "disabled fallback to the CPU" in str(error) else error
"""

QDQ = frozenset({"onnx::QuantizeLinear", "onnx::DequantizeLinear"})  # compiled with what lies between them
RUNTIME = Runtime("qnn-htp", "onnxruntime-qnn", PROGRAM, precision="float16", opsets=(7, NEWEST), not_asked=QDQ, profile={
    "description": "Qualcomm's NPU (HTP) through ONNX Runtime's QNN provider, in float16",
    "url": "https://onnxruntime.ai/docs/execution-providers/QNN-ExecutionProvider.html",
    "refusal": "Operators of type `{operator}` are not supported by QNN EP",
    "judged": {"falls_back": True, "folds_constants": True},
    "sentences": {"dtype": "Failed to map Onnx data type to Qnn data type! ({dtype})", "open_sizes": "Cannot get shape"},
    "refused": [
        {"operators": ["onnx::AveragePool"], "when": [{"attribute": "auto_pad", "is": ["SAME_UPPER"]}],
         "reason": "the compiler ends its process", "asked": "test_averagepool_2d_same_upper"},
        {"operators": ["onnx::STFT"], "when": [{"from_opset": 1}], "reason": "the compiler ends its process", "asked": "test_stft"}],
    "depends": [
        {"operators": ["onnx::IsNaN"], "when": [{"from_opset": 1}], "reason": "it tells no NaN: 3 of 6 values were wrong", "asked": "test_isnan"},
        {"operators": ["onnx::GatherElements", "onnx::ScatterElements"], "when": [{"from_opset": 1}],
         "reason": "an index below 0 does not count from the end: off by 7 of 7", "asked": "test_gather_elements_negative_indices"},
        {"operators": ["onnx::Tan"], "when": [{"from_opset": 1}], "reason": "near its poles it is off by 0.61 of 27", "asked": "test_tan.T=FLOAT16"}],
    "notes": ["compiled and run by the HTP backend's emulator on x86-64: htp_arch 75, soc_model 57 (Snapdragon 8 Gen 3), enable_htp_fp16_precision",
              "computes in float16: what rounding to it explains is not wrong",
              "a refused operator stays on the CPU, unless session.disable_cpu_ep_fallback is set",
              "speed, memory and drivers are a device's to tell"]})
