"""Removes each mechanism that keeps a promise of docs/security.md, builds, and checks that its tests fail without it.

    tools/security/mechanisms.py BUILD_FOLDER [--only WORDS]

The table is mechanisms.toml. The sources are changed in place, one at a time, and restored: run it in a separate checkout,
whose tree must be clean. What an entry leaves must compile without warnings. Exit status 1 if nothing keeps a promise,
or if a promise is no longer in docs/security.md.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import tomllib

PROJECT = Path(__file__).resolve().parents[2]
HOSTILE_TEST = PROJECT / "tests" / "end_to_end" / "hostile_test.py"
SECONDS = 900


class Mechanism(NamedTuple):
    promise: str
    file: str
    take: str
    leave: str
    tests: str = ""
    cases: str = ""

    @property
    def path(self) -> Path:
        return PROJECT / self.file

    def check(self, security: str) -> None:
        if self.promise not in security:
            sys.exit(f"docs/security.md does not say: {self.promise}")
        count = self.path.read_text().count(self.take)
        if count != 1:
            sys.exit(f"{self.file}: {count} times in it: {self.take}")


def run(command: list[str], **environment: str) -> bool:
    try:
        done = subprocess.run(command, cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, timeout=SECONDS,
                              check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def rooms(mechanism: Mechanism, build: Path) -> dict[str, Path]:
    """The test programs of the rooms that its tests name."""
    programs = {room: build / "tests" / "bin" / f"{room}_tests" for room in re.findall(r"(\w+)/", mechanism.tests)}
    return {room: program for room, program in programs.items() if program.is_file()}


def cases_pass(mechanism: Mechanism, build: Path) -> list[bool]:
    """The outcomes of Catch2's cases, each called by its room and its name; CTest knows only the files that they stand in."""
    outcomes = []
    for room, program in rooms(mechanism, build).items():
        listed = subprocess.run([program, "--list-test-names-only"], capture_output=True, text=True, check=False).stdout.splitlines()
        names = [name for name in listed if re.search(mechanism.tests, f"{room}/{name}")]
        outcomes += [run([str(program), re.sub(r"([,\[\]\\*])", r"\\\1", name), "--warn", "NoTests"]) for name in names]
    return outcomes


def targets(mechanism: Mechanism, build: Path) -> list[str]:
    """What its tests run: the program, and the test programs of their rooms."""
    return ["runtime", *(["mv_preloaded"] if mechanism.cases else []), *(program.name for program in rooms(mechanism, build).values())]


def tests_pass(mechanism: Mechanism, build: Path) -> bool:
    if mechanism.cases:
        return run([sys.executable, str(HOSTILE_TEST), mechanism.cases], PROGRAM=str(build / "bin" / "model_validator"))
    outcomes = cases_pass(mechanism, build)
    wanted = "ignore" if outcomes else "error"
    return all(outcomes) and run(["ctest", "--test-dir", str(build), f"--no-tests={wanted}", "--timeout", "600", "-R", mechanism.tests])


def answer_without(mechanism: Mechanism, build: Path) -> str:
    """The outcome of the tests: `kept` where they fail, as they should."""
    text = mechanism.path.read_text()
    try:
        mechanism.path.write_text(text.replace(mechanism.take, mechanism.leave))
        if not run(["ninja", "-C", str(build), *targets(mechanism, build)]):
            return "does not build"
        return "NOT KEPT" if tests_pass(mechanism, build) else "kept"
    finally:
        mechanism.path.write_text(text)


def read_mechanisms() -> list[Mechanism]:
    """Ends the program if a promise or a mechanism is not where the table says."""
    table = tomllib.loads((Path(__file__).parent / "mechanisms.toml").read_text())
    mechanisms = [Mechanism(**entry) for entry in table["mechanism"]]
    security = " ".join((PROJECT / "docs" / "security.md").read_text().replace("**", "").split())
    for mechanism in mechanisms:
        mechanism.check(security)
    return mechanisms


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path, help="a build folder of this checkout, with its tests")
    parser.add_argument("--only", default="", help="promises with these words")
    options = parser.parse_args()
    mechanisms = read_mechanisms()
    if subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=PROJECT, check=False).returncode != 0:
        sys.exit("commit first: sources are changed in place")
    chosen = [mechanism for mechanism in mechanisms if options.only in mechanism.promise]
    bad = 0
    run(["ninja", "-C", str(options.build.resolve())])
    for mechanism in {(each.tests, each.cases): each for each in chosen}.values():
        if not tests_pass(mechanism, options.build.resolve()):
            sys.exit(f"fails as it is: {mechanism.promise}")
    for mechanism in chosen:
        answer = answer_without(mechanism, options.build.resolve())
        bad += answer != "kept"
        print(f"{answer}: {mechanism.promise}", flush=True)
    run(["ninja", "-C", str(options.build.resolve())])
    print(f"{len(chosen) - bad} of {len(chosen)} promises are kept by tests that fail without their mechanism")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
