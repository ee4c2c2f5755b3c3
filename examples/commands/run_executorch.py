"""Runs an ExecuTorch program on this machine: with the kernels and delegates that the Python package has, XNNPACK among them.

    model_validator verify model.pt2 --command 'python examples/commands/run_executorch.py model.pte {inputs} {outputs}'

Needs `pip install executorch`. Tried with executorch 1.5.
"""

import sys

import torch
from exchange import read_inputs, write_outputs
from executorch.runtime import Runtime, Verification


def main(model_file: str, inputs: str, outputs: str) -> None:
    program = Runtime.get().load_program(model_file, verification=Verification.Minimal)
    method = program.load_method("forward")
    if method is None:
        raise SystemExit(f"the program has no method `forward`, but {', '.join(program.method_names)}")
    names = [f"input {i}" for i in range(method.metadata.num_inputs())]  # a program does not keep names
    results = method.execute([torch.from_numpy(array) for array in read_inputs(inputs, names)])
    tensors = [result.numpy() for result in results if isinstance(result, torch.Tensor)]
    write_outputs(outputs, [str(i) for i in range(len(tensors))], tensors)


if __name__ == "__main__":
    main(*sys.argv[1:])
