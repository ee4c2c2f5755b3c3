"""Runs a LiteRT (TensorFlow Lite) model.

    model_validator verify model.pt2 --command 'python examples/commands/run_litert.py model.tflite {inputs} {outputs}'

For a model in int8 add `--candidate-precision int8`: floats are given in the steps that its inputs declare, and what it
returns is made floats again. A model in another layout (NHWC) than its reference needs a transpose here.
Needs `pip install ai-edge-litert`. Tried with ai-edge-litert 2.3.
"""

import sys
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from exchange import Array, read_inputs, write_outputs


def in_steps(array: Array, tensor: dict[str, Any]) -> Array:
    """As the tensor stores it: in whole numbers, where it has a scale."""
    scale, zero = tensor["quantization"]
    if not scale or not np.issubdtype(array.dtype, np.floating):
        return array.astype(tensor["dtype"])
    limits = np.iinfo(tensor["dtype"])
    return np.clip(np.round(array / scale) + zero, limits.min, limits.max).astype(tensor["dtype"])


def in_floats(array: Array, tensor: dict[str, Any]) -> Array:
    scale, zero = tensor["quantization"]
    return ((array.astype(np.float32) - zero) * scale).astype(np.float32) if scale else array


def main(model_file: str, inputs: str, outputs: str) -> None:
    interpreter = Interpreter(model_path=model_file)
    taken = interpreter.get_input_details()
    arrays = read_inputs(inputs, [tensor["name"] for tensor in taken])
    for tensor, array in zip(taken, arrays, strict=True):
        interpreter.resize_tensor_input(tensor["index"], array.shape)
    interpreter.allocate_tensors()
    for tensor, array in zip(taken, arrays, strict=True):
        interpreter.set_tensor(tensor["index"], in_steps(array, tensor))
    interpreter.invoke()
    given = interpreter.get_output_details()
    results = [in_floats(interpreter.get_tensor(tensor["index"]), tensor) for tensor in given]
    write_outputs(outputs, [tensor["name"] for tensor in given], results)


if __name__ == "__main__":
    main(*sys.argv[1:])
