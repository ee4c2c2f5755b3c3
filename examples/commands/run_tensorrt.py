"""Runs a TensorRT engine on the GPU that it was built for.

    model_validator verify model.onnx --candidate-precision float16 \
        --command 'python examples/commands/run_tensorrt.py model.engine {inputs} {outputs}'

Needs `pip install tensorrt`, in the release that built the engine, and a torch for CUDA, which holds the tensors.
It was written from TensorRT's documentation (10 and newer), calls what the Python bindings of 11.4 have, and HAS NOT BEEN RUN:
no machine of this project has a GPU.
"""

import sys
from typing import Any

import tensorrt
import torch
from exchange import read_inputs, write_outputs

DTYPES = {
    tensorrt.float32: torch.float32,
    tensorrt.float16: torch.float16,
    tensorrt.bfloat16: torch.bfloat16,
    tensorrt.int64: torch.int64,
    tensorrt.int32: torch.int32,
    tensorrt.int8: torch.int8,
    tensorrt.uint8: torch.uint8,
    tensorrt.bool: torch.bool,
}


def engine_in(file: str) -> Any:
    with open(file, "rb") as stream:
        content = stream.read()
    if content[3:5] == b"\0{":  # Ultralytics writes what it knows of the model before the engine: a length, and JSON
        content = content[4 + int.from_bytes(content[:4], "little") :]
    engine = tensorrt.Runtime(tensorrt.Logger(tensorrt.Logger.WARNING)).deserialize_cuda_engine(content)
    if engine is None:
        raise SystemExit("TensorRT cannot read the engine: it was built by another release, or for another GPU")
    return engine


def main(model_file: str, inputs: str, outputs: str) -> None:
    engine = engine_in(model_file)
    context = engine.create_execution_context()
    names = [engine.get_tensor_name(i) for i in range(engine.num_io_tensors)]
    is_input = {name: engine.get_tensor_mode(name) == tensorrt.TensorIOMode.INPUT for name in names}
    taken = [name for name in names if is_input[name]]
    tensors = {}
    for name, array in zip(taken, read_inputs(inputs, taken), strict=True):
        tensors[name] = torch.from_numpy(array).to(device="cuda", dtype=DTYPES[engine.get_tensor_dtype(name)]).contiguous()
        context.set_input_shape(name, tuple(array.shape))
    given = [name for name in names if not is_input[name]]
    for name in given:
        dtype = DTYPES[engine.get_tensor_dtype(name)]
        tensors[name] = torch.empty(tuple(context.get_tensor_shape(name)), dtype=dtype, device="cuda")
    for name, tensor in tensors.items():
        context.set_tensor_address(name, tensor.data_ptr())
    stream = torch.cuda.Stream()
    if not context.execute_async_v3(stream.cuda_stream):
        raise SystemExit("TensorRT could not run the engine with these inputs; what it says stands above")
    stream.synchronize()
    results = [tensors[name].cpu() for name in given]
    # NumPy has no bfloat16.
    write_outputs(outputs, given, [(result.float() if result.dtype is torch.bfloat16 else result).numpy() for result in results])


if __name__ == "__main__":
    main(*sys.argv[1:])
