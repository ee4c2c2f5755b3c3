"""A saved model and the questions it answers; how it is divided among targets; whether two are the same."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ._keywords import takes
from ._kinds import Readable
from ._library import Source, ask
from ._live import is_live, source_of
from ._options import Paths, Reading, Texts, Tracing, Unpack, described_inputs, given_lists, texts
from ._words import Export, Fallback, Format, Verdict
from .errors import ModelValidatorError
from .graph import ConnectedGraph, Shape


@dataclass(frozen=True)
class Port:
    """An input or output of a model."""

    name: str
    shape: Shape
    dtype: str | None


@dataclass(frozen=True)
class TensorTotals:
    """Totals of the parameters or buffers; tensors that share their storage count once."""

    tensors: int
    elements: int
    bytes: int


class Listing(str):
    """A text of several lines, which a notebook shows as such."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Model:
    """A model: its contents, and its identity. Read once, on construction.

    Two are equal if their structure and their weights are; `hash` is that of the structure alone, and the same in every
    process.

    @raises ModelValidatorError
    """

    @takes(Tracing)
    def __init__(
        self,
        model: Readable,
        inputs: object = None,
        *,
        export: Export | None = None,
        trusted: bool = False,
        name: str | None = None,
        **options: Unpack[Tracing],
    ) -> None:
        self._model = model
        self._inputs = inputs
        self._options = given_lists(options)
        self._source = source_of(model, inputs, export=export, trusted=trusted, name=name)
        self._summary: dict[str, Any] = json.loads(self._inspected(format="json", fingerprint=False))

    def _inspected(self, **more: Any) -> str:
        with described_inputs(self._model, self._inputs) as described:
            answer = ask("inspect", [self._source], {**described, **self._options, **more})
        return answer.texts[more["format"]]

    @property
    def path(self) -> str:
        """Its name: the file, or the class of a live model."""
        return self._source.name

    @property
    def format(self) -> Format:
        """Of the file."""
        found: Format = self._summary["format"]
        return found

    @property
    def operators(self) -> Mapping[str, int]:
        """How often each operator occurs, by PyTorch's name: `conv2d`."""
        return dict(self._summary["operators"])

    @property
    def schemas(self) -> Mapping[str, int]:
        """The same, by the file's names: `aten::_convolution`, `onnx::Conv`."""
        return dict(self._summary["schemas"])

    @property
    def inputs(self) -> tuple[Port, ...]:
        """In the order of the signature."""
        return tuple(_port(data) for data in self._summary["inputs"])

    @property
    def outputs(self) -> tuple[Port, ...]:
        """In the order of the signature."""
        return tuple(_port(data) for data in self._summary["outputs"])

    @property
    def input_count(self) -> int:
        """How many inputs it takes."""
        return len(self.inputs)

    @property
    def output_count(self) -> int:
        """How many outputs it gives."""
        return len(self.outputs)

    @property
    def input_shapes(self) -> tuple[Shape, ...]:
        """One per input."""
        return tuple(port.shape for port in self.inputs)

    @property
    def output_shapes(self) -> tuple[Shape, ...]:
        """One per output."""
        return tuple(port.shape for port in self.outputs)

    @property
    def input_dtypes(self) -> tuple[str | None, ...]:
        """One per input; None if the file does not say."""
        return tuple(port.dtype for port in self.inputs)

    @property
    def output_dtypes(self) -> tuple[str | None, ...]:
        """One per output; None if the file does not say."""
        return tuple(port.dtype for port in self.outputs)

    @property
    def parameters(self) -> TensorTotals:
        """Totals of the parameters."""
        return TensorTotals(**self._summary["parameters"])

    @property
    def buffers(self) -> TensorTotals:
        """Totals of the buffers."""
        return TensorTotals(**self._summary["buffers"])

    @property
    def multiply_accumulates(self) -> int | None:
        """For one run; None if shapes are unknown: give inputs."""
        counted = self._summary["multiply_accumulates"]
        return None if counted["unknown"] else int(counted["total"])

    @property
    def activation_bytes(self) -> int | None:
        """What the values between ops need at once, at most, without weights; None if sizes are unknown or free."""
        memory = self._summary["activation_memory"]
        return None if memory["unknown"] or memory["bytes"] is None else int(memory["bytes"])

    @property
    def structural_hash(self) -> str:
        """32 digits that identify the structure: weights, names of values and lines of Python do not matter."""
        return str(self._summary["structural_hash"])

    @cached_property
    def fingerprint(self) -> str:
        """32 digits that identify structure and weights. Reads the weights. @raises ModelValidatorError"""
        found = json.loads(self._inspected(format="json", fingerprint=True))["fingerprint"]
        if found is None:
            raise ModelValidatorError("missing-weights", self.path, "the fingerprint is unknown: weights are missing")
        return str(found)

    def ir(self) -> str:
        """The model as text, one op per line."""
        return self._inspected(format="ir")

    def typed_ir(self) -> str:
        """The same with dtypes and shapes."""
        return self._inspected(format="typed-ir")

    def ranges(self) -> str:
        """The same with how large the numbers of each op are likely to be, for inputs with mean 0 and deviation 1."""
        return self._inspected(format="ranges")

    @property
    def mod(self) -> Listing:
        """The model as text, one op per line: `ir()`, which a notebook shows."""
        return Listing(self.ir())

    @property
    def typed_mod(self) -> Listing:
        """The same with dtypes and shapes: `typed_ir()`, which a notebook shows."""
        return Listing(self.typed_ir())

    @cached_property
    def graph(self) -> ConnectedGraph:
        """Its ops, products and modules."""
        with described_inputs(self._model, self._inputs) as described:
            return ConnectedGraph.from_source(self._source, {**described, **self._options})

    def to_dict(self) -> dict[str, Any]:
        """As `model_validator inspect --output-format json` prints it, without the fingerprint."""
        return dict(self._summary)

    def get_inference_function(self) -> Callable[..., Any]:
        """A function that runs the model: one argument per input, torch or numpy arrays; the result is nested as the
        model nests it, in arrays of the first argument's kind.

        Unlike everything else here it runs the code of the model in this process. @raises ModelValidatorError if the
        runtime is missing
        """
        from ._running import inference_function  # imports what runs models

        if is_live(self._model):
            return inference_function(self._model, self.format)
        source = self._source
        return inference_function(source.name if source.content is None else bytes(source.bytes()), self.format)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self is other or (self.structural_hash == other.structural_hash and self.fingerprint == other.fingerprint)

    def __hash__(self) -> int:
        return int(self.structural_hash, 16)

    def __repr__(self) -> str:
        return f"Model({self.path!r}, format={self.format!r}, operators={sum(self.operators.values())})"


def _port(data: Mapping[str, Any]) -> Port:
    shape = data["shape"]
    return Port(data["name"], None if shape is None else tuple(-1 if size is None else size for size in shape), data["dtype"])


@dataclass(frozen=True)
class Partition:
    """A part of a model that one target compiles."""

    target: str
    ops: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    op_count: int
    multiply_accumulates: int | None


@dataclass(frozen=True)
class Obstacle:
    """An operator that a target refuses."""

    operator: str
    target: str
    reason: str
    help: str
    ops: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """How a model is divided among targets."""

    partitions: tuple[Partition, ...]
    """In an order in which they can run."""
    obstacles: tuple[Obstacle, ...]
    """The one that affects the most operations first."""
    fewest: bool
    """No division has fewer partitions."""
    data: Mapping[str, Any]
    """Everything, as `model_validator partition --output-format json` prints it."""
    text: str
    """The same as text for people."""

    def __str__(self) -> str:
        return self.text


@takes(Reading)
def partition(
    model: Readable,
    target: Texts,
    inputs: object = None,
    *,
    profile: Paths = None,
    fallback: Fallback = "eager",
    smallest: int = 1,
    gains: int = 10,
    export: Export | None = None,
    trusted: bool = False,
    **options: Unpack[Reading],
) -> Plan:
    """Divides a model among targets, the preferred one first. Nothing is written.

    inputs: as in `check`; they give the shapes that multiply-accumulates are counted with. fallback: takes the ops that
    no target takes: eager, ts, none. smallest: a partition of fewer ops falls back. gains: for how many operators to
    compute what supporting them would gain. @raises ModelValidatorError
    """
    if not isinstance(target, str | os.PathLike) and hasattr(target, "shape"):
        raise TypeError("partition() takes the targets before the inputs: partition(model, target, inputs)")
    source = source_of(model, inputs, export=export, trusted=trusted)
    given = {
        "target": texts(target),
        "profile": texts(profile),
        "fallback": fallback,
        "smallest": smallest,
        "gains": gains,
    }
    with described_inputs(model, inputs) as described:
        everything = {**given, **described, **given_lists(options)}
        data = json.loads(ask("partition", [source], everything).texts["json"])
        text = ask("partition", [source], {**everything, "format": "table"}).texts["table"]
    return Plan(
        partitions=tuple(_partition(part) for part in data["partitions"]),
        obstacles=tuple(_obstacle(obstacle) for obstacle in data["obstacles"]),
        fewest=data["fewest"],
        data=data,
        text=text,
    )


def _partition(data: Mapping[str, Any]) -> Partition:
    return Partition(
        data["target"],
        tuple(data["ops"]),
        tuple(data["inputs"]),
        tuple(data["outputs"]),
        data["op_count"],
        data["multiply_accumulates"],
    )


def _obstacle(data: Mapping[str, Any]) -> Obstacle:
    ops = tuple(op["name"] for op in data["ops"])
    return Obstacle(data["operator"], data["target"], data["reason"], data["help"] or "", ops)


@dataclass(frozen=True)
class Difference:
    """How two models compare."""

    verdict: Verdict
    """Where the structure is the same, the weights differ."""
    changed_tensors: int
    data: Mapping[str, Any]
    """Everything, as `model_validator diff --output-format json` prints it."""
    text: str

    @property
    def same(self) -> bool:
        """Structure and weights are equal."""
        return self.verdict == "same-fingerprint"

    def __str__(self) -> str:
        return self.text


@takes(Reading)
def diff(
    first: Readable | Model,
    second: Readable | Model,
    inputs: object = None,
    *,
    export: Export | None = None,
    trusted: bool = False,
    **options: Unpack[Reading],
) -> Difference:
    """Says whether two models are the same, or where they first differ: a `Model`, or what one is made of. inputs: of live
    modules.

    @raises ModelValidatorError
    """

    def source(model: Readable | Model) -> Source:
        return model._source if isinstance(model, Model) else source_of(model, inputs, export=export, trusted=trusted)

    sources = [source(first), source(second)]
    given = given_lists(options)
    data = json.loads(ask("diff", sources, given).texts["json"])
    text = ask("diff", sources, {**given, "format": "text"}).texts["text"]
    return Difference(data["verdict"], data["changed_tensors"] or 0, data, text)
