"""The text of `export.py`, and the inputs in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import ModelValidatorError
from ._names import literal

DTYPES = {
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "bool",
    "complex64",
}
SPEC = re.compile(r"(?:(?P<name>[^=]*)=)?(?P<shape>scalar|\d+(?:x\d+)*)(?::(?P<dtype>\w+))?(?::(?P<low>-?[\d.]+)\.\.(?P<high>-?[\d.]+))?")
NUMBER = re.compile(r"(?P<name>[^=]+)=(?P<number>-?\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Input:
    """An input that is made up: a tensor, or a number."""

    text: str
    """As `--input` has it."""
    name: str = ""
    shape: tuple[int, ...] = ()
    dtype: str = "float32"
    span: tuple[float, float] | None = None
    number: int | float | None = None

    def expression(self) -> str:
        """Python that makes it."""
        if self.number is not None:
            return literal(self.number)
        if self.dtype == "bool" or not self.dtype.startswith(("float", "bfloat", "complex")):
            low, high = (int(self.span[0]), int(self.span[1])) if self.span else (0, 1)
            return f"torch.randint({low}, {high + 1}, {self.shape!r}, dtype=torch.{self.dtype})"
        if self.span is None:
            return f"torch.randn({self.shape!r}, dtype=torch.{self.dtype})"
        return f"torch.empty({self.shape!r}, dtype=torch.{self.dtype}).uniform_({self.span[0]!r}, {self.span[1]!r})"


def read_input(text: str) -> Input:
    """An input as `--input` gives it. @raises ModelValidatorError (`bad-input-spec`)"""
    if found := NUMBER.fullmatch(text):
        number = float(found["number"]) if "." in found["number"] else int(found["number"])
        return Input(text, found["name"], number=number)
    found = SPEC.fullmatch(text)
    if found is None or (found["dtype"] or "float32") not in DTYPES:
        raise ModelValidatorError("bad-input-spec", "", f"`{text}` describes no input", "write x=1x3x224x224, ids=1x16:int64:0..99 or n=3")
    shape = () if found["shape"] == "scalar" else tuple(int(size) for size in found["shape"].split("x"))
    span = (float(found["low"]), float(found["high"])) if found["low"] else None
    return Input(text, found["name"] or "", shape, found["dtype"] or "float32", span)


def export_file(inputs: Sequence[Input], dynamic: bool) -> str:
    """The whole file.

    dynamic: sizes that the code leaves free stay free
    """
    made = "".join(f"    {one.expression()},\n" for one in inputs) or "    # one for each input of `forward`, such as torch.randn(2, 3, 224, 224)\n"
    free = "tuple({at: torch.export.Dim.AUTO for at in range(x.dim())} if isinstance(x, torch.Tensor) else None for x in INPUTS)"
    sizes = f"\n    sizes = {free}\n" if dynamic else "\n"
    given = "model, INPUTS, dynamic_shapes=sizes" if dynamic else "model, INPUTS"
    return (
        '"""Writes model.pt2 next to this file, with --onnx model.onnx as well."""\n\n'
        "import sys\nfrom pathlib import Path\n\nimport torch\n\n"
        f"INPUTS = (\n{made})\n\n\n"
        "def main():\n"
        "    from model import load  # next to this file\n\n"
        "    here = Path(__file__).parent\n"
        f"    model = load(){sizes}"
        "    with torch.no_grad():\n"
        f"        program = torch.export.export({given})\n"
        '    torch.export.save(program, here / "model.pt2")\n'
        '    if "--onnx" in sys.argv:\n'
        '        torch.onnx.export(program, f=here / "model.onnx")\n\n\n'
        'if __name__ == "__main__":\n'
        "    main()\n"
    )
