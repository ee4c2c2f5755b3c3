"""The graph, what is asked of a model, its division, and differences."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from conftest import MODELS, Net

import model_validator as mv
from model_validator.graph import chain


def test_ops_products_and_modules_are_objects(net: Net, image: torch.Tensor) -> None:
    graph = mv.ConnectedGraph.read(net, image)
    assert [op.type for op in graph.ops] == ["input", "conv2d", "relu", "relu", "sigmoid", "output"]
    assert graph.path == "Net"
    conv = graph.op("conv2d_0")
    assert (conv.kind, conv.module, conv.module_class) == ("module", "conv", "torch.nn.modules.conv.Conv2d")
    assert conv.source is not None
    assert Path(conv.source.file).name == "conftest.py"
    assert [op.name for op in graph.consumers(conv)] == ["relu_0"]
    assert [op.name for op in graph.producers("relu_0")] == ["conv2d_0"]
    assert {module.path: module.calls for module in graph.modules if module.leaf} == {"conv": 1, "relu": 2}
    assert [graph.op(name).kind for name in (*graph.inputs, *graph.outputs)] == ["input", "output"]


class Functions(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.nn.functional.relu(x)
        return torch.nn.functional.relu(y) + torch.nn.functional.leaky_relu(x)


def test_each_function_that_a_scripted_file_calls_has_its_line(tmp_path: Path) -> None:
    torch.jit.script(Functions()).save(str(tmp_path / "functions.pt"))
    graph = mv.ConnectedGraph.read(tmp_path / "functions.pt")
    first = Functions.forward.__code__.co_firstlineno
    lines = [op.source.line - first for op in graph.ops if op.kind == "functional" and op.source]
    assert lines == [1, 2, 2, 2]


def test_a_graph_goes_to_networkx() -> None:
    import networkx

    graph = mv.ConnectedGraph.read(MODELS / "resnet18.onnx")
    drawn = graph.to_networkx()
    assert networkx.is_directed_acyclic_graph(drawn)
    assert drawn.number_of_nodes() == len(graph.ops)
    assert drawn.number_of_edges() == len(graph.products)
    shapes = [shape for *_, shape in drawn.edges(data="shape")]
    assert shapes[0] == (1, 3, 64, 64)


def test_a_graph_is_drawn(net: Net, image: torch.Tensor) -> None:
    graph = mv.ConnectedGraph.read(net, image)
    assert graph.to_dot().startswith("digraph model {")
    if shutil.which("dot"):
        assert "<svg" in (graph._repr_svg_() or "")
    with pytest.raises(ValueError, match="made in memory"):
        chain("relu").to_dot()


def test_regions_of_control_flow() -> None:
    class Branch(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if x.sum() > 0:
                x = torch.relu(x)
            else:
                x = torch.sigmoid(x)
            return x

    graph = mv.ConnectedGraph.read(Branch())
    assert len(graph.regions) == 2
    assert {op.type: op.region for op in graph.ops if op.region} == {
        "relu": (graph.regions[0],),
        "sigmoid": (graph.regions[1],),
    }


def test_a_model_is_inspected() -> None:
    model = mv.Model(MODELS / "resnet18.onnx")
    assert model.format == "onnx"
    assert model.operators["conv2d"] == 20
    assert model.schemas["onnx::Conv"] == 20
    assert model.input_shapes == ((1, 3, 64, 64),)
    assert model.input_dtypes == ("float32",)
    assert model.output_shapes == ((1, 1000),)
    assert model.parameters.elements > 11_000_000
    assert len(model.structural_hash) == len(model.fingerprint) == 32
    assert model.ir().count("\n") >= 60
    assert ": float32[1, 3, 64, 64]" in model.typed_ir()
    assert len(model.graph.ops) > 60
    assert json.dumps(model.to_dict())


def test_multiply_accumulates_need_shapes() -> None:
    model = torch.nn.Linear(4, 3)
    assert mv.Model(torch.jit.script(model)).multiply_accumulates is None
    traced = mv.Model(MODELS / "resnet18.scripted.pt", "x=1x3x224x224")
    assert traced.multiply_accumulates == 1_814_073_344


def test_a_live_model_has_the_identity_of_its_file(net: Net, tmp_path: Path) -> None:
    scripted = torch.jit.script(net)
    scripted.save(str(tmp_path / "net.pt"))
    assert mv.Model(scripted).fingerprint == mv.Model(tmp_path / "net.pt").fingerprint
    assert mv.Model(scripted).path == type(scripted).__name__


def test_models_are_equal_by_structure_and_weights(scripted_file: Path, net: Net, tmp_path: Path) -> None:
    first, again = mv.Model(scripted_file), mv.Model(scripted_file.read_bytes())
    torch.manual_seed(1)
    trained = mv.Model(torch.jit.script(Net().eval()))
    other = mv.Model(torch.jit.script(torch.nn.ReLU()))
    assert first == again and hash(first) == hash(again) == hash(int(first.structural_hash, 16))
    assert first != trained and hash(first) == hash(trained)
    assert first != other and hash(first) != hash(other)
    assert first != "net.pt" and len({first, again, trained, other}) == 3
    assert mv.diff(first, again).verdict == "same-fingerprint"
    assert mv.diff(first, trained).verdict == "same-structure"
    assert mv.diff(scripted_file, other).verdict == "different-structure"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64])
def test_changed_weights_are_told_by_name_and_size(dtype: torch.dtype) -> None:
    first = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)).to(dtype)
    with torch.no_grad():
        for parameter in first.parameters():
            parameter.fill_(-2)
    second = copy.deepcopy(first)
    with torch.no_grad():
        second[0].weight[0, 1] = -1.5
        second[1].bias[0] = -1
    changed = mv.diff(torch.jit.script(first), torch.jit.script(second)).data["changed"]
    assert [(each["name"], each["shape"], each["difference"], each["greatest"]) for each in changed] == [
        ("1.bias", [2], 1.0, 2.0),
        ("0.weight", [2, 2], 0.5, 2.0),
    ]
    with torch.no_grad():
        second[1].bias[0] = torch.nan
    spoilt = mv.diff(torch.jit.script(first), torch.jit.script(second))
    assert spoilt.data["changed"][0]["name"] == "1.bias" and spoilt.data["changed"][0]["difference"] is None
    assert "1.bias" in str(spoilt)


def test_a_model_answers_as_leips_does() -> None:
    model = mv.Model(MODELS / "resnet18.onnx")
    assert (model.input_count, model.output_count) == (1, 1)
    assert model.mod == model.ir() == repr(model.mod)
    assert model.typed_mod == model.typed_ir() == repr(model.typed_mod)


@pytest.mark.parametrize("name", ["resnet18.onnx", "resnet18.scripted.pt", "resnet18.traced.pt", "resnet18.pt2"])
def test_a_model_is_a_function(name: str) -> None:
    run = mv.Model(MODELS / name).get_inference_function()
    x = torch.randn(1, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    result = run(x)
    assert isinstance(result, torch.Tensor)
    in_numpy = run(x.numpy())
    assert isinstance(in_numpy, np.ndarray)
    assert in_numpy.shape == (1, 1000)
    expected = mv.Model(MODELS / "resnet18.traced.pt").get_inference_function()(x)
    assert mv.compare(expected, result, mv.VerifyConfig(value_checker=mv.DefaultValueChecker())).ok


def test_a_model_in_memory_is_a_function(net: Net, image: torch.Tensor, scripted_file: Path) -> None:
    expected = net(image)
    for model in (mv.Model(net, image), mv.Model(torch.jit.script(net)), mv.Model(scripted_file.read_bytes())):
        assert torch.allclose(model.get_inference_function()(image), expected)


def test_a_model_is_divided(net: Net, image: torch.Tensor) -> None:
    plan = mv.partition(net, "tensorrt", image)
    assert [part.target for part in plan.partitions] == ["tensorrt"]
    assert plan.fewest
    assert plan.obstacles == ()
    assert "tensorrt" in str(plan)
    assert mv.partition(MODELS / "resnet18.onnx", ["openvino-onnx", "onnxruntime"]).partitions[0].target == "openvino-onnx"

    class SingularValues(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.svdvals(torch.relu(x))

    plan = mv.partition(SingularValues(), "openvino", image)
    assert [part.target for part in plan.partitions] == ["openvino", "eager"]
    assert plan.obstacles[0].operator == "aten::linalg_svdvals"
    assert "/proc" not in str(plan)
    assert plan.data["path"] == "SingularValues"
    with pytest.raises(mv.ModelValidatorError, match="tensorrt"):
        mv.partition(SingularValues(), "tensort")
    with pytest.raises(mv.ModelValidatorError, match="fallback"):
        mv.partition(SingularValues(), "tensorrt", fallback="gpu")


def test_models_are_distinguished(net: Net, image: torch.Tensor, tmp_path: Path) -> None:
    scripted = torch.jit.script(net)
    scripted.save(str(tmp_path / "a.pt"))
    assert mv.diff(tmp_path / "a.pt", tmp_path / "a.pt").same
    assert mv.diff(scripted, tmp_path / "a.pt").same
    other = torch.jit.script(Net().eval())
    changed = mv.diff(scripted, other)
    assert (changed.verdict, changed.changed_tensors) == ("same-structure", 2)
    assert mv.diff(scripted, torch.jit.script(torch.nn.Linear(2, 2))).verdict == "different-structure"
    assert str(changed)
