"""The newest opsets and IR version that versions of a runtime load, as the packages themselves report them.

    python tools/rules/ceilings.py onnxruntime      of the version that is installed, as JSON
"""
from __future__ import annotations

import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable

import profile_file as out
import tomllib
from onnx import TensorProto, helper

BEYOND = 64  # no version of ONNX is as new
DOMAINS = ("ai.onnx", "ai.onnx.ml", "com.microsoft")


def relu(ir_version: int, opsets: dict[str, int]) -> bytes:
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "relu",
                              [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])])
    imports = [helper.make_opsetid("" if d == "ai.onnx" else d, v) for d, v in opsets.items()]
    return helper.make_model(graph, opset_imports=imports, ir_version=ir_version).SerializeToString()


def loader(package: str) -> Callable[[bytes], object]:
    if package == "onnxruntime":
        import onnxruntime
        onnxruntime.set_default_logger_severity(4)
        return lambda model: onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # it would wait for the network
    import openvino

    core = openvino.Core()

    def read(model: bytes) -> object:
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            file.write(model)
            file.flush()
            return core.read_model(file.name)
    return read


def newest(loads: Callable[[int], bool], first: int) -> int:
    """0 where there is no limit."""
    found = max((v for v in range(first, BEYOND) if loads(v)), default=0)
    return 0 if found == BEYOND - 1 else found


def of_installed(package: str) -> dict:
    load = loader(package)

    def loads(ir_version: int, **opsets: int) -> bool:
        try:
            load(relu(ir_version, {"ai.onnx": 11, **{d.replace("_", "."): v for d, v in opsets.items()}}))
        except Exception:
            return False
        return True

    found = {"version": importlib.metadata.version(package).split("-")[0], "ir_version": newest(loads, 3)}
    for domain in DOMAINS:
        if ceiling := newest(lambda v, d=domain: loads(3 if d == "ai.onnx" else 4, **{d: v}), 7 if domain == "ai.onnx" else 1):
            found[domain] = ceiling
    return found


def of_wheel(package: str, wheels: list[str]) -> dict | None:
    """In a process of its own, which finds the wheels' files first. None where they cannot be imported."""
    with tempfile.TemporaryDirectory() as folder:
        for wheel in wheels:
            zipfile.ZipFile(wheel).extractall(folder)
        path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
        run = subprocess.run([sys.executable, __file__, package], env={**os.environ, "PYTHONPATH": path}, text=True,
                             capture_output=True, check=False)
    return json.loads(run.stdout.splitlines()[-1]) if run.returncode == 0 else None


def of_table(name: str) -> list[dict]:
    """What a profile says already."""
    releases = tomllib.loads((out.RULES / f"{name}.toml").read_text()).get("releases", [])
    return [{"version": each["version"], "ir_version": each["ir_version"], **each.get("opsets", {})} for each in releases]


def of_packages(package: str, wheels: list[str], table: str) -> list[dict]:
    """The oldest first, with the installed one and those of the table. A wheel of another package, such as an older numpy, comes with its users."""
    own = [w for w in wheels if pathlib.Path(w).name.startswith(f"{package}-")]
    beside = [w for w in wheels if w not in own]
    found = [of_installed(package)]
    for wheel in own:
        asked = of_wheel(package, [wheel]) or of_wheel(package, [wheel, *beside])
        if asked is None:
            raise SystemExit(f"{pathlib.Path(wheel).name} cannot be imported")
        found.append(asked)
    distinct = {each["version"]: each for each in of_table(table) + found}
    return sorted(distinct.values(), key=lambda each: [int(n) for n in each["version"].split(".")])


if __name__ == "__main__":
    print(json.dumps(of_installed(sys.argv[1])))
