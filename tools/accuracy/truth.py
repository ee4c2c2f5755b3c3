"""What a module does in one eager run: which leaf modules run how often, and which functions run outside torch's own leaves.

Taken from Python alone, by hooks and by `torch.overrides.TorchFunctionMode`, so that neither the measured
program nor TorchScript takes part in it.
"""

import collections
import contextlib
import dataclasses

import torch
from torch.overrides import TorchFunctionMode, resolve_name

# Functions that compute on tensors, each with the spellings that eager Python and TorchScript have for it. Views, indexing and
# constants are left out: the two write them differently, and no check depends on them.
SPELLINGS = {
    "add": "add radd iadd", "sub": "sub rsub isub subtract", "mul": "mul rmul imul multiply", "div": "div truediv rtruediv itruediv",
    "matmul": "matmul rmatmul mm bmm", "softmax": "softmax log_softmax", "linear": "linear", "einsum": "einsum", "addmm": "addmm",
    "convolution": "conv1d conv2d conv3d convolution _convolution", "cat": "cat concat concatenate", "stack": "stack",
    "pad": "pad constant_pad_nd", "interpolate": "interpolate upsample_nearest2d upsample_bilinear2d upsample_bicubic2d",
    "adaptive_pool": "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d", "max_pool": "max_pool1d max_pool2d max_pool3d",
    "avg_pool": "avg_pool1d avg_pool2d avg_pool3d", "attention": "scaled_dot_product_attention", "layer_norm": "layer_norm",
    "batch_norm": "batch_norm", "relu": "relu", "gelu": "gelu", "silu": "silu", "sigmoid": "sigmoid", "tanh": "tanh",
    "hardswish": "hardswish", "hardsigmoid": "hardsigmoid", "dropout": "dropout", "embedding": "embedding", "mean": "mean",
    "sqrt": "sqrt", "rsqrt": "rsqrt", "exp": "exp", "abs": "abs", "masked_fill": "masked_fill", "cumsum": "cumsum",
}  # fmt: skip
NAME_OF = {spelling: name for name, spellings in SPELLINGS.items() for spelling in spellings.split()}
# Functions that consist of others, and of which TorchScript holds only the parts: a module that calls one is not
# compared.
COMPOSITE = {"normalize", "multi_head_attention_forward", "std", "var", "std_mean", "var_mean", "group_norm", "instance_norm"}


def function_name(spelled):
    """`torch.Tensor.add_` and `aten::add_` → `add`; None for a function that is not compared."""
    return NAME_OF.get(spelled.split("::")[-1].split(".")[-1].strip("_")) or NAME_OF.get(spelled.split("::")[-1])


@dataclasses.dataclass
class Truth:
    reused: set  # paths of leaf modules that ran more than once
    functions: collections.Counter  # (path of the module around, name) → how often
    not_compared: set  # paths of modules that call a composite function
    first_path: dict  # every path of a module → the first


def is_leaf(module):
    return next(module.children(), None) is None


def in_torch(module):
    return type(module).__module__.startswith(("torch.nn.", "torch.ao.nn."))


def returns_tensor(value):
    if isinstance(value, (list, tuple)):
        return any(returns_tensor(item) for item in value)
    return isinstance(value, torch.Tensor)


class Recorder(TorchFunctionMode):
    def __init__(self, paths):
        super().__init__()
        self.paths, self.running = paths, []
        self.calls, self.functions, self.not_compared = collections.Counter(), collections.Counter(), set()

    def enter(self, module, _arguments):
        self.calls[module] += 1
        self.running.append(module)

    def leave(self, module, _arguments, _result):
        self.running.remove(module)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = resolve_name(function) or getattr(function, "__name__", "")
        around = self.running[-1] if self.running else None
        if around is not None and returns_tensor(result) and not (is_leaf(around) and in_torch(around)):
            if name.split(".")[-1] in COMPOSITE:
                self.not_compared.add(self.paths[around])
            if known := function_name(name):
                self.functions[self.paths[around], known] += 1
        return result


@contextlib.contextmanager
def hooks(model, recorder):
    handles = []
    for module in model.modules():
        handles.append(module.register_forward_pre_hook(recorder.enter))
        handles.append(module.register_forward_hook(recorder.leave))
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def truth_of(model, inputs):
    paths, first_path = {}, {}
    for path, module in model.named_modules(remove_duplicate=False):
        first_path[path] = paths.setdefault(module, path)
    recorder = Recorder(paths)
    with torch.no_grad(), hooks(model, recorder), recorder:
        model(*inputs)
    reused = {paths[module] for module, calls in recorder.calls.items() if calls > 1 and is_leaf(module)}
    return Truth(reused, recorder.functions, recorder.not_compared, first_path)
