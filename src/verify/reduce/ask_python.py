"""Asks a runtime that only Python has for ONNX files: python ask_python.py RUNTIME ANSWERS PACKAGES FIRST [MODEL INPUTS …]

What it makes of each model goes into files in the folder ANSWERS, `0.answer` and so on from FIRST: `right` or `refused`, and what it said in the
lines after; and its results, where it runs, into `0.npz`. RUNTIME may name where it runs: `onnxruntime-places:CUDAExecutionProvider`.
INPUTS, a .npz or `-`, is what a model is run with. PACKAGES, where there are any, are
folders in which Python also looks.
"""

import os
import sys

import numpy as np


class RefusedError(Exception):
    pass


def tensorrt_rtx():
    """Parses a model and builds an engine of it, which needs no GPU; nothing is run."""
    try:
        import tensorrt_rtx as trt
    except ImportError:
        import tensorrt_rtx_bindings as trt  # which loads the libraries of its own package
    said = []

    class Errors(trt.ILogger):
        def log(self, severity, text):
            if severity in (trt.ILogger.Severity.ERROR, trt.ILogger.Severity.INTERNAL_ERROR):
                said.append(text)

    errors = Errors()
    builder = trt.Builder(errors)

    def set_sizes(network, config, inputs):
        """Sizes and numbers that the model leaves free become those of the inputs."""
        profile, used = builder.create_optimization_profile(), False
        for given in (network.get_input(i) for i in range(network.num_inputs)):
            value = inputs.get(given.name)
            if value is None:
                continue
            if given.is_shape_tensor:
                numbers = [int(number) for number in value.ravel()]
                profile.set_shape_input(given.name, numbers, numbers, numbers)
                used = True
            elif -1 in tuple(given.shape):
                profile.set_shape(given.name, value.shape, value.shape, value.shape)
                used = True
        if used:
            config.add_optimization_profile(profile)

    def ask(model, inputs):
        said.clear()
        network = builder.create_network(1 << int(trt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
        parser = trt.OnnxParser(network, errors)
        if not parser.parse_from_file(model):
            found = [parser.get_error(i) for i in range(parser.num_errors)]
            raise RefusedError("; ".join(f"{error.code().name}: {error.desc()}" for error in found) or "; ".join(said))
        config = builder.create_builder_config()
        config.num_compute_capabilities = 1
        config.set_compute_capability(trt.ComputeCapability.SM89, 0)
        set_sizes(network, config, inputs)
        said.clear()
        if builder.build_serialized_network(network, config) is None:
            raise RefusedError("; ".join(said) or "it builds no engine")

    return trt.__version__, ask


def onnx_reference():
    """Runs a model by ONNX's own evaluator."""
    import onnx
    from onnx.reference import ReferenceEvaluator

    def ask(model, inputs):
        session = ReferenceEvaluator(model)
        try:
            return dict(zip(session.output_names, session.run(None, inputs), strict=True))
        except Exception as error:
            raise RefusedError(f"{type(error).__name__}: {error}") from error

    return onnx.__version__, ask


def onnxruntime_places(provider):
    """Where ONNX Runtime puts the nodes of a model, as it runs them: a line of JSON each."""
    import json

    import onnxruntime

    def ask(model, inputs):
        options = onnxruntime.SessionOptions()
        options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
        session = onnxruntime.InferenceSession(model, options, providers=[provider, "CPUExecutionProvider"])
        if not hasattr(session, "get_provider_graph_assignment_info"):
            raise RefusedError(f"ONNX Runtime {onnxruntime.__version__} does not tell; releases from 1.24 do")
        parts = session.get_provider_graph_assignment_info()
        return "\n".join(json.dumps([part.ep_name, node.op_type, node.name]) for part in parts for node in part.get_nodes())

    return onnxruntime.__version__, ask


def openvino(*_device):
    """Its release; models it is asked for elsewhere."""
    import openvino

    return openvino.get_version(), None


def leave(folder, name, write):
    part = os.path.join(folder, name + ".part")
    with open(part, "wb") as stream:
        write(stream)
    os.rename(part, os.path.join(folder, name))


def main():
    runtime, folder, packages, first, *asked = sys.argv[1:]
    sys.path += [place for place in packages.split(":") if place]
    runtimes = {"openvino": openvino, "tensorrt-rtx": tensorrt_rtx, "onnx-reference": onnx_reference, "onnxruntime-places": onnxruntime_places}
    runtime, _, place = runtime.partition(":")
    version, ask = runtimes[runtime](*[place] if place else [])
    leave(folder, "version", lambda stream: stream.write(version.encode()))
    for number, (model, file) in enumerate(zip(asked[::2], asked[1::2], strict=True), int(first)):
        answer = "right\n"
        try:
            inputs = {} if file == "-" else dict(np.load(file))
            results = ask(model, inputs)
            if isinstance(results, str):
                answer += results
            elif results:
                leave(folder, f"{number}.npz", lambda stream, results=results: np.savez(stream, **results))
        except RefusedError as refused:
            answer = f"refused\n{refused}"
        leave(folder, f"{number}.answer", lambda stream, answer=answer: stream.write(answer.encode("utf-8", "replace")))


if __name__ == "__main__":
    main()
