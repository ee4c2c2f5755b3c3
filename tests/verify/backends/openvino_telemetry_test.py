"""The process that runs OpenVINO does not load its telemetry, which forks it from a thread.

    openvino_telemetry_test.py
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAMS = pathlib.Path(__file__).resolve().parents[3] / "src/verify/backends/python"
PROGRAM = "".join((PROGRAMS / name).read_text() for name in ("serve.py", "openvino.py")) + "\nserve(OpenVino)\n"
# Whatever file there is: OpenVINO is loaded before it is read.
ASKED = {"file": "none.onnx", "is_flat": False, "shows": False, "given": [], "device": "", "threads": 1}


class Telemetry(unittest.TestCase):
    def test_it_is_not_loaded(self):
        with tempfile.TemporaryDirectory() as folder:
            loaded = pathlib.Path(folder) / "loaded"
            package = pathlib.Path(folder) / "openvino_telemetry"
            package.mkdir()
            (package / "__init__.py").write_text(f"open({str(loaded)!r}, 'w').close()\n")
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM],
                input=json.dumps(ASKED) + "\n",
                env={**os.environ, "PYTHONPATH": folder},
                capture_output=True,
                text=True,
                timeout=120,
                check=True,
            )
            self.assertEqual(json.loads(done.stdout)["kind"], "refused", done.stdout + done.stderr)
            self.assertFalse(loaded.exists())


if __name__ == "__main__":
    unittest.main()
