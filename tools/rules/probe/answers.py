"""The four answers to a question: right, wrong (by how much), fails when run, refused. Kept in a file, so that each is asked for once."""
from __future__ import annotations

import collections
import dataclasses
import itertools
import json
import math
import pathlib
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy
import onnx
import onnx.numpy_helper

from probe.children import SLOW, asked
from probe.question import Question
from probe.reference import reference
from probe.runtime import Runtime

# Relative to the largest value: what the format of numbers explains is not wrong.
TOLERANCES = {"float64": 1e-4, "float32": 1e-3, "float16": 1e-2, "bfloat16": 6e-2}
LARGEST_HALF = 65504
COARSE = 0.26  # of 8 bits and fewer
ENOUGH = 6  # answers that an operator is not there


@dataclasses.dataclass
class Answer:
    kind: str  # right, wrong, fails, refused, not compared
    said: str = ""
    off: float = 0  # the largest difference
    scale: float = 0  # the largest value expected
    crashed: bool = False


def tolerance(dtype: numpy.dtype[Any]) -> float:
    return TOLERANCES.get(dtype.name, 1e-4 if dtype.kind in "iu" and "int4" not in dtype.name else COARSE)


def difference(found: Any, expected: Any, precision: str = "float32") -> tuple[str, float, float]:
    """What is wrong with a result, by how much, of how much; nothing where it is right. `precision`: in which real numbers are computed."""
    found, expected = numpy.asarray(found), numpy.asarray(expected)
    if found.shape != expected.shape:
        return f"{SHAPE} {list(found.shape)} instead of {list(expected.shape)}", 0, 0
    if expected.dtype.kind in "OSU" or found.dtype.kind in "OSU":
        return "", 0, 0  # each library has its own strings
    if expected.dtype.kind in "bc":
        wrong = int(numpy.sum(numpy.asarray(found) != expected))
        return (f"{wrong} of {expected.size} values are wrong" if wrong else ""), 0, 0
    coarse = tolerance(expected.dtype)
    a, b = found.astype(numpy.float64), expected.astype(numpy.float64)
    if precision == "float16" and expected.dtype.kind == "f":
        coarse = max(coarse, TOLERANCES[precision])
        within = numpy.abs(b) <= LARGEST_HALF
        a, b = a[within], b[within]  # no other number has a place in it
    if not numpy.array_equal(numpy.isnan(a), numpy.isnan(b)):
        return "gives NaN elsewhere", 0, 0
    known = numpy.isfinite(b) & ~numpy.isnan(a)
    if not numpy.array_equal(a[~known & ~numpy.isnan(b)], b[~known & ~numpy.isnan(b)]):
        return "gives infinities elsewhere", 0, 0
    if not known.any():
        return "", 0, 0
    off, scale = float(numpy.max(numpy.abs(a[known] - b[known]))), float(numpy.max(numpy.abs(b[known])))
    # Quantised numbers may round to the other side.
    slack = 1 if expected.dtype.itemsize == 1 and expected.dtype.kind in "iu" else 0
    return (f"is off by {off:.3g} of {scale:.3g}" if off > coarse * max(scale, 1e-3) + slack else ""), off, scale


def flat(values: list[Any]) -> list[Any]:
    return [each for value in values for each in (flat(value) if isinstance(value, list) else [value])]


def in_half(value: Any) -> Any:
    """Real numbers as float16 has them."""
    if isinstance(value, numpy.ndarray) and value.dtype.kind == "f":
        with numpy.errstate(over="ignore"):
            return value.astype(numpy.float16).astype(value.dtype)
    return value


def expected_of_rounded(question: Question) -> list[Any] | None:
    """What ONNX's own implementation computes from inputs and constants that float16 holds."""
    model = onnx.ModelProto.FromString(question.model)
    for constant in model.graph.initializer:
        if constant.data_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE):
            constant.CopyFrom(onnx.numpy_helper.from_array(in_half(onnx.numpy_helper.to_array(constant)), constant.name))
    return reference(model, {name: in_half(value) for name, value in question.inputs.items()})


def compared(outputs: list[Any], expected: list[Any], precision: str) -> Answer:
    for found, value in zip(outputs, expected, strict=True):
        right = onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value
        wrong, off, scale = difference(found, right, precision)
        if wrong:
            return Answer("wrong", wrong, off, scale)
    return Answer("right")


def of_words(said: dict[str, str | None]) -> Answer | None:
    """The answer where nothing was computed."""
    if "crash" in said:
        return Answer("refused", said["crash"] or "", crashed=said["crash"] != SLOW)
    if said["load"] is not None:
        return Answer("refused", said["load"])
    failure = said.get("run")
    if failure is None:
        return None
    return Answer("not compared") if HANDED_OVER.search(failure) else Answer("fails", failure)


def may_be_compared(outputs: list[Any], expected: list[Any]) -> bool:
    return len(outputs) == len(expected) and not any(isinstance(v, list) or v is None for v in [*expected, *outputs])


def is_rounding(question: Question, outputs: list[Any], precision: str) -> bool:
    """Whether the outputs are right for inputs and constants as the runtime rounds them."""
    rounded = expected_of_rounded(question) if precision == "float16" else None
    return rounded is not None and compared(outputs, rounded, precision).kind == "right"


def judged(question: Question, said: dict[str, str | None], outputs: list[Any] | None, precision: str = "float32") -> Answer:
    if (answer := of_words(said)) is not None:
        return answer
    if outputs is None or question.expected is None:
        return Answer("not compared", RAN if "run" in said else "")
    if not may_be_compared(outputs, question.expected):
        return Answer("not compared")
    answer = compared(outputs, question.expected, precision)
    return Answer("right") if answer.kind == "wrong" and is_rounding(question, outputs, precision) else answer


def place(runtime: Runtime, folder: pathlib.Path) -> pathlib.Path:
    return folder / f"answers-{runtime.target}-{runtime.version}.jsonl"


def kept(runtime: Runtime, folder: pathlib.Path) -> dict[str, Answer]:
    """The answers that were given before."""
    return kept_in(place(runtime, folder))


def kept_in(file: pathlib.Path) -> dict[str, Answer]:
    found = {name: Answer(**answer) for name, answer in map(json.loads, file.read_text().splitlines())} if file.exists() else {}
    return {name: Answer("not compared") if answer.kind == "fails" and HANDED_OVER.search(answer.said) else answer for name, answer in found.items()}


def of_others(runtime: Runtime, folder: pathlib.Path) -> list[dict[str, Answer]]:
    """What other runtimes and releases answered: what one computes wrongly, another may compute as ONNX defines it."""
    files = sorted(folder.glob("answers-*.jsonl"))
    return [kept_in(file) for file in files if file != place(runtime, folder)]


def kind_of(question: Question) -> tuple[str, bool]:
    """What a runtime may have in one way alone: an operator, and whether its operands are constants."""
    return " ".join(question.operators), "constant" in question.name


def ask(runtime: Runtime, questions: Iterable[Question], folder: pathlib.Path, minutes: float = math.inf) -> dict[str, Answer]:
    """Question -> the runtime's answer, as far as it is given in time. What it says several times it does not have is asked about no more."""
    known = kept(runtime, folder)
    lacking: collections.Counter[tuple[str, bool]] = collections.Counter()
    end = time.monotonic() + 60 * minutes

    def note(question: Question) -> None:
        if runtime.lacks(known[question.name].said):
            lacking[kind_of(question)] += 1

    def missing() -> Iterator[Question]:
        for question in questions:
            if question.name in known:
                note(question)
            elif lacking[kind_of(question)] < ENOUGH:
                yield question

    with place(runtime, folder).open("a") as out:
        for question, said, outputs in asked(runtime, itertools.takewhile(lambda _: time.monotonic() < end, missing())):
            known[question.name] = judged(question, said, outputs, runtime.precision)
            note(question)
            print(json.dumps([question.name, dataclasses.asdict(known[question.name])]), file=out, flush=True)
    return known


RAN = "it ran"
SHAPE = "gives the shape"
# A run that a runtime ends since sizes or values do not fit each other: then the model makes no sense, whatever the checker let pass.
UNFIT = re.compile(r"INVALID_ARGUMENT : Non-zero status code(?!.*([Uu]nsupported|not supported))|by zero|should be equal to rank|"
                   r"Invalid sequence length|Split size|"
                   r"number of outputs|does not match num_outputs|Pads tensor size|axis -?\d+ is not in valid range")
FOLDED = re.compile("All outputs .* of model are constants")  # by a product with zeros, say: then nothing was asked
OF_FILE = re.compile("Unsupported model IR version")
HANDED_OVER = re.compile("Unexpected input data type|ParameterMismatch|Creation of OrtValues")  # by us, not by the model
NONSENSE = re.compile(r"\.(\w+)=(-?\d+)$")


def is_of_model(answer: Answer) -> bool:
    """Whether it tells only that sizes do not fit, or that nothing was left to compute."""
    return (answer.kind == "fails" and UNFIT.search(answer.said) is not None) or FOLDED.search(answer.said) is not None


def formal_attribute(operator: str, name: str) -> onnx.defs.OpSchema.Attribute | None:
    domain, _, bare = operator.rpartition("::")
    return onnx.defs.get_schema(bare, domain="" if domain == "onnx" else domain).attributes.get(name)


def has_meaningless_number(question: Question) -> bool:
    """Whether a varied attribute has a number that means nothing: one whose default is 0 or 1, and that ONNX only ever sets to these, is a flag."""
    found = NONSENSE.search(question.name)
    if found is None or found[2] in ("0", "1"):
        return False
    formal = formal_attribute(question.operators[0], found[1])
    if formal is None or found[1] in COUNTS or str(formal.type) != "AttrType.INT":
        return False
    default = formal.default_value
    is_negative = found[2] == "-1" and default.i >= 0  # no count, order or length is
    return is_negative or (default.i in (0, 1) and bool(default.name))


def has_a_sense(question: Question, answer: Answer) -> bool:
    if ".hidden_size=" in question.name or OF_FILE.search(answer.said) or answer.said == SLOW:
        return False  # the weights have another size; the file is of a newer version; another time it may answer
    if question.operators == ["onnx::TopK"] and "sorted=0" in question.name:
        return False  # any order is right
    return question.source == "node test" or not (is_of_model(answer) or has_meaningless_number(question))


COUNTS = {"axis", "batch_axis", "time_axis", "group", "num_groups", "to", "dtype", "p", "size"}


def has_inferred_shapes(question: Question) -> bool:
    """Whether ONNX's shape inference also gives the expected results their shapes."""
    model = onnx.ModelProto.FromString(question.model)
    for result in model.graph.output:
        result.type.tensor_type.ClearField("shape")
    found = [[dim.dim_value for dim in v.type.tensor_type.shape.dim] for v in onnx.shape_inference.infer_shapes(model, data_prop=True).graph.output]
    return found == [list(numpy.shape(value)) for value in question.expected or []]


def doubtful(asked: list[Question], known: dict[str, Answer], others: list[dict[str, Answer]]) -> set[str]:
    """Questions that only onnx.reference says are computed wrongly: it has faults of its own, where nothing else agrees with it."""
    return {q.name for q in asked if q.name in known and known[q.name].kind == "wrong"
            and not any(q.name in other and other[q.name].kind == "right" for other in others)
            and not (known[q.name].said.startswith(SHAPE) and has_inferred_shapes(q))}


def counts(answers: dict[str, Answer], questions: list[Question]) -> str:
    found = collections.Counter(answers[q.name].kind for q in questions)
    return ", ".join(f"{n} {kind}" for kind, n in sorted(found.items()))
