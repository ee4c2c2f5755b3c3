"""Runs an OpenVINO model, or any file that OpenVINO reads, on one of its devices.

    model_validator verify model.onnx --candidate-precision float16 \
        --command 'python examples/commands/run_openvino.py model.xml {inputs} {outputs} GPU'

On the CPU, and in float32, `model_validator verify model.onnx model.xml` does the same, and `--localize` finds the layer.
Needs `pip install openvino`. Tried with OpenVINO 2026.4 on a CPU.
"""

import sys

import openvino
from exchange import read_inputs, write_outputs


def main(model_file: str, inputs: str, outputs: str, device: str = "CPU") -> None:
    # By default each device computes in what it is fastest in, as the deployed model will.
    model = openvino.Core().compile_model(model_file, device)
    names = [next(iter(port.get_names()), port.node.friendly_name) for port in model.inputs]
    request = model.create_infer_request()
    results = request.infer(read_inputs(inputs, names))
    labels = [next(iter(port.get_names()), str(i)) for i, port in enumerate(model.outputs)]
    write_outputs(outputs, labels, [results[port] for port in model.outputs])


if __name__ == "__main__":
    main(*sys.argv[1:])
