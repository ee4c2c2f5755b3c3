"""Runs a Core ML model (.mlpackage or .mlmodel) on a Mac.

    model_validator verify model.pt --candidate-precision float16 --command 'scp {inputs} mac:in.npz &&
        ssh mac python run_coreml.py model.mlpackage in.npz out.npz && scp mac:out.npz {outputs}'

Core ML computes in float16 unless the model was converted with `compute_precision=FLOAT32`.
Needs `pip install coremltools`. It was written from coremltools' documentation (9.0) and HAS NOT BEEN RUN: Core ML only runs on macOS.
"""

import sys

import coremltools
import numpy as np
from exchange import read_inputs, write_outputs


def main(model_file: str, inputs: str, outputs: str) -> None:
    model = coremltools.models.MLModel(model_file)
    description = model.get_spec().description
    names = [port.name for port in description.input]
    arrays = read_inputs(inputs, names)
    # Core ML takes no integers of 64 bits.
    given = {
        name: array.astype(np.int32 if np.issubdtype(array.dtype, np.integer) else np.float32) for name, array in zip(names, arrays, strict=True)
    }
    results = model.predict(given)
    order = [port.name for port in description.output if port.name in results]
    write_outputs(outputs, order, [np.asarray(results[name]) for name in order])


if __name__ == "__main__":
    main(*sys.argv[1:])
