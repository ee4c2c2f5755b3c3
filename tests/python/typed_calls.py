"""Calls as users write them, for type checkers; none is run. What is right passes. What is wrong is refused: where it were not, mypy and
pyright would say that its `type: ignore` is needless.
"""
# mypy: disable-error-code="import-untyped"
# pyright: reportUnnecessaryTypeIgnoreComment=error, reportUnnecessaryComparison=error

from __future__ import annotations

import io
from collections import OrderedDict
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import openvino
import torch
from torch import nn

import model_validator as mv
from model_validator import batch
from model_validator.pytest_plugin import CheckModel, VerifyModels

x = torch.ones(1, 3)
net = nn.Linear(3, 3)
scripted = torch.jit.script(net)
program = torch.export.export(net, (x,))
file = Path("net.pt")
proto = onnx.load("net.onnx")


def models(loaded: torch.jit.ScriptModule) -> None:
    for model in (net, nn.Sequential(net), nn.ModuleList([net])[0]):
        mv.check(model, x)
    for path in ("net.pt", file, file.read_bytes(), bytearray(b""), memoryview(b""), io.BytesIO().getvalue()):
        mv.check(path)
    mv.check(scripted)
    mv.check(loaded)
    mv.check(program)
    mv.check(torch.export.load("net.pt2"))
    mv.check(proto)
    mv.Model(program).graph.to_dot()
    mv.ConnectedGraph.read(proto)
    mv.diff(mv.Model(net, x), "net.pt")
    mv.partition(net, ["openvino", "tensorrt"], x)

    mv.check(3)  # type: ignore[arg-type]
    mv.check(None)  # type: ignore[arg-type]
    mv.check(x)  # type: ignore[arg-type]
    mv.check(np.ones(3))  # type: ignore[arg-type]
    mv.check(nn.Linear)  # type: ignore[arg-type]
    mv.check([net])  # type: ignore[arg-type]
    mv.check(net.state_dict())  # type: ignore[arg-type]
    mv.check(OrderedDict(weight=x))  # type: ignore[arg-type]
    mv.check(torch.sin)  # type: ignore[arg-type]
    mv.check()  # type: ignore[call-arg]
    mv.Model(3)  # type: ignore[arg-type]
    mv.ConnectedGraph.read(3)  # type: ignore[arg-type]
    mv.diff("a.pt", 3)  # type: ignore[arg-type]
    mv.partition(3, "openvino")  # type: ignore[arg-type]
    mv.partition(net, x)  # type: ignore[arg-type]


def options(chosen: str | None, limits: int | None) -> None:
    mv.check(file, target="openvino", preset="deploy", fail_on="never", severity={"reused-modules": "off"}, isolated=True)
    mv.check(file, target=["openvino", "tensorrt"], select="ALL", ignore=("QNT",), profile=[file], opset=17, baseline=file, config=None)
    mv.check(file, sandbox="require", max_memory=limits, max_cpu=60, timeout=0.5, op_library=file, target=chosen)
    mv.check(file, "x=1x3", seed=1, samples=2, sizes=["x.0=1,2"], range="0..1", run_values=True, max_steps=0)
    mv.check(net, x, export="export", name="net", validators=[Quiet, Quiet()], verbose=True, show_suppressed=True)
    mv.check(net, x, fail_on_installed=True, extend_select=["NUM"])
    mv.Model(file, "x=1x3", max_cpu=3).get_inference_function()
    mv.ConnectedGraph.read(file, max_steps=3, timeout=2)
    mv.partition(file, "openvino", fallback="ts", smallest=2, gains=0, max_memory=64)
    mv.diff(file, "other.pt", op_library=["a.so"], sandbox="off")
    batch.run(["models"], "out", engine="ray", target="openvino", timeout=3.0, severity={"reused-modules": "info"})
    batch.plan("models", "out", preset="quantise")

    mv.check(file, targt="x")  # type: ignore[call-arg]
    mv.check(file, fail_on="eror")  # type: ignore[arg-type]
    mv.check(file, severity={"reused-modules": "eror"})  # type: ignore[dict-item]
    mv.check(file, severity="error")  # type: ignore[arg-type]
    mv.check(file, preset="quantize")  # type: ignore[arg-type]
    mv.check(file, sandbox="on")  # type: ignore[arg-type]
    mv.check(file, opset="17")  # type: ignore[arg-type]
    mv.check(file, max_memory="2048")  # type: ignore[arg-type]
    mv.check(file, timeout="3")  # type: ignore[arg-type]
    mv.check(file, seed=0.5)  # type: ignore[arg-type]
    mv.check(file, run_values="yes")  # type: ignore[arg-type]
    mv.check(file, target=3)  # type: ignore[arg-type]
    mv.check(file, validators=[Path])  # type: ignore[list-item]
    mv.check(net, x, export="onnx")  # type: ignore[arg-type]
    mv.check(file, fallback="ts")  # type: ignore[call-arg]
    mv.Model(file, target="openvino")  # type: ignore[call-arg]
    mv.ConnectedGraph.read(file, max_step=3)  # type: ignore[call-arg]
    mv.partition(file, "openvino", fallback="eagre")  # type: ignore[arg-type]
    mv.partition(file, "openvino", seed=3)  # type: ignore[call-arg]
    mv.diff(file, file, seed=3)  # type: ignore[call-arg]
    batch.run(["models"], "out", engine="dask")  # type: ignore[arg-type]
    batch.run(["models"], "out", tagret="openvino")  # type: ignore[call-arg]
    batch.plan("models", "out", isolated=True)  # type: ignore[call-arg]


def verification(session: onnxruntime.InferenceSession, compiled: openvino.CompiledModel) -> None:
    closely = mv.VerifyConfig(value_checker=mv.AllCloseValueChecker(rtol=1e-3), worst=3)
    for candidate in (net, torch.sin, lambda a: a, "net.onnx", file, program, scripted, torch.compile(net)):
        mv.verify([x], net, candidate)
    mv.verify({"x": x.numpy()}, file, session, closely, rtol=1e-3)
    mv.assert_verified(x, compiled, net, rtol={"y": 0.1})
    mv.compare([x], (x,), closely, reference="net")
    mv.same(x, x, tol=1e-3).differences  # noqa: B018
    mv.compile(net, "eager", fullgraph=True, dynamic=None, mode="reduce-overhead", sample_inputs=[x])
    mv.compile(backend=mv.verified("inductor"))(net)

    mv.verify([x], 3, net)  # type: ignore[arg-type]
    mv.verify([x], net, net.state_dict())  # type: ignore[arg-type]
    mv.verify([x], net, net, mv.AllCloseValueChecker())  # type: ignore[arg-type]
    mv.verify([x], net, net, rtoll=1e-3)  # type: ignore[call-arg]
    mv.verify([x], net, net, rtol="1e-3")  # type: ignore[arg-type]
    mv.assert_verified([x], net)  # type: ignore[call-arg]
    mv.compare([x], [x], refrence="net")  # type: ignore[call-arg]
    mv.same(x, x, tolerance=1e-3)  # type: ignore[call-arg]
    mv.compile(net, fulgraph=True)  # type: ignore[call-arg]
    mv.compile(3)  # type: ignore[arg-type]
    mv.VerifyConfig(verify_dtypes=False)  # type: ignore[call-arg]


def results(report: mv.Report, graph: mv.ConnectedGraph) -> None:
    print(report.findings[0].severity == "error", report.format == "exported-program", graph.ops[0].kind == "control_flow")

    print(report.findings[0].severity == "eror")  # type: ignore[comparison-overlap]
    print(report.format == "pt2")  # type: ignore[comparison-overlap]
    print(graph.ops[0].kind == "control flow")  # type: ignore[comparison-overlap]


class Quiet(mv.Validator):
    info = mv.RuleInfo("quiet", "TEAM001", severity="info")

    def run(self, graph: mv.ConnectedGraph, diagnostics: mv.Diagnostics) -> None:
        diagnostics.add("nothing", severity="warning")
        diagnostics.add("nothing", severity="warn")  # type: ignore[arg-type]
        mv.RuleInfo("quiet", "TEAM001", severity="warn")  # type: ignore[arg-type]


def test_of_theirs(check_model: CheckModel, verify_models: VerifyModels) -> None:
    check_model(net, x, target="openvino", validators=[Quiet])
    verify_models([x], net, file, atol=1e-3)

    check_model(net, x, targt="openvino")  # type: ignore[call-arg]
    check_model(3)  # type: ignore[arg-type]
    verify_models([x], net, file, atoll=1e-3)  # type: ignore[call-arg]
