"""Threads, forks, signals, and other things that happen to processes."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import checking_child
import pytest
import torch
from conftest import MODELS, Clean, Net

import model_validator as mv
from model_validator import _library

FILES = ["reused_nodes.scripted.pt", "reused_nodes.onnx", "reused_nodes.pt2", "functional_linear.traced.pt"]


def python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **variables},
    )


@pytest.mark.parametrize("trusted", [False, True])
def test_threads_get_the_same_reports(trusted: bool) -> None:
    expected = {name: mv.check(MODELS / name).to_json() for name in FILES}

    def check(name: str) -> bool:
        return mv.check(MODELS / name, trusted=trusted).to_json() == expected[name]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(check, FILES * 6))


def test_live_models_in_threads(image: torch.Tensor) -> None:
    def check(index: int) -> bool:
        model = Net() if index % 2 else Clean()
        inputs = image if index % 4 < 2 else None
        return mv.check(model, inputs).ok == (index % 2 == 0)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(check, range(16)))


def test_the_interpreter_goes_on_while_arrays_are_compared() -> None:
    a = torch.randn(20_000_000)
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    assert mv.compare(a, a.clone()).ok
    done.set()
    counter.join()
    assert ticks > 3


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_check_too(method: str) -> None:
    name = str(MODELS / FILES[0])
    expected = mv.check(name).to_json()
    threads = torch.get_num_threads()
    torch.set_num_threads(2)
    _ = torch.randn(500, 500) @ torch.randn(500, 500)  # threads of OpenMP are there
    torch.set_num_threads(threads)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(checking_child.report_of, [name] * 4).get(120) == [expected] * 4
    assert mv.check(name).to_json() == expected


def test_the_service_stays_and_ends_with_python() -> None:
    code = f"""
        import model_validator as mv, os, subprocess
        def services():
            listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "pid=,args="], capture_output=True, text=True).stdout
            return [line.split()[0] for line in listed.splitlines() if "--answer-calls" in line]
        for _ in range(3):
            mv.check({str(MODELS / FILES[0])!r})
            print(*services())
        os.kill(int(services()[0]), 9)
        mv.check({str(MODELS / FILES[0])!r})
        print(*services())
    """
    ran = python(code)
    assert ran.returncode == 0, ran.stderr
    first, second, third, after = ran.stdout.splitlines()
    assert first == second == third
    assert after and after != first
    time.sleep(1)
    state = Path(f"/proc/{after}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"  # nobody may be there to take its status


def test_errors_do_not_end_the_service() -> None:
    code = f"""
        import model_validator as mv, os, subprocess
        nonsense = [{{"target": "x"}}, {{"select": "x"}}, {{"max_memory": "x"}}, {{"config": "x.toml"}}]
        def service():
            return subprocess.run(["pgrep", "-P", str(os.getpid())], capture_output=True, text=True).stdout.split()[0]
        mv.check({str(MODELS / FILES[1])!r})
        before = service()
        for options in nonsense * 3:
            try:
                mv.check({str(MODELS / FILES[1])!r}, **options)
            except mv.ModelValidatorError as error:
                assert error.kind != "no-service", error
            else:
                raise AssertionError(options)
        print(service() == before)
    """
    ran = python(code)
    assert ran.stdout == "True\n", ran.stderr


def test_an_interrupt_is_raised_once_the_call_has_ended() -> None:
    """A thread that is left in the library when Python ends would end the process with a message of the C library."""
    code = """
        import os, signal, threading, time
        from model_validator._library import _Waiting
        waiting, ended = _Waiting(), []
        def work():
            waiting._ended.wait()
            time.sleep(0.5)
            ended.append("ended")
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            waiting.result_of(work)
        except KeyboardInterrupt:
            print("interrupted", *ended)
    """
    assert python(code).stdout.split() == ["interrupted", "ended"]


def test_ctrl_c_ends_the_wait_and_the_next_call_works() -> None:
    code = f"""
        import model_validator as mv, os, signal, sys, threading, time
        mv.check({str(MODELS / FILES[1])!r})
        threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()
        begun = time.time()
        try:
            while True:
                mv.Model({str(MODELS / "resnet18.scripted.pt")!r}).fingerprint
        except KeyboardInterrupt:
            print("interrupted", time.time() - begun < 5)
        print(mv.check({str(MODELS / FILES[1])!r}).ok)
    """
    ran = python(code)
    assert ran.stdout.split() == ["interrupted", "True", "True"], ran.stderr
    assert ran.stderr == ""


def test_a_handler_that_goes_on_goes_on() -> None:
    code = f"""
        import model_validator as mv, signal
        seen = []
        signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        for _ in range(5):
            mv.check({str(MODELS / FILES[0])!r})
        print(len(seen) > 5)
    """
    assert python(code).stdout == "True\n"


def test_a_timeout_is_an_error() -> None:
    with pytest.raises(mv.ModelValidatorError, match="longer than"):
        mv.check(MODELS / "resnet18.scripted.pt", timeout=0.001)
    assert not mv.check(MODELS / "resnet18.scripted.pt").ok


def test_without_torch(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')\n")
    hidden = f"""
        import sys
        sys.path[:] = [p for p in sys.path if "site-packages" not in p]
        import model_validator as mv
        print(mv.check({str(MODELS / "reused_nodes.onnx")!r}).ok, mv.check({str(MODELS / "reused_nodes.pt2")!r}).ok)
        print(mv.compare([1.0, 2.0], [1.0, 2.0]).ok)
    """
    ran = python(hidden)
    assert ran.stdout.split() == ["True", "False", "True"], ran.stderr


def test_another_torch_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "torch"
    (folder / "lib").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "version.py").write_text("__version__ = '2.99.1'\n")
    code = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import torch, model_validator as mv
        from model_validator import _torch
        print(_torch.misfit())
        print(mv.check({str(MODELS / "reused_nodes.onnx")!r}).ok)
    """
    ran = python(code)
    assert "2.99.1 is installed" in ran.stdout, ran.stderr
    assert ran.stdout.endswith("True\n")


def test_a_library_that_is_not_there(tmp_path: Path) -> None:
    ran = python("import model_validator as mv\nmv.version()", MODEL_VALIDATOR_PREFIX=str(tmp_path))
    assert "ModelValidatorError" in ran.stderr
    assert "is missing" in ran.stderr


def test_the_c_interface_answers_nonsense_with_errors() -> None:
    functions = _library.LIBRARY.functions
    for question in (b"check", b"graph", b"inspect", b"partition", b"quantise-plan", b"no-question", None):
        result = functions.mv_ask(None, question, None, 0, None, None)
        assert functions.mv_result_status(result) == 2
        functions.mv_result_free(result)
        model = _library.CModel(None, None, None, 0, 0)
        for options in (b"[]", b"{", b'{"\xff": 1}', b"null", None):
            result = functions.mv_ask(_library.LIBRARY.session, question, ctypes.byref(model), 1, options, None)
            assert functions.mv_result_status(result) == 2
            functions.mv_result_free(result)
    assert functions.mv_result_status(None) == 3
    functions.mv_result_free(None)
    functions.mv_session_close(None)
    assert functions.mv_result_text(None, b"json", None) is None
    value = _library.CValue(b'{"array": 5}', None, 0)
    for structure in (b'{"array": 5}', b"[1]", b'{"items": 3}', b"", b'{"entries": [[1]]}', b'{"number": "x"}'):
        value = _library.CValue(structure, None, 0)
        result = functions.mv_compare(ctypes.byref(value), ctypes.byref(value), None)
        assert functions.mv_result_status(result) == 2, structure
        functions.mv_result_free(result)
