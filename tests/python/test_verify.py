"""Verification: any two callables, against real torch, ONNX Runtime and OpenVINO."""

from __future__ import annotations

import collections
import copy
import dataclasses
import json
import operator
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnxruntime
import openvino
import pytest
import torch
from conftest import MODELS, Net
from torch.fx._lazy_graph_module import _force_skip_lazy_graph_module

import model_validator as mv

RESNET = MODELS / "resnet18.onnx"


@pytest.fixture(scope="module")
def resnet() -> Any:
    return torch.jit.load(str(MODELS / "resnet18.scripted.pt")).eval()


@pytest.fixture(scope="module")
def photo() -> torch.Tensor:
    return torch.randn(1, 3, 64, 64, generator=torch.Generator().manual_seed(0))


def compiled_by_openvino(precision: str) -> Any:
    return openvino.Core().compile_model(str(RESNET), "CPU", {"INFERENCE_PRECISION_HINT": precision})


def compiled_models() -> dict[str, Any]:
    return {
        "onnxruntime": onnxruntime.InferenceSession(str(RESNET), providers=["CPUExecutionProvider"]),
        "openvino": compiled_by_openvino("f32"),
        "the path of an ONNX file": str(RESNET),
        "the path of a .pt2": MODELS / "resnet18.pt2",
        "another trace": torch.jit.load(str(MODELS / "resnet18.traced.pt")),
        "a program": torch.export.load(str(MODELS / "resnet18.pt2")),
    }


def test_an_onnx_file_is_not_the_reference_of_its_own_optimised_run(photo: torch.Tensor) -> None:
    report = mv.verify([photo], RESNET, compiled_models()["onnxruntime"])
    # Batch normalisations are folded into convolutions, and round otherwise.
    assert report.outputs[0]["metrics"]["max_abs"] > 0


def test_an_openvino_model_is_run_from_its_path(photo: torch.Tensor, tmp_path: Path) -> None:
    model, path = openvino.convert_model(RESNET), tmp_path / "resnet.xml"
    openvino.save_model(model, path, compress_to_fp16=False)
    report = mv.verify([photo], RESNET, path)
    assert "weights are stored in" not in str(report)
    openvino.save_model(model, path)  # in float16
    report = mv.verify([photo], RESNET, path)
    assert "weights are stored in f16" in str(report)
    with pytest.raises(mv.VerificationError):
        mv.verify([photo], RESNET, path, rtol=1e-6)
    session = onnxruntime.InferenceSession(str(RESNET), providers=["CPUExecutionProvider"])
    (given,) = session.get_inputs()
    with pytest.raises(mv.VerificationError):
        mv.verify([photo], lambda x: 1.05 * session.run(None, {given.name: x.numpy()})[0], path)
    path.with_suffix(".bin").unlink()
    with pytest.raises(mv.ModelValidatorError, match="bin file cannot be found"):
        mv.verify([photo], RESNET, path)


@pytest.mark.parametrize("name", list(compiled_models()))
def test_honest_compilers_pass(name: str, resnet: Any, photo: torch.Tensor) -> None:
    model = compiled_models()[name]
    for inputs in ([photo], photo, (photo.numpy(),)):
        report = mv.verify(inputs, resnet, model)
        assert report, str(report)
        assert report.first_failure == ""


def test_the_report_names_a_lower_precision(resnet: Any, photo: torch.Tensor) -> None:
    model = compiled_by_openvino("bf16")  # which a processor without bfloat16 makes f32
    precision = model.get_property("INFERENCE_PRECISION_HINT").to_string()
    named = {"bf16": "comparing CompiledModel in bf16 with", "f32": "comparing CompiledModel with"}
    rounds_a_lot = mv.VerifyConfig(value_checker=mv.AutomaticValueChecker())
    assert named[precision] in str(mv.verify([photo], resnet, model, rounds_a_lot))


def test_a_faulty_weight_is_found(resnet: Any, photo: torch.Tensor) -> None:
    faulty = torch.jit.load(str(MODELS / "faulty" / "perturbed_weight.pt")).eval()
    strict = mv.AllCloseValueChecker()
    report = mv.verify([photo], resnet, faulty, mv.VerifyConfig(value_checker=strict, raise_on_difference=False))
    assert not report
    assert report.first_failure.startswith("Data mismatch -> AllCloseValueChecker (all_close):")
    assert json.loads(report.to_json())["schema"] == "model_validator-verify/1"
    with pytest.raises(mv.VerificationError, match="Data mismatch") as raised:
        mv.verify([photo], resnet, faulty, mv.VerifyConfig(value_checker=strict))
    assert isinstance(raised.value, AssertionError)
    assert raised.value.report is not None and not raised.value.report.ok
    assert isinstance(pickle.loads(pickle.dumps(raised.value)), mv.VerificationError)


class Add(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a + b


class Multiply(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a * b


def test_a_test_that_was_written_for_tt_forge_fails() -> None:
    inputs = [torch.rand(2, 32, 32), torch.rand(2, 32, 32)]
    assert mv.verify(inputs, Add(), Add()).ok
    with pytest.raises(mv.VerificationError):
        mv.verify(inputs, Add(), Multiply())
    quiet = mv.VerifyConfig(raise_on_difference=False)
    assert not mv.verify(inputs, Add(), Multiply(), quiet).ok
    with pytest.raises(mv.VerificationError):
        mv.assert_verified(inputs, Add(), Multiply(), quiet)


def test_a_shift_of_a_hundredth_is_told_unless_correlation_alone_is_asked_for() -> None:
    x = torch.randn(64, 10, generator=torch.Generator().manual_seed(0))

    def shifted(x: torch.Tensor) -> torch.Tensor:
        return x + 1e-2

    with pytest.raises(mv.VerificationError):
        mv.verify([x], torch.clone, shifted)
    assert mv.verify([x], torch.clone, shifted, mv.VerifyConfig(value_checker=mv.AutomaticValueChecker()))


def test_tt_forges_messages_in_its_order() -> None:
    def of(value: Any) -> Any:
        return lambda *_: value

    one = torch.ones(2, 2)
    failures = {
        "Number of outputs from framework model and compiled model do not match: "
        "framework model has 1 outputs, compiled model has 2 outputs": (one, (one, one)),
        "Dtype mismatch: framework_model.dtype=": (one, one.double()),
        "Shape mismatch: framework_model.shape=": (one, torch.ones(4)),
        "Data mismatch -> AutomaticValueChecker (compare_with_golden):": (torch.randn(8), torch.randn(8)),
    }
    for message, (framework, compiled) in failures.items():
        with pytest.raises(mv.VerificationError) as raised:
            mv.verify([], of(framework), of(compiled), mv.VerifyConfig(value_checker=mv.AutomaticValueChecker()))
        assert raised.value.first_failure.startswith(message), raised.value.first_failure


def test_what_is_switched_off_is_not_compared() -> None:
    one = torch.ones(3)

    def verdict(framework: Any, compiled: Any, **off: bool) -> bool:
        return bool(mv.verify([], lambda: framework, lambda: compiled, mv.VerifyConfig(raise_on_difference=False, **off)))

    assert not verdict(one, one.double())
    assert verdict(one, one.double(), verify_dtype=False)
    assert not verdict(one, 2 * one)
    assert verdict(one, 2 * one, verify_values=False)
    assert verdict(one, (2 * one, one), enabled=False)
    report = mv.verify([], lambda: one, lambda: 2 * one, mv.VerifyConfig(enabled=False))
    assert torch.equal(report.compiled_output, 2 * one)


def test_what_is_compared_by_default_is_what_tt_forge_compares_by_the_commands_rule() -> None:
    assert mv.VerifyConfig() == mv.VerifyConfig(True, True, True, True, True, mv.DefaultValueChecker())
    tt_forges = mv.AutomaticValueChecker()
    assert tt_forges == mv.AutomaticValueChecker(pcc=0.99, rtol=1e-5, atol=1e-8, dissimilarity_threshold=1e-3)


def test_checkers_differ_where_they_should() -> None:
    x = torch.randn(1000, generator=torch.Generator().manual_seed(0))
    near = x + 1e-3 * torch.randn(1000, generator=torch.Generator().manual_seed(1))

    def verdict(a: Any, b: Any, checker: Any) -> bool:
        return bool(mv.compare(a, b, mv.VerifyConfig(value_checker=checker)))

    assert verdict(x, near, mv.AutomaticValueChecker())
    assert not verdict(x, near, mv.FullValueChecker())
    assert not verdict(x, near, mv.DefaultValueChecker())
    assert verdict(x, near, mv.DefaultValueChecker(rtol=1e-2, pcc=0.99))
    outputs = ({"logits": x, "aux": x}, {"logits": near, "aux": x})
    assert not verdict(x, near, mv.DefaultValueChecker(rtol={}))
    assert verdict(*outputs, mv.DefaultValueChecker(rtol={"logits": 1e-2}, pcc={"logits": 0.99}))
    assert not verdict(*outputs, mv.DefaultValueChecker(rtol={"aux": 1e-2}, pcc={"aux": 0.99}))
    assert not verdict(x, 2 * x, mv.AutomaticValueChecker())
    assert verdict(x, 2 * x, mv.AutomaticValueChecker(pcc_alone=True))
    nan = torch.tensor([1.0, float("nan")])
    assert not verdict(nan, nan, mv.AllCloseValueChecker())
    assert verdict(nan, nan, mv.AllCloseValueChecker(equal_nan=True))


def test_a_copy_in_few_bits_is_judged_by_its_noise() -> None:
    x = torch.randn(1000, generator=torch.Generator().manual_seed(0))
    scale = float(x.abs().max()) / 127
    rounded = torch.round(x / scale) * scale

    def verdict(a: Any, b: Any, checker: Any) -> bool:
        return bool(mv.compare(a, b, mv.VerifyConfig(value_checker=checker)))

    assert not verdict(x, rounded, mv.DefaultValueChecker())
    assert verdict(x, rounded, mv.QuantisedValueChecker())
    assert not verdict(x, rounded, mv.QuantisedValueChecker(sqnr=60))
    assert not verdict(x, 2 * x, mv.QuantisedValueChecker())
    outputs = ({"logits": x, "aux": x}, {"logits": rounded, "aux": x})
    assert verdict(*outputs, mv.QuantisedValueChecker(sqnr={"aux": 60}))
    assert not verdict(*outputs, mv.QuantisedValueChecker(sqnr={"logits": 60}))
    chosen = torch.arange(10)
    one_wrong, two_wrong = chosen.clone(), chosen.clone()
    one_wrong[0], two_wrong[:2] = 7, 7
    assert verdict(chosen, one_wrong, mv.QuantisedValueChecker())
    assert not verdict(chosen, two_wrong, mv.QuantisedValueChecker())
    assert verdict(chosen, two_wrong, mv.QuantisedValueChecker(agreement=0.8))


@dataclasses.dataclass
class Output:
    logits: torch.Tensor
    loss: float


Pair = collections.namedtuple("Pair", ["first", "second"])


@pytest.mark.parametrize(
    "value",
    [
        {"logits": torch.ones(2), "past": [(torch.zeros(1), torch.zeros(0, 3))]},
        Pair(torch.ones(2), None),
        Output(torch.ones(2), 0.5),
        [1, 2.5, True, "text", None, float("inf"), 2**70],
        collections.OrderedDict(a=np.ones(3), b=np.float32(2)),
        {1: torch.ones(1), (2, 3): torch.ones(1)},
        (),
    ],
)
def test_results_nest(value: Any) -> None:
    report = mv.compare(value, value)
    assert report.ok, str(report)


def test_the_name_of_a_nested_output() -> None:
    a = {"past": [torch.ones(4), torch.arange(4.0)]}
    b = {"past": [torch.ones(4), torch.arange(4.0).flip(0)]}
    report = mv.compare(a, b)
    failed = [output["name"] for output in report.outputs if not all(verdict["passed"] for verdict in output["verdicts"])]
    assert failed == ["past.1"]


TORCH_DTYPES = [
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64,
    torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128,
    torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz,
]  # fmt: skip


@pytest.mark.parametrize("dtype", TORCH_DTYPES, ids=str)
def test_dtypes_of_torch(dtype: torch.dtype) -> None:
    base = torch.tensor([[0.0, 1.0, 1.0], [1.0, 0.0, 2.0]]).to(dtype)
    other = torch.tensor([[0.0, 1.0, 1.0], [1.0, 1.0, 4.0]]).to(dtype)
    exact = mv.VerifyConfig(value_checker=mv.AllCloseValueChecker())
    assert mv.compare(base, base.clone(), exact).ok
    assert not mv.compare(base, other, exact).ok


@pytest.mark.parametrize(
    "dtype",
    [*"bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 float32 float64 complex64 >f4 >i8".split(),
     ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2],
    ids=str,
)  # fmt: skip
def test_dtypes_of_numpy(dtype: Any) -> None:
    base = np.array([[0, 1, 1], [1, 0, 2]]).astype(dtype)
    other = np.array([[0, 1, 1], [1, 1, 4]]).astype(dtype)
    exact = mv.VerifyConfig(value_checker=mv.AllCloseValueChecker())
    assert mv.compare(base, base.copy(), exact).ok
    assert not mv.compare(base, other, exact).ok


def test_layouts() -> None:
    base = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    views = [
        base,
        base.copy(order="F"),
        np.flip(np.flip(base, 1).copy(), 1),
        base.astype(">f4"),
        torch.from_numpy(base),
    ]
    record = np.zeros((2, 3, 4), dtype=[("pad", "u1"), ("value", "f4")])
    record["value"] = base
    views.append(record["value"])
    tensor = torch.from_numpy(base)
    views += [tensor.permute(2, 0, 1).contiguous().permute(1, 2, 0), tensor.to_sparse(), torch.nn.Parameter(tensor)]
    views.append(torch.complex(tensor, -tensor).conj().imag)  # the negative bit is set
    for view in views:
        assert mv.compare(base, view, mv.VerifyConfig(value_checker=mv.AllCloseValueChecker())).ok
    expanded = torch.ones(1, 1).expand(1000, 1000)
    assert mv.compare(expanded, np.ones((1000, 1000), np.float32)).ok
    assert not mv.compare(base, base + 1, mv.VerifyConfig(value_checker=mv.AllCloseValueChecker())).ok


def test_empty_and_scalar_results() -> None:
    for value in (torch.zeros(0), torch.zeros(3, 0, 2), torch.tensor(1.5), np.float64(2), np.zeros(())):
        assert mv.compare(value, value).ok
    assert not mv.compare(torch.zeros(0, 3), torch.zeros(3, 0)).ok
    assert not mv.compare(torch.tensor(1.0), torch.tensor(2.0)).ok
    assert not mv.compare([], [torch.ones(1)]).ok


@pytest.mark.parametrize(
    "value",
    [
        np.array(["a"]),
        np.array([object()]),
        np.array(["2020-01-01"], dtype="M8[D]"),
        object(),
        torch.zeros(2, device="meta"),
    ],
    ids=["text", "object", "date", "class", "meta"],
)
def test_what_cannot_be_compared_is_reported(value: Any) -> None:
    with pytest.raises((TypeError, mv.ModelValidatorError)):
        mv.compare(value, value)


def deep(levels: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = wrap(value)
    return value


@pytest.mark.parametrize("wrap", [lambda value: [value], lambda value: {"a": value}, lambda value: (value, 2)])
def test_results_are_nested_so_deep_and_no_deeper(wrap: Callable[[Any], Any]) -> None:
    circle: list[Any] = []
    circle.append(wrap(circle))
    assert mv.compare(deep(100, wrap), deep(100, wrap)).ok
    for value in (circle, deep(101, wrap), deep(5000, wrap)):
        for ask in (mv.compare, mv.same):
            with pytest.raises(mv.ModelValidatorError, match="a result is nested too deeply") as raised:
                ask(value, value)
            assert raised.value.kind == "bad-value"


def test_settings_that_make_no_sense_are_reported() -> None:
    one = torch.ones(1)
    with pytest.raises(mv.ModelValidatorError, match="between 0 and"):
        mv.compare(one, one, mv.VerifyConfig(worst=-1))
    with pytest.raises(mv.ModelValidatorError, match="not finite"):
        mv.compare(one, one, mv.VerifyConfig(value_checker=mv.AutomaticValueChecker(pcc=float("nan"))))


def test_a_result_within_itself_ends() -> None:
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises((RecursionError, mv.ModelValidatorError)):
        mv.compare(ring, ring)


def test_models_harm_neither_inputs_nor_each_other() -> None:
    def spoils(x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2)

    x = torch.ones(3)
    assert mv.verify([x], spoils, lambda x: 2 * x).ok
    assert torch.equal(x, torch.ones(3))


def test_a_cache_among_the_inputs_is_as_it_was_for_each_model_and_afterwards() -> None:
    class Cache:
        def __init__(self) -> None:
            self.keys: list[torch.Tensor] = []

    def grows(x: torch.Tensor, cache: Cache) -> torch.Tensor:
        cache.keys.append(x)
        return torch.cat(cache.keys)

    cache = Cache()
    assert mv.verify([torch.ones(3), cache], grows, grows).framework_output.shape == (3,)
    assert cache.keys == []


def test_random_numbers_and_state_start_alike() -> None:
    class Counting(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("calls", torch.zeros(()))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.calls += 1
            return torch.dropout(x, 0.5, train=True) + self.calls

    model = Counting()
    for _ in range(2):
        assert mv.verify([torch.ones(100)], model, model).ok
    assert model.calls == 0


def test_inputs_by_name(resnet: Any, photo: torch.Tensor) -> None:
    session = compiled_models()["onnxruntime"]
    name = session.get_inputs()[0].name
    result = mv.verify(
        {name: photo},
        lambda **inputs: resnet(inputs[name]),
        session,
        mv.VerifyConfig(value_checker=mv.DefaultValueChecker()),
    )
    assert result.ok
    with pytest.raises(ValueError, match="1 inputs"):
        mv.verify([photo, photo], session, session)


def test_what_a_model_raises_is_raised() -> None:
    def broken(_x: Any) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        mv.verify([torch.ones(1)], broken, broken)
    with pytest.raises(TypeError, match="cannot be called"):
        mv.verify([torch.ones(1)], 3, 4)


def test_same_is_dynamos() -> None:
    a = {"x": [torch.ones(3), 2]}
    assert mv.same(a, {"x": [torch.ones(3), 2]})
    found = mv.same(a, {"x": [torch.ones(3) + 1, 2]})
    assert not found
    assert found.differences
    assert "x" in found.differences[0]
    assert not mv.same(torch.ones(2), torch.ones(2).double())
    assert mv.same(torch.ones(2), torch.ones(2).double(), exact_dtype=False)
    assert mv.same(torch.tensor([float("nan")]), torch.tensor([float("nan")]), equal_nan=True)
    assert not mv.same(torch.tensor([float("nan")]), torch.tensor([float("nan")]))
    rough = torch.tensor([1.0, 2.0], dtype=torch.float16)
    assert mv.same(rough, rough + 0.001, fp64_ref=torch.tensor([1.0005, 2.0005], dtype=torch.float64))


def toy_example(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    x = a / (torch.abs(a) + 1)
    if b.sum() < 0:
        b = b * -1
    return x * b


def bad_backend(graph: Any, _inputs: Any) -> Any:
    for node in graph.graph.nodes:
        if node.op == "call_function" and node.target == operator.mul:
            node.target = operator.add
    graph.recompile()
    return graph.forward


def copying_bad_backend(graph: Any, inputs: Any) -> Any:
    return bad_backend(copy.deepcopy(graph), inputs)


def test_a_bad_backend_is_found() -> None:
    torch._dynamo.reset()
    inputs = (torch.randn(10), torch.randn(10))
    with pytest.raises(RuntimeError, match="incorrect results of backend"):
        mv.compile(toy_example, backend=copying_bad_backend)(*inputs)
    torch._dynamo.reset()
    wrong = mv.compile(toy_example, backend=copying_bad_backend, verify_correctness=False)(*inputs)
    assert not mv.same(toy_example(*inputs), wrong)


def test_as_a_decorator() -> None:
    torch._dynamo.reset()

    @mv.compile(backend="eager")
    def right(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a * b

    @mv.compile(backend=copying_bad_backend)
    def wrong(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return a * b

    a, b = torch.randn(10), torch.randn(10)
    assert torch.equal(right(a, b), a * b)
    with pytest.raises(RuntimeError, match="incorrect results of backend copying_bad_backend"):
        wrong(a, b)


def writes_to_copies(graph: Any, _inputs: Any) -> Any:
    return lambda *inputs: graph(*(value.clone() if isinstance(value, torch.Tensor) else value for value in inputs))


def test_a_change_in_place_that_is_lost_is_found() -> None:
    def adds_in_place(x: torch.Tensor) -> torch.Tensor:
        x.add_(1)
        return x * 2

    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        x = torch.ones(3)
        assert torch.equal(mv.compile(adds_in_place, backend=backend)(x), torch.full((3,), 4.0))
        assert torch.equal(x, torch.full((3,), 2.0))
    torch._dynamo.reset()
    with pytest.raises(RuntimeError, match=r"change of an input in place: "):
        mv.compile(adds_in_place, backend=writes_to_copies)(torch.ones(3))
    torch._dynamo.reset()
    norm = torch.nn.BatchNorm1d(4)
    assert mv.compile(norm, backend="aot_eager")(torch.randn(8, 4)).shape == (8, 4)
    assert norm.num_batches_tracked == 1
    torch._dynamo.reset()
    with pytest.raises(RuntimeError, match=r"change of an input in place: "):
        mv.compile(torch.nn.BatchNorm1d(4), backend=writes_to_copies)(torch.randn(8, 4))


def rounds_to_bfloat16(graph: Any, _inputs: Any) -> Any:
    return lambda *inputs: tuple(value.bfloat16().float() for value in graph(*inputs))


def in_float32(graph: Any, _inputs: Any) -> Any:
    def run(*inputs: Any) -> Any:
        return tuple(value.bfloat16() for value in copy.deepcopy(graph).float()(*(value.float() for value in inputs)))

    return run


def test_a_compiler_that_computes_more_exactly_is_right() -> None:
    torch.manual_seed(0)
    model, x = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Softmax(1), torch.nn.Linear(64, 8)), torch.randn(4, 64)
    half = copy.deepcopy(model).bfloat16()
    torch._dynamo.reset()
    assert mv.compile(half, backend=in_float32)(x.bfloat16()).dtype == torch.bfloat16
    torch._dynamo.reset()
    with pytest.raises(RuntimeError, match="incorrect results"):
        mv.compile(model, backend=rounds_to_bfloat16)(x)


def draws_again(graph: Any, _inputs: Any) -> Any:
    def run(*inputs: Any) -> Any:
        torch.rand(1)
        return graph(*inputs)

    return run


def test_random_numbers_that_are_drawn_otherwise_are_no_difference() -> None:
    model, x = torch.nn.Dropout(0.5).train(), torch.ones(100)
    torch._dynamo.reset()
    with pytest.warns(UserWarning, match="not verified: the model draws random numbers"):
        mv.compile(model, backend=draws_again)(x)
    torch._dynamo.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mv.compile(model, backend="eager")(x)


def test_inductor_gets_its_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    from torch._inductor import compile_fx

    given: list[Any] = []

    def recorded(graph: Any, _inputs: Any, config_patches: Any = None, **_more: Any) -> Any:
        given.append(config_patches)
        return graph.forward

    monkeypatch.setattr(compile_fx, "compile_fx", recorded)
    torch._dynamo.reset()
    x = torch.randn(16)
    assert mv.same(mv.compile(torch.sin, mode="max-autotune-no-cudagraphs", options={"epilogue_fusion": False})(x), torch.sin(x))
    assert given[0]["max_autotune"] and given[0]["epilogue_fusion"] is False


def test_honest_backends_pass() -> None:
    torch._dynamo.reset()
    model = torch.nn.Sequential(torch.nn.Linear(10, 10), torch.nn.ReLU(), torch.nn.Linear(10, 10), torch.nn.Sigmoid())
    x = torch.randn(10)
    for backend in ("eager", "aot_eager", "ts"):
        with _force_skip_lazy_graph_module():  # which scripting does not take
            compiled = mv.compile(model, backend=backend)
            assert mv.same(model(x), compiled(x))
            assert mv.same(model(x), torch.compile(model, backend=mv.verified(backend))(x))

    def nested(a: torch.Tensor, bc: tuple[torch.Tensor, torch.Tensor], d: int) -> torch.Tensor:
        b, c = bc
        return a / d - b / c

    a, b, c = torch.full((2,), 1.0), torch.full((2,), 2.0), torch.full((2,), 3.0)
    assert torch.equal(mv.compile(nested, backend="eager")(a, (b, c), 4), nested(a, (b, c), 4))


def test_a_backend_that_transforms_in_place_is_found() -> None:
    torch._dynamo.reset()
    inputs = (torch.randn(10), torch.randn(10))
    with pytest.raises(RuntimeError, match="incorrect results of backend bad_backend"):
        torch.compile(toy_example, backend=mv.verified(bad_backend))(*inputs)


def test_torch_compiled_models_are_verified(net: Net, image: torch.Tensor) -> None:
    torch._dynamo.reset()
    assert mv.verify(
        [image], net, torch.compile(net, backend="aot_eager"), mv.VerifyConfig(value_checker=mv.DefaultValueChecker())
    ).ok
