"""Runs the program as a user would and compares what it says with an approved transcript.

A transcript is the test case and its expected result in one file: comments (`# …`), commands (`$ …`, run by bash in
the folder of the generated models, with `model_validator` on PATH), and beneath each command what it wrote to
standard output, then to standard error (`2> …`), then its exit status (`[1]`).
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))

import preloaded

PROJECT = Path(__file__).resolve().parents[2]
APPROVED = Path(__file__).parent / "approved"
TIMEOUT_SECONDS = 300


def normalised(text, models):
    """The text without what differs from machine to machine and from release to release."""
    version = re.search(r"project\(model_validator VERSION ([\d.]+)", (PROJECT / "CMakeLists.txt").read_text())
    text = text.replace(str(models.resolve()), "MODELS").replace(str(PROJECT), "PROJECT")
    text = re.sub(rf"\b{re.escape(version[1])}\b", "VERSION", text)
    text = re.sub(r"\(torch \d+[\d., ]*\)", "(torch TORCH_VERSIONS)", text)
    return re.sub(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?", "TIME", text)


def environment(folder):
    path = os.pathsep.join([str(folder), str(Path(__file__).parent / "bin"), os.environ["PATH"]])
    kept = {name: os.environ[name] for name in ("HOME", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "OMP_WAIT_POLICY") if name in os.environ}
    return {**kept, "PATH": path, "MODEL_VALIDATOR_PYTHON": sys.executable, "LC_ALL": "C.UTF-8", "COLUMNS": "100"}


def run(command, folder, models, inherited=()):
    """The lines that a transcript has beneath the command, with the `model_validator` of a folder."""
    result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=models, env=environment(folder),
                            pass_fds=inherited, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS, check=False)
    out, err = (normalised(stream.decode(errors="replace"), models) for stream in (result.stdout, result.stderr))
    return out.splitlines() + [f"2> {line}".rstrip() for line in err.splitlines()] + [f"[{result.returncode}]"]


def replay(transcript, folder, models, inherited=()):
    """The transcript as it comes out now."""
    lines = []
    for line in transcript.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            lines.append(line)
        elif line.startswith("$ "):
            lines += [line, *run(line[2:], folder, models, inherited), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def replay_preloaded(transcript, folder, models):
    """As it comes out where LibTorch is loaded once for all its commands."""
    path = str(folder / "model_validator")
    program = preloaded.program(path)
    if program is None:
        return replay(transcript, folder, models)
    with tempfile.TemporaryDirectory() as name:
        program.write_command(Path(name) / "model_validator", path)
        return replay(transcript, Path(name), models, (program.socket.fileno(),))


def differences(transcript, now):
    approved = transcript.read_text(encoding="utf-8")
    return list(difflib.unified_diff(approved.splitlines(), now.splitlines(), "approved", "now", lineterm=""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="build folder")
    parser.add_argument("--models", type=Path, required=True, help="folder of the generated models")
    parser.add_argument("--preloaded", action="store_true", help="load LibTorch once for all commands")
    parser.add_argument("name", help="name of the transcript")
    arguments = parser.parse_args()
    transcript = APPROVED / f"{arguments.name}.txt"
    now = (replay_preloaded if arguments.preloaded else replay)(transcript, arguments.build.resolve() / "bin", arguments.models)
    changed = differences(transcript, now)
    if changed:
        print("\n".join(changed), "\nif this is right: tools/approve.py", arguments.name)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
