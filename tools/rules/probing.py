"""Whether a converter of TorchScript takes a call: asking finds out what its table does not say."""
from __future__ import annotations

import torch

# Few converters have complex inputs and outputs: whether these calls are taken is found out.
REAL = torch.rand(4, 4, 4)
COMPLEX_TAKEN = {f"aten::{name}": (getattr(torch, name), torch.complex(REAL, REAL)) for name in ("view_as_real", "imag")} | {
    f"aten::fft_{name}": (getattr(torch.fft, name), REAL) for name in ("irfft", "irfft2", "irfftn", "hfft")}
COMPLEX_YIELDED = {"aten::view_as_complex": (torch.view_as_complex, torch.rand(4, 2))} | {
    f"aten::fft_{name}": (getattr(torch.fft, name), REAL)
    for name in ("fft", "fft2", "fftn", "ifft", "ifft2", "ifftn", "rfft", "rfft2", "rfftn", "ihfft")}

# Calls with a list of sizes: whether it may be empty is found out.
SIZED = {
    "repeats": {"aten::repeat": lambda x: x.sum().repeat(())},
    "dims": {"aten::permute": lambda x: x.sum().permute(()), "aten::tile": lambda x: x.sum().tile(())},
    "size": {"aten::new_empty": lambda x: x.new_empty(()) + x, "aten::new_zeros": lambda x: x.new_zeros(()) + x,
             "aten::new_ones": lambda x: x.new_ones(()) + x, "aten::new_full": lambda x: x.new_full((), 2.0) + x,
             "aten::zeros": lambda x: torch.zeros(()) + x, "aten::ones": lambda x: torch.ones(()) + x,
             "aten::full": lambda x: torch.full((), 2.0) + x, "aten::empty": lambda x: torch.empty(()) + x,
             "aten::expand": lambda x: x.sum().expand(()), "aten::view": lambda x: x.sum().view(())},
    "shape": {"aten::reshape": lambda x: x.sum().reshape(())},
}


class Called(torch.nn.Module):
    """A function; `given` of its arguments are inputs, the others are constants of the model."""

    def __init__(self, function, arguments: tuple, given: set[int]):
        super().__init__()
        self.function, self.given, self.number = function, given, len(arguments)
        for at, argument in enumerate(arguments):
            self.register_buffer(f"argument_{at}", argument.clone())   # one tensor twice would be a single value

    def forward(self, *inputs):
        left = iter(inputs)
        return self.function(*(next(left) if at in self.given else getattr(self, f"argument_{at}")
                               for at in range(self.number)))


class Prober:
    """Asks `convert(module, inputs)`, which raises where the target does not take them."""

    def __init__(self, convert):
        self.convert = convert

    def takes(self, function, *arguments, given: set[int] | None = None) -> bool:
        given = given or {0}
        inputs = tuple(a for at, a in enumerate(arguments) if at in given)
        try:
            traced = torch.jit.trace(Called(function, arguments, given).eval(), inputs, check_trace=False)
            self.convert(traced, inputs)
        except Exception:
            return False
        return True

    def empty_lists(self, table: set[str], reason: str) -> list[dict]:
        """Constraints on the operators that do not take an empty list of sizes."""
        x = torch.rand(2, 4, 8)
        return [{"operators": refused, "attribute": attribute, "min_length": 1, "reason": reason}
                for attribute, calls in SIZED.items()
                if (refused := sorted(n for n, call in calls.items() if n in table and not self.takes(call, x)))]

    def of_complex(self, table: set[str], taken_reason: str, yielded_reason: str) -> list[dict]:
        """Constraints on operators that must not take a model input, and on those whose result must not be an output."""
        def refused(calls):
            return sorted(name for name, call in calls.items() if name in table and not self.takes(*call))
        return [{"operators": refused(COMPLEX_TAKEN), "computed_operands": [0], "reason": taken_reason},
                {"operators": refused(COMPLEX_YIELDED), "not_returned": True, "reason": yielded_reason}]
