"""The ConnectedGraph of a model: ops connected by products, and the modules that they come from."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ._keywords import takes
from ._kinds import Readable
from ._library import Source, ask
from ._live import source_of
from ._options import Tracing, Unpack, described_inputs, given_lists
from ._words import Export, OpKind

if TYPE_CHECKING:
    import networkx

Shape = tuple[int, ...] | None
"""-1 for an unknown size; None for an unknown shape."""


@dataclass(frozen=True)
class SourceLocation:
    """A place in the user's Python."""

    file: str
    line: int
    column: int = 0


@dataclass(frozen=True)
class Op:
    """A vertex: an operator, a call of a leaf module, an input or an output."""

    name: str
    """Unique: `conv2d_3`."""
    type: str
    """PyTorch's name without namespace and overload: `conv2d`."""
    kind: OpKind = "functional"
    module: str | None = None
    """Path of the leaf module that it calls."""
    module_class: str | None = None
    parent: str | None = None
    """Path of the module whose code runs it; empty for the model itself."""
    parent_class: str | None = None
    schema: str | None = None
    """`aten::add.Tensor`; None for a call of a module."""
    region: tuple[str, ...] = ()
    """Branches and loops around it: `if@12.then`, `loop@3`."""
    source: SourceLocation | None = None


@dataclass(frozen=True)
class Product:
    """An edge: output `output` of the op `source` is tensor operand `input` of the op `target`."""

    name: str
    source: str
    target: str
    output: int = 0
    input: int = 0
    shape: Shape = None
    dtype: str | None = None


@dataclass(frozen=True)
class Module:
    """A module of the Python hierarchy, listed once however many paths lead to it."""

    path: str
    class_name: str
    aliases: tuple[str, ...] = ()
    leaf: bool = True
    calls: int = 1


@dataclass(frozen=True)
class ConnectedGraph:
    """A model as ops connected by products."""

    path: str
    format: str
    ops: tuple[Op, ...]
    products: tuple[Product, ...]
    modules: tuple[Module, ...] = ()
    inputs: tuple[str, ...] = ()
    """Names of the ops that are the inputs of the model, in order."""
    outputs: tuple[str, ...] = ()
    _dot: Callable[[], str] | None = field(default=None, repr=False, compare=False)

    @classmethod
    @takes(Tracing)
    def read(
        cls,
        model: Readable,
        inputs: object = None,
        *,
        export: Export | None = None,
        trusted: bool = False,
        name: str | None = None,
        **options: Unpack[Tracing],
    ) -> ConnectedGraph:
        """Reads a model: a path, bytes, or a live object, as `check` does.

        inputs: for a module, what it is called with; for a file, descriptions such as `x=1x3x224x224`, with which the
        graph is traced, so that it has shapes.
        @raises ModelValidatorError
        """
        source = source_of(model, inputs, export=export, trusted=trusted, name=name, weights=False)
        with described_inputs(model, inputs) as described:
            return cls.from_source(source, {**described, **given_lists(options)})

    @classmethod
    def from_source(cls, source: Source, options: Mapping[str, Any]) -> ConnectedGraph:
        """Like `read`, for a source that the library can read."""
        data = json.loads(ask("graph", [source], options).texts["json"])
        kept = {name: value for name, value in options.items() if name != "input_files"}

        def draw() -> str:
            return ask("graph", [source], {"format": "dot", **kept}).texts["dot"]

        return _graph_from(data, draw)

    @cached_property
    def _ops_by_name(self) -> Mapping[str, Op]:
        return {op.name: op for op in self.ops}

    def op(self, name: str) -> Op:
        """The op of that name. @raises KeyError"""
        return self._ops_by_name[name]

    @cached_property
    def regions(self) -> tuple[str, ...]:
        """Every branch and loop of the model, in execution order."""
        return tuple(dict.fromkeys(label for op in self.ops for label in op.region))

    def producers(self, op: Op | str) -> list[Op]:
        """The ops whose outputs it takes, in the order of its inputs."""
        name = op if isinstance(op, str) else op.name
        taken = sorted((product for product in self.products if product.target == name), key=lambda p: p.input)
        return [self.op(product.source) for product in taken]

    def consumers(self, op: Op | str) -> list[Op]:
        """The ops that take its outputs."""
        name = op if isinstance(op, str) else op.name
        return [self.op(product.target) for product in self.products if product.source == name]

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """A directed graph whose nodes are the names of ops. Needs networkx."""
        import networkx as nx  # only when asked for

        graph: networkx.MultiDiGraph[str] = nx.MultiDiGraph(path=self.path, format=self.format)
        for op in self.ops:
            graph.add_node(op.name, op=op, type=op.type, kind=op.kind, module=op.module, parent=op.parent)
        for product in self.products:
            graph.add_edge(product.source, product.target, product=product, shape=product.shape, dtype=product.dtype)
        return graph

    def to_dot(self) -> str:
        """The graph in Graphviz's language, with what the checks find.

        @raises ValueError for a graph that was not read from a model
        """
        if self._dot is None:
            raise ValueError("a graph that was made in memory has no drawing")
        return self._dot()

    def _repr_svg_(self) -> str | None:
        """What a notebook shows, where Graphviz is installed."""
        if self._dot is None or not shutil.which("dot"):
            return None
        return subprocess.run(["dot", "-Tsvg"], input=self._dot(), capture_output=True, text=True, check=True).stdout


def _op(data: Mapping[str, Any]) -> Op:
    source = data["source"]
    return Op(
        name=data["name"],
        type=data["type"],
        kind=data["kind"],
        module=data["module"],
        module_class=data["module_class"],
        parent=data["parent"],
        parent_class=data["parent_class"],
        schema=data["schema"],
        region=tuple(data["region"]),
        source=SourceLocation(source["file"], source["line"], source["column"]) if source else None,
    )


def _product(data: Mapping[str, Any]) -> Product:
    shape = data["shape"]
    return Product(
        name=data["name"],
        source=data["from"],
        target=data["to"],
        output=data["output"],
        input=data["input"],
        shape=None if shape is None else tuple(-1 if size is None else size for size in shape),
        dtype=data["dtype"],
    )


def _module(data: Mapping[str, Any]) -> Module:
    return Module(data["path"], data["class"] or "", tuple(data["aliases"]), data["leaf"], data["calls"])


def graph_from_json(data: Mapping[str, Any]) -> ConnectedGraph:
    """The graph in the program's JSON; without the model file it cannot be drawn."""

    def cannot_be_drawn() -> str:
        raise ValueError("a graph is drawn from its file")

    return _graph_from(data, cannot_be_drawn)


def _graph_from(data: Mapping[str, Any], draw: Callable[[], str]) -> ConnectedGraph:
    return ConnectedGraph(
        path=data["path"],
        format=data["format"],
        ops=tuple(_op(op) for op in data["ops"]),
        products=tuple(_product(product) for product in data["products"]),
        modules=tuple(_module(module) for module in data["modules"]),
        inputs=tuple(port["name"] for port in data["inputs"]),
        outputs=tuple(port["name"] for port in data["outputs"]),
        _dot=draw,
    )


def chain(*types: str, path: str = "test") -> ConnectedGraph:
    """A small graph to try a check on: an input, one functional op of each type, an output, one after the other."""
    counts: dict[str, int] = {}
    ops = [Op("input_0", "input", "input")]
    for kind in types:
        ops.append(Op(f"{kind}_{counts.get(kind, 0)}", kind, parent=""))
        counts[kind] = counts.get(kind, 0) + 1
    ops.append(Op("output_0", "output", "output"))
    return graph_of(ops, [(one.name, other.name) for one, other in itertools.pairwise(ops)], path=path)


def graph_of(ops: Sequence[Op], edges: Sequence[tuple[str, str]], path: str = "test") -> ConnectedGraph:
    """A graph to try a check on. @raises ValueError for an edge to an op that is not there"""
    names = {op.name for op in ops}
    if missing := {name for edge in edges for name in edge} - names:
        raise ValueError(f"there is no op {sorted(missing)[0]!r}")
    taken: dict[str, int] = {}
    products = []
    for source, target in edges:
        products.append(Product(source, source, target, input=taken.get(target, 0)))
        taken[target] = taken.get(target, 0) + 1
    return ConnectedGraph(
        path, "memory", tuple(ops), tuple(products),
        inputs=tuple(op.name for op in ops if op.kind == "input"),
        outputs=tuple(op.name for op in ops if op.kind == "output"),
    )  # fmt: skip
