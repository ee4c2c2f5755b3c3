"""Reproduces a failure of a model: python repro.py

It needs numpy and what runs the model, and nothing else. It says what was expected and what came.
Exit status: 1 the failure is there, 0 it is not, 2 the model cannot be tried here.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SETTINGS = json.loads("{}")  # of the failure
#: element types of ONNX that numpy does not have, whose bits are stored as whole numbers
BITS = {"bfloat16": 16, "float8e4m3fn": 17, "float8e4m3fnuz": 18, "float8e5m2": 19, "float8e5m2fnuz": 20}


def arrays_of(name):
    file = os.path.join(HERE, name)
    if not os.path.exists(file):
        return {}
    with np.load(file) as arrays:
        return {key: arrays[key] for key in arrays.files}


def run_onnxruntime(model, inputs):
    import onnxruntime

    print("onnxruntime", onnxruntime.__version__, file=sys.stderr)
    options = onnxruntime.SessionOptions()
    if not SETTINGS["optimise"]:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model, options, providers=[SETTINGS["provider"]])
    names = [output.name for output in session.get_outputs()]
    types = {given.name: given.type.removeprefix("tensor(").removesuffix(")") for given in session.get_inputs()}
    if not any(kind in BITS for kind in types.values()):
        return dict(zip(names, session.run(None, {name: inputs[name] for name in types}), strict=True))
    value = onnxruntime.OrtValue
    given = {
        name: value.ortvalue_from_numpy_with_onnx_type(inputs[name], BITS[kind]) if kind in BITS else value.ortvalue_from_numpy(inputs[name])
        for name, kind in types.items()
    }
    return {name: result.numpy() for name, result in zip(names, session.run_with_ort_values(None, given), strict=True)}


def run_openvino(model, inputs):
    import openvino

    print("openvino", openvino.__version__, file=sys.stderr)
    compiled = openvino.Core().compile_model(model, SETTINGS["provider"], {"INFERENCE_PRECISION_HINT": "f32"})
    results = compiled(inputs)
    return {SETTINGS["outputs"][i]: results[port] for i, port in enumerate(compiled.outputs)}


def ask_python(model):
    inputs = os.path.join(HERE, "inputs.npz")
    with tempfile.TemporaryDirectory() as folder:
        given = inputs if os.path.exists(inputs) else "-"
        script = os.path.join(HERE, "ask_python.py")
        done = subprocess.run([sys.executable, "-B", script, SETTINGS["backend"], folder, "", "0", model, given], check=False)
        if done.returncode < 0:
            os.kill(os.getpid(), -done.returncode)
        if done.returncode:
            sys.exit(done.returncode)
        with open(os.path.join(folder, "version")) as version, open(os.path.join(folder, "0.answer")) as answer:
            print(SETTINGS["backend"], version.read(), file=sys.stderr)
            word, said = answer.read().split("\n", 1)
    if word != "right":
        sys.exit(said)


def run_command(model, inputs, outputs):
    import shlex

    line = SETTINGS["command"]
    for word, file in (("{model}", model), ("{inputs}", os.path.join(HERE, "inputs.npz")), ("{outputs}", outputs)):
        line = line.replace(word, shlex.quote(file))
    sys.exit(subprocess.run(line, shell=True, check=False).returncode & 255)


def run(outputs):
    """In a process of its own, which may be ended by the runtime."""
    model, inputs = os.path.join(HERE, SETTINGS["model"]), arrays_of("inputs.npz")
    if SETTINGS["backend"] == "command":
        run_command(model, inputs, outputs)
    if os.path.exists(os.path.join(HERE, "ask_python.py")):
        ask_python(model)
        return
    results = run_onnxruntime(model, inputs) if SETTINGS["backend"] == "onnxruntime" else run_openvino(model, inputs)
    with open(outputs, "wb") as stream:
        np.savez(stream, **{f"{i:06}": array for i, array in enumerate(results.values())})


def how_it_ended(outputs):
    """`None` where it ran, else in words."""
    process = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--run", outputs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,  # so that what it starts ends with it
    )
    try:
        stderr = process.communicate(timeout=SETTINGS["seconds"])[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"no result within {SETTINGS['seconds']} s"
    said = [line for line in stderr.splitlines() if line.strip()]
    if "ModuleNotFoundError" in stderr and SETTINGS["backend"] != "command":
        print(said[-1])
        sys.exit(2)
    print("run by:  ", said[0] if said and SETTINGS["backend"] != "command" else SETTINGS["command"])
    if process.returncode < 0:
        return f"the process was ended by signal {-process.returncode}"
    plain = [i for i, line in enumerate(said) if not line.startswith(" ")]
    return None if process.returncode == 0 else " ".join(said[plain[-1] :] if plain else []) or f"exit status {process.returncode}"


def difference(expected, came):
    """In words, beyond what rounding explains; `None` where there is none."""
    for name, right, result in zip(SETTINGS["outputs"], expected, came, strict=False):
        if right.shape != result.shape or right.dtype != result.dtype:
            return f"{name} is {result.dtype}{list(result.shape)}, expected {right.dtype}{list(right.shape)}"
        if right.dtype.kind not in "fc":
            count = int(np.sum(right != result))
            if count:
                return f"{name} differs in {count} of {right.size} elements"
            continue
        if right.size == 0:
            continue
        if not np.array_equal(np.isfinite(right), np.isfinite(result)):
            return f"{name} has NaN or infinity in other places"
        finite = np.isfinite(right)
        wide = np.longdouble if right.dtype.kind == "f" else np.clongdouble
        distance = np.abs(right[finite].astype(wide) - result[finite].astype(wide))
        if distance.size == 0 or not np.max(distance) > SETTINGS["allowed"].get(name, 0):
            continue
        at = np.unravel_index(np.argmax(np.where(finite, np.abs(right.astype(wide) - result.astype(wide)), 0)), right.shape)
        place = [int(i) for i in at]
        return f"{name}{place} is {result[at]}, expected {right[at]}; the greatest difference is {float(np.max(distance)):g}"
    return None if len(expected) == len(came) else f"there are {len(came)} outputs, expected {len(expected)}"


def main():
    print("expected:", SETTINGS["expected"])
    with tempfile.TemporaryDirectory() as folder:
        outputs = os.path.join(folder, "outputs.npz")
        ended = how_it_ended(outputs)
        if ended is None and os.path.exists(outputs):
            with np.load(outputs) as arrays:
                results = [arrays[key] for key in arrays.files]
            expected = arrays_of("expected.npz")
            ended = difference([expected[name] for name in SETTINGS["outputs"]], results) if expected else None
    print("came:    ", ended or "as expected")
    return 1 if ended else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run(sys.argv[2])
    else:
        sys.exit(main())
