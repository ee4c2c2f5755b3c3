#!/usr/bin/env python3
"""Runs setup's fetching where nothing answers, and where it answers again.

usage: setup_test.py SOURCE_FOLDER
"""
import functools
import http.server
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
import venv
import zipfile

NOWHERE = "http://127.0.0.1:9/simple"  # nothing listens there


def wheel(folder, name):
    """The smallest wheel of a package."""
    path = folder / name / f"{name}-1.0-py3-none-any.whl"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{name}.py", "")
        file.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        file.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{name}-1.0.dist-info/RECORD", "")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Setup(unittest.TestCase):
    source = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        venv.create(cls.folder / "venv", with_pip=True)
        cls.python = cls.folder / "venv/bin/python"
        for name in ("mvone", "mvthree"):
            wheel(cls.folder / "simple", name)
        (cls.folder / "list.txt").write_text("mvone==1.0  # the first\n\nmvtwo==1.0\nmvthree==1.0\n")

    def sh(self, command, index=NOWHERE):
        environment = {"PATH": "/usr/bin:/bin", "PIP_INDEX_URL": index, "PIP_RETRIES": "1", "PIP_NO_CACHE_DIR": "1"}
        return subprocess.run(["bash", "-euc", f". {self.source}/tools/setup/fetching.sh\n{command}\necho done"], env=environment,
                              capture_output=True, text=True, check=False)

    def index(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/simple"

    def installed(self):
        listed = subprocess.run([self.python, "-m", "pip", "list", "--format=freeze"], capture_output=True, text=True, check=True)
        return {line.split("==")[0] for line in listed.stdout.splitlines() if line.startswith("mv")}

    def test_what_does_not_come_is_named_and_the_rest_goes_on_from_there(self):
        fetch = f"fetch_python {self.python} {self.folder}/list.txt"
        refused = self.sh(fetch)
        self.assertEqual((refused.returncode, refused.stdout), (1, ""))
        self.assertRegex(refused.stderr, r"mvone==1\.0 cannot be installed: the network does not answer")
        index = self.index()
        refused = self.sh(fetch, index)  # there is no mvtwo
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, r"mvtwo==1\.0 cannot be installed: ERROR")
        self.assertEqual(self.installed(), {"mvone"})
        wheel(self.folder / "simple", "mvtwo")
        self.assertEqual(self.sh(fetch, index).returncode, 0)
        self.assertEqual(self.installed(), {"mvone", "mvtwo", "mvthree"})

    def test_what_comes_says_nothing(self):
        done = self.sh("fetch something echo noise")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "done\n", ""))

    def test_a_reason_is_one_line_of_what_was_said(self):
        for said, told in (("a\nE: Unable to locate package x\nb", "E: Unable to locate package x"), ("a\nb", "b"),
                           ("", "no reason is given"), ("npm error code EAI_AGAIN\nnpm error getaddrinfo EAI_AGAIN host.test", "host.test"),
                           ("W: Temporary failure resolving 'deb.test'\nE: Unable to fetch", "does not answer")):
            refused = self.sh(f"fetch it bash -c 'printf %s \"{said}\"; exit 3'" if said else "fetch it false")
            self.assertEqual(refused.returncode, 1)
            self.assertIn(told, refused.stderr.splitlines()[0])
            self.assertEqual(len(refused.stderr.splitlines()), 2)


if __name__ == "__main__":
    Setup.source = pathlib.Path(sys.argv[1])
    unittest.main(argv=sys.argv[:1])
