"""What is a model, for type checkers: the packages whose classes these are need not be installed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, Protocol


class Module(Protocol):
    """An `nn.Module`, such as a `ScriptModule`."""

    training: bool

    def parameters(self, recurse: bool = ...) -> Iterator[Any]: ...


class Program(Protocol):
    """An `ExportedProgram`."""

    @property
    def graph_module(self) -> Any: ...

    @property
    def graph_signature(self) -> Any: ...


class OnnxModel(Protocol):
    """An `onnx.ModelProto`."""

    def SerializeToString(self) -> bytes: ...  # noqa: N802

    @property
    def graph(self) -> Any: ...

    @property
    def opset_import(self) -> Any: ...


class Session(Protocol):
    """An `InferenceSession`."""

    def get_inputs(self) -> Any: ...

    def run(self, output_names: Any, input_feed: Any) -> Any: ...


Path = str | os.PathLike[str]
Readable = Path | bytes | bytearray | memoryview | Module | Program | OnnxModel
Runnable = Path | Program | Session | Callable[..., Any]
