"""Forms of scripted code that a converter may refuse though it has every operator: each is asked, in small programs.

The front end notes the same forms on operators, as `use` and `result`: docs/target-tables.md says what they mean.
"""
from __future__ import annotations

import itertools
import linecache
import math
import warnings
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Optional

import torch

numbers = itertools.count()
X = torch.rand(2, 8)


def module_of(body: str, inputs: int = 1, **attributes) -> torch.nn.Module:
    """A module with these attributes and this body of `forward(self, x, x1, …)`, which can be scripted."""
    parameters = ", ".join(f"x{i or ''}: torch.Tensor" for i in range(inputs))
    source = f"def forward(self, {parameters}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    name = f"<scripted {next(numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)   # TorchScript reads the source again
    names: dict = {"math": math, "torch": torch, "Tensor": torch.Tensor, "warnings": warnings, "Optional": Optional}
    exec(compile(source, name, "exec"), names)
    made = type(f"Scripted{next(numbers)}", (torch.nn.Module,), {"forward": names["forward"]})()
    for attribute, value in attributes.items():
        setattr(made, attribute, value)
    return made.eval()


# By the word for the form and the operators that it is noted on: bodies, none of which is converted where it is refused.
FORMS: list[tuple[str, str, list[str], list[str]]] = [
    ("use", "attribute returned", ["prim::If", "prim::Loop"],
     ["if x.size(0) > 1:\n    y = self.w\nelse:\n    y = x[0]\nreturn x + y"]),
    ("use", "attribute returned", ["prim::Return"], ["return x * 2, self.w"]),
    ("use", "empty list", ["aten::append"],
     ["l: list[torch.Tensor] = []\nl.append(x)\nl.append(x * 2)\nreturn torch.cat(l, 1)"]),
    ("use", "from outside", ["aten::append"],
     ["l = [x]\nfor i in range(2):\n    l.append(x * 2)\nreturn torch.cat(l, 1)",
      "l = [x]\nif x.size(0) > 1:\n    l.append(x * 2)\nreturn torch.cat(l, 1)"]),
    ("use", "other rank", ["prim::If"],
     ["if x.dim() == 2:\n    x = x.unsqueeze(0)\nreturn x + 1", "if x.size(0) > 1:\n    y = x[0]\nelse:\n    y = x\nreturn y * 2"]),
    ("use", "other rank", ["prim::Loop"], ["for i in range(2):\n    x = x.unsqueeze(0)\nreturn x"]),
    ("use", "counted while", ["prim::Loop"],
     ["i = 0\nwhile i < 3:\n    x = x * 2\n    i += 1\nreturn x", "i = 0\nwhile i < x.size(0):\n    x = x * 2\n    i += 1\nreturn x"]),
    ("result", "int", ["aten::__getitem__"],
     ["return x * x.shape[0]", "return x.view(2, x.shape[-1])", "l = [2, 4]\nreturn x.view(l[0], 2, l[1])"]),
    ("result", "int[]", ["aten::slice"], ["return x.view(x.shape[:1] + [2, 4])", "return x.view(x.shape[0:2])"]),
    ("result", "int[]", ["aten::add"], ["return x.view([2] + [2, 4])", "return x.view([x.size(0)] + [2, 4])"]),
    ("result", "int[]", ["aten::append"], ["l = [x.size(0)]\nl.append(8)\nreturn x.view(l)"]),
]

# By operator: an expression that hands it a tensor's dtype, or half of a size.
OF_DTYPES = {
    "aten::arange": "torch.arange(8, dtype=x.dtype)", "aten::cumsum": "x.cumsum(1, dtype=x.dtype)",
    "aten::empty": "torch.empty([2, 8], dtype=x.dtype) * 0", "aten::eye": "torch.eye(8, dtype=x.dtype)[0]",
    "aten::full": "torch.full([2, 8], 1.0, dtype=x.dtype)", "aten::full_like": "torch.full_like(x, 1.0, dtype=x.dtype)",
    "aten::linspace": "torch.linspace(0, 1, 8, dtype=x.dtype)", "aten::mean": "x.mean(1, keepdim=True, dtype=x.dtype)",
    "aten::new_full": "x.new_full([8], 1.0, dtype=x.dtype)", "aten::new_zeros": "x.new_zeros([8], dtype=x.dtype)",
    "aten::ones": "torch.ones([2, 8], dtype=x.dtype)", "aten::ones_like": "torch.ones_like(x, dtype=x.dtype)",
    "aten::rand": "torch.rand([8], dtype=x.dtype)", "aten::scalar_tensor": "torch.scalar_tensor(2.0, dtype=x.dtype)",
    "aten::softmax": "x.softmax(-1, dtype=x.dtype)", "aten::sum": "x.sum(1, keepdim=True, dtype=x.dtype)",
    "aten::tensor": "torch.tensor([1.0] * 8, dtype=x.dtype)", "aten::to": "(x > 0.5).to(x.dtype)",
    "aten::zeros": "torch.zeros([2, 8], dtype=x.dtype)", "aten::zeros_like": "torch.zeros_like(x, dtype=x.dtype)"}
OF_QUOTIENTS = {
    "aten::arange": "torch.arange(x.size(1) // 2) * 1.0", "aten::expand": "x[:, None].expand(2, x.size(1) // 2, 8)",
    "aten::mul": "x * (x.size(1) // 2)", "aten::narrow": "x.narrow(1, 0, x.size(1) // 2)",
    "aten::ones": "torch.ones([x.size(1) // 2])", "aten::reshape": "x.reshape(2, 2, x.size(1) // 2)",
    "aten::select": "x.select(1, x.size(1) // 2)", "aten::slice": "x[:, :x.size(1) // 2]",
    "aten::split": "torch.split(x, x.size(1) // 2, 1)[0]", "aten::view": "x.view(2, 2, x.size(1) // 2)",
    "aten::zeros": "torch.zeros([x.size(1) // 2])"}

IMAGE, ROW = torch.rand(1, 4, 6, 6), torch.rand(1, 4, 8)
# By operator: tensors and the other arguments of a call, for those that the samples do not call or call without them.
CALLS: dict[str, tuple[tuple, dict]] = {
    "aten::adaptive_avg_pool2d": ((IMAGE,), {"output_size": [1, 1]}), "aten::add": ((X,), {"other": 2.0}),
    "aten::argmax": ((X,), {"dim": 1}), "aten::avg_pool2d": ((IMAGE,), {"kernel_size": [2, 2]}),
    "aten::clamp": ((X,), {"min": 0.0, "max": 1.0}), "aten::conv1d": ((ROW, torch.rand(6, 4, 3)), {"bias": None}),
    "aten::conv2d": ((IMAGE, torch.rand(6, 4, 3, 3)), {"bias": None}),
    "aten::conv3d": ((torch.rand(1, 4, 6, 6, 6), torch.rand(6, 4, 3, 3, 3)), {"bias": None}),
    "aten::cumsum": ((X,), {"dim": 1}), "aten::div": ((X,), {"other": 2.0}), "aten::dropout": ((X,), {"p": 0.5, "train": False}),
    "aten::elu": ((X,), {"alpha": 1.0}), "aten::expand": ((X,), {"size": [3, 2, 8]}),
    "aten::feature_dropout": ((ROW,), {"p": 0.5, "train": False}), "aten::flatten": ((IMAGE,), {"start_dim": 1}),
    "aten::flip": ((X,), {"dims": [1]}), "aten::gelu": ((X,), {"approximate": "tanh"}), "aten::glu": ((X,), {"dim": 1}),
    "aten::hardtanh": ((X,), {"min_val": -1.0, "max_val": 1.0}), "aten::leaky_relu": ((X,), {"negative_slope": 0.1}),
    "aten::linear": ((X, torch.rand(4, 8)), {"bias": None}), "aten::log_softmax": ((X,), {"dim": 1}),
    "aten::max_pool2d": ((IMAGE,), {"kernel_size": [2, 2]}), "aten::mean": ((X,), {"dim": [1], "keepdim": True}),
    "aten::mul": ((X,), {"other": 2.0}), "aten::narrow": ((X,), {"dim": 1, "start": 0, "length": 2}),
    "aten::permute": ((X,), {"dims": [1, 0]}), "aten::pixel_shuffle": ((IMAGE,), {"upscale_factor": 2}),
    "aten::pow": ((X,), {"exponent": 2.0}), "aten::repeat": ((X,), {"repeats": [2, 1]}),
    "aten::reshape": ((X,), {"shape": [4, 4]}), "aten::rms_norm": ((X,), {"normalized_shape": [8], "weight": None}),
    "aten::rrelu": ((X,), {"lower": 0.1, "upper": 0.3, "training": False}),
    "aten::scaled_dot_product_attention": ((ROW, ROW, ROW), {"dropout_p": 0.0, "is_causal": False}),
    "aten::select": ((X,), {"dim": 1, "index": 0}), "aten::softmax": ((X,), {"dim": 1, "dtype": None}),
    "aten::softplus": ((X,), {"beta": 1.0, "threshold": 20.0}), "aten::squeeze": ((ROW,), {"dim": 0}),
    "aten::sub": ((X,), {"other": 2.0}), "aten::sum": ((X,), {"dim": [1], "keepdim": True, "dtype": None}),
    "aten::topk": ((X,), {"k": 2}), "aten::transpose": ((X,), {"dim0": 0, "dim1": 1}),
    "aten::unsqueeze": ((X,), {"dim": 0}), "aten::var": ((X,), {"dim": [1], "keepdim": True}), "aten::view": ((X,), {"size": [4, 4]}),
}
# The same for what has no such arguments: a body that reads an attribute, and its value.
READERS: dict[str, list[tuple[str, object]]] = {
    "aten::eq": [("if self.a == 'x':\n    x = x * 2\nreturn x", "x"), ("if self.a == 2:\n    x = x * 2\nreturn x", 2)],
    "aten::ne": [("if self.a != 'x':\n    x = x * 2\nreturn x", "x")],
    "prim::TupleIndex": [("return x.view(2, self.a[0], self.a[1])", (2, 4))],
    "prim::If": [("if self.a:\n    x = x * 2\nreturn x", True)],
    "prim::ListConstruct": [("return x.view([self.a, 8])", 2)],
    "prim::Loop": [("for i in range(self.a):\n    x = x * 2\nreturn x", 2)],
}


def literal(value) -> str | None:
    """A number, a word or a list of numbers as code; nothing for what else an argument may be."""
    plain = (bool, int, float, str, type(None))
    if isinstance(value, plain):
        return repr(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(v, (int, float)) for v in value):
        return repr(list(value))
    return None


def arguments_of(call) -> Iterator[tuple[str, str]]:
    """Names of the arguments of a sample that are no tensors, with their code."""
    for name, value in call.attributes.items():
        if (code := literal(value)) is not None:
            yield name, code


class Asked:
    """Whether `convert(module, inputs)` takes forms of code: it raises where it does not."""

    def __init__(self, convert: Callable[..., None]):
        self.convert = convert

    def takes(self, body: str, inputs: tuple = (X,), **attributes) -> bool:
        """Not what TorchScript itself does not take, either: it may not be able to tell the overload."""
        try:
            self.convert(torch.jit.script(module_of(body, len(inputs), **attributes)), inputs)
        except Exception:
            return False
        return True

    def forms(self, table: set[str], reasons: dict[str, str]) -> list[dict]:
        """A constraint for each form of which no program is converted."""
        found = []
        for attribute, word, names, bodies in FORMS:
            refused = not any(self.takes(body, w=torch.nn.Parameter(torch.rand(8))) for body in bodies)
            if refused and (kept := [n for n in names if n in table]):
                found.append({"operators": kept, "attribute": attribute, "none_of": [word],
                              "reason": reasons[f"{word} of {names[0]}"]})
        return found

    def handed(self, table: set[str], word: str, calls: dict[str, str], reason: str) -> list[dict]:
        """A constraint on operators that do not take what an expression hands them."""
        refused = [n for n, code in sorted(calls.items()) if n in table and not self.takes(f"return {code}")]
        return [{"operators": refused, "attribute": "use", "none_of": [word], "reason": reason}] if refused else []

    def attribute_of(self, call, name: str) -> bool | None:
        """Whether an argument may be an attribute of a module; nothing where it may not be a constant either."""
        operator = call.operator.split("::")[1].split(".")[0]
        tensors = [f"x{i or ''}" for i in range(len(call.inputs))]
        given = dict(arguments_of(call))

        def asked(code: str, **attributes) -> bool:
            arguments = [*tensors, *(f"{n}={code if n == name else c}" for n, c in given.items())]
            return self.takes(f"return torch.ops.aten.{operator}({', '.join(arguments)})", call.inputs, **attributes)
        if not asked(given[name]):
            return None
        value = call.attributes[name]
        return asked("self.a", a=list(value) if isinstance(value, (list, tuple)) else value)

    def attributes(self, table: set[str], samples: list, reason: str) -> list[dict]:
        """Constraints on operators that do not take an attribute of a module that is no tensor."""
        own = [SimpleNamespace(operator=name, inputs=tensors, attributes=others) for name, (tensors, others) in CALLS.items()]
        taken: dict[str, set[str]] = {}
        refused: dict[str, set[str]] = {}
        for call in [*samples, *own]:
            name = call.operator.split(".")[0]
            for argument, _ in arguments_of(call):
                if (answer := self.attribute_of(call, argument)) is not None:
                    (taken if answer else refused).setdefault(name, set()).add(argument)
        always = {n for n, bodies in READERS.items() if not any(self.takes(body, a=value) for body, value in bodies)}
        groups: dict[tuple[str, ...], list[str]] = {}
        for name in sorted((refused.keys() | always) & table):
            some = name in taken
            if words := tuple(f"attribute {a}" for a in sorted(refused[name] - taken[name])) if some else ("attribute",):
                groups.setdefault(words, []).append(name)
        return [{"operators": names, "attribute": "use", "none_of": list(words), "reason": reason}
                for words, names in sorted(groups.items())]
