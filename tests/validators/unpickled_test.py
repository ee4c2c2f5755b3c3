#!/usr/bin/env python3
"""What torch.export.load unpickles and calls is told; what it is happy to load without calling anything of others is not.

Environment: PROGRAM (the built program).
"""

from __future__ import annotations

import collections
import io
import json
import os
import pathlib
import pickle
import sys
import tempfile
import unittest
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch._weights_only_unpickler import _get_allowed_globals

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))

import forked
import preloaded

PROGRAM = os.environ["PROGRAM"]
LOAD = "import sys, torch\ntry: torch.export.load(sys.argv[1]).module()(torch.ones(2, 3))\nexcept BaseException: pass"
Change = Callable[[str, bytes], bytes | None]


class MakesAFolder:
    """Unpickled, it shows that it ran."""

    def __init__(self, place: pathlib.Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.place),)


def saved(value: object, **options: Any) -> bytes:
    into = io.BytesIO()
    torch.save(value, into, **options)
    return into.getvalue()


def use_pickle(listed: bytes, names: dict[str, str]) -> bytes:
    config = json.loads(listed)
    for tensor, name in names.items():
        config["config"].setdefault(tensor, {"is_param": False, "tensor_meta": None}).update(path_name=name, use_pickle=True)
    return json.dumps(config).encode()


class UnpickledTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.ran = self.folder / "ran"
        self.load = self.folder / "load.py"
        self.load.write_text(LOAD)
        self.plain = self.folder / "plain.pt2"
        torch.export.save(torch.export.export(torch.nn.Linear(3, 4).eval(), (torch.ones(2, 3),)), str(self.plain))

    def changed(self, change: Change, **more: bytes) -> pathlib.Path:
        file = self.folder / "changed.pt2"
        with zipfile.ZipFile(self.plain) as source, zipfile.ZipFile(file, "w") as to:
            for name in source.namelist():
                if (content := change(name, source.read(name))) is not None:
                    to.writestr(name, content)
            for name, content in more.items():
                to.writestr(f"plain/{name.replace('__', '/')}", content)
        return file

    def findings(self, file: pathlib.Path) -> list[dict[str, Any]]:
        command = [PROGRAM, "check", "--isolated", "--select", "unsafe-op", "--output-format", "json", str(file)]
        found: list[dict[str, Any]] = json.loads(preloaded.run(command).stdout)["models"][0]["findings"]
        return found

    def assert_runs_and_is_told(self, file: pathlib.Path) -> None:
        forked.run(self.load, str(file)).check_returncode()
        self.assertTrue(self.ran.is_dir(), "torch did not run it: the case shows nothing")
        self.ran.rmdir()
        self.assertEqual([finding["severity"] for finding in self.findings(file)][:1], ["error"])

    def inputs(self, content: bytes) -> Change:
        return lambda name, old: content if "sample_inputs" in name else old

    def test_example_inputs(self) -> None:
        bad = MakesAFolder(self.ran)
        cases = {
            "a zip": saved((((torch.ones(2, 3),), {}), bad)),
            "a bare pickle": pickle.dumps(bad),
            "torch's old format": saved(bad, _use_new_zipfile_serialization=False),
        }
        for name, content in cases.items():
            with self.subTest(name):
                self.assert_runs_and_is_told(self.changed(self.inputs(content)))

    def test_weights_and_constants(self) -> None:
        bad = MakesAFolder(self.ran)

        def weights(name: str, old: bytes) -> bytes:
            if name.endswith("weights_config.json"):
                return use_pickle(old, {"weight": "weight_0"})
            return saved(bad) if name.endswith("weight_0") else old

        def constants(name: str, old: bytes) -> bytes:
            return use_pickle(old, {"c": "opaque_obj_0"}) if name.endswith("constants_config.json") else old

        self.assert_runs_and_is_told(self.changed(weights))
        self.assert_runs_and_is_told(self.changed(constants, data__constants__opaque_obj_0=pickle.dumps(bad)))
        legacy = self.changed(lambda name, old: None if name.endswith("weights_config.json") else old)
        with zipfile.ZipFile(legacy, "a") as more:
            more.writestr("plain/data/weights/model.pt", saved(bad))
        self.assert_runs_and_is_told(legacy)

    def test_a_pickle_before_a_zip(self) -> None:
        content = io.BytesIO(pickle.dumps(MakesAFolder(self.ran)))
        content.seek(0, io.SEEK_END)
        with zipfile.ZipFile(content, "a") as inner:
            inner.writestr("archive/data.pkl", pickle.dumps({}, 2))
        self.assert_runs_and_is_told(self.changed(self.inputs(content.getvalue())))

    def test_text_that_is_evaluated(self) -> None:
        evil = f"__import__('os').mkdir({str(self.ran)!r})"

        def sizes(name: str, old: bytes) -> bytes:
            if not name.endswith("models/model.json"):
                return old
            program = json.loads(old)
            first = next(iter(program["graph_module"]["graph"]["tensor_values"].values()))
            first["sizes"][0] = {"as_expr": {"expr_str": evil, "hint": None}}
            return json.dumps(program).encode()

        def guards(name: str, old: bytes) -> bytes:
            return json.dumps({**json.loads(old), "guards_code": [evil]}).encode() if name.endswith("models/model.json") else old

        self.assert_runs_and_is_told(self.changed(sizes))
        self.assert_runs_and_is_told(self.changed(guards))

    def test_names_that_hide_what_they_are(self) -> None:
        reached = f"ctorch._inductor.cpp_builder\nos.mkdir\n(V{self.ran}\ntR."
        computed = f"\x80\x04cbuiltins\nstr\n(C\x02osX\x04\0\0\0utf8tR\x8c\x05mkdir\x93\x8c{chr(len(str(self.ran)))}{self.ran}\x85R."
        for name, text in (("through another module", "\x80\x04" + reached), ("computed", computed)):
            with self.subTest(name):
                content = io.BytesIO()
                with zipfile.ZipFile(content, "w") as inner:
                    inner.writestr("archive/data.pkl", text.encode("latin-1"))
                    inner.writestr("archive/version", "3\n")
                    inner.writestr("archive/byteorder", "little")
                self.assert_runs_and_is_told(self.changed(self.inputs(content.getvalue())))

    def test_plain_values_are_not_told(self) -> None:
        values = (torch.ones(2), [1, 2.5, None, "a"], {1: b"b"}, slice(1, 2), {3}, collections.OrderedDict(a=1), np.ones(2), np.float32(1))
        packed = self.changed(self.inputs(saved(((torch.ones(2, 3), values), {}))))
        self.assertEqual(self.findings(packed), [])
        for kind in (int, str):
            packed = self.changed(self.inputs(saved((((torch.ones(2, 3), collections.defaultdict(kind)),), {}))))
            self.assertEqual(self.findings(packed), [], kind)
        self.assertEqual(self.findings(self.plain), [])

    def test_all_that_torchs_own_restricted_unpickler_takes_is_not_told(self) -> None:
        names = sorted(_get_allowed_globals())
        self.assertGreater(len(names), 100)
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as inner:
            listed = b"".join(b"c%s\n%s\n0" % tuple(part.encode() for part in name.rsplit(".", 1)) for name in names)
            inner.writestr("archive/data.pkl", b"\x80\x02" + listed + b").")
        self.assertEqual(self.findings(self.changed(self.inputs(content.getvalue()))), [])


if __name__ == "__main__":
    unittest.main()
