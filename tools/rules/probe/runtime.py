"""A runtime that is asked: a program of its own process, and what its profile says of it."""
from __future__ import annotations

import dataclasses
import functools
import re
import subprocess
import sys
from typing import Any

NEWEST = 1 << 31


@functools.cache
def version_of(package: str, python: str) -> str:
    program = f"import importlib.metadata; print(importlib.metadata.version({package!r}).split('-')[0])"
    return subprocess.run([python, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


@dataclasses.dataclass(frozen=True)
class Runtime:
    """`program` defines `load(path)`, as users load; `load_plain(path)`, without optimisations; and `run(loaded, inputs)`, a list of arrays."""
    target: str
    package: str
    program: str
    precision: str = "float32"  # in which it computes float32
    opsets: tuple[int, int] = (1, NEWEST)  # of ONNX: a model stamped with another is asked about as one of these, where that changes nothing
    not_asked: frozenset[str] = frozenset()  # operators that one node says nothing of
    python: str = sys.executable  # that has the package
    draw: str = ""  # of the questions that are held out
    profile: dict[str, Any] = dataclasses.field(default_factory=dict)  # of its table: what is not learnt

    @property
    def version(self) -> str:
        return version_of(self.package, self.python)

    def plainly(self) -> Runtime:
        """The same, without optimisations."""
        return dataclasses.replace(self, program=self.program + "\ndef load(path):\n    return load_plain(path)\n")

    def reading(self) -> Runtime:
        """The same, asked only to read a file."""
        return dataclasses.replace(self, program=self.program + "\nrun = None\ndef load(path, inputs=None):\n    return load_plain(path)\n")

    @property
    def folds_constants(self) -> bool:
        return bool(self.profile.get("judged", {}).get("folds_constants"))

    def lacks(self, said: str) -> str | None:
        """The operator that the runtime says it does not have, in its own spelling."""
        sentence = re.escape(self.profile.get("refusal", "{operator}")).replace(re.escape("{operator}"), r"(?P<operator>[\w.]+)")
        found = re.search(sentence, said) if "refusal" in self.profile else None
        return found["operator"] if found else None
