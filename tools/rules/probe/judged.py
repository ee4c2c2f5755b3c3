"""What our own program says of the questions, and how often that agrees with the runtime."""
from __future__ import annotations

import dataclasses
import json
import pathlib
import subprocess
import tempfile

from probe.answers import RAN, Answer
from probe.question import Question

AT_ONCE = 400  # files in one call of our program
FAILS = "and fails when it runs"


@dataclasses.dataclass
class Verdict:
    verdict: str  # taken, taken in part, unknown, wrong, refused; fails: refused since it fails when it runs; error: not read
    because: str


def of_model(model: dict[str, object]) -> Verdict:
    if model["status"] == "error":
        return Verdict("error", str(model["error"]))
    verdict = model["verdicts"][0]  # type: ignore[index]
    if verdict["falls_back"] and any(o["verdict"] == "refused" for o in verdict["operators"]):
        verdict["verdict"] = "refused"  # of the operator that was asked about
    because = [*verdict["refusals"], *(o["evidence"] for o in verdict["operators"] if o["verdict"] == verdict["verdict"])]
    runs_to_fail = [FAILS in finding["message"] for finding in model["findings"] if finding["severity"] == "error"]  # type: ignore[attr-defined]
    return Verdict("fails" if runs_to_fail and all(runs_to_fail) else verdict["verdict"], "; ".join(because))


def is_undecided(answer: Answer, verdict: Verdict) -> bool:
    """Whether the runtime was not asked what the verdict is about: numbers that nobody compared, a run that nobody could start."""
    return answer.kind == "not compared" and (verdict.verdict == "wrong" or (verdict.verdict == "fails" and answer.said != RAN))


def verdicts(tool: pathlib.Path, target: str, models: dict[str, bytes]) -> dict[str, Verdict]:
    """Name -> our verdict."""
    found: dict[str, Verdict] = {}
    names = list(models)
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, len(names), AT_ONCE):
            chunk = {f"{i}.onnx": name for i, name in enumerate(names[start:start + AT_ONCE])}
            for file, name in chunk.items():
                (pathlib.Path(folder) / file).write_bytes(models[name])
            run = subprocess.run([tool, "check", "--target", target, "--select", "unsupported-ops", "--output-format", "json", "-q", *chunk],
                                 capture_output=True, text=True, check=False, cwd=folder)
            if not run.stdout:
                raise SystemExit(f"{tool}: {run.stderr.strip()}")
            for model in json.loads(run.stdout)["models"]:
                found[chunk[pathlib.Path(model["path"]).name]] = of_model(model)
    return found


@dataclasses.dataclass
class Figures:
    """An alarm is a refusal, or a wrong computation, that we tell. That a verdict is not known agrees with no answer."""
    asked: int = 0
    agree: int = 0
    bad: dict[str, list[int]] = dataclasses.field(default_factory=dict)  # kind -> how many there are, told, and told under a condition
    false_alarms: list[str] = dataclasses.field(default_factory=list)
    misses: list[str] = dataclasses.field(default_factory=list)
    unknown: int = 0

    def row(self, what: str) -> str:
        told = ", ".join(
            f"{kind} {found[1]}{f' and {found[2]} under a condition' if found[2] else ''} of {found[0]}" for kind, found in sorted(self.bad.items())
        )
        return f"| {what} | {self.asked} | {self.agree / max(self.asked, 1):.4f} | {len(self.false_alarms)} | {told or 'none'} | {self.unknown} |"


HEADER = "| questions | asked | agree | false alarms | told, of what is not right | not known |\n|---|---|---|---|---|---|"


def figures(questions: list[Question], answers: dict[str, Answer], ours: dict[str, Verdict]) -> Figures:
    found = Figures()
    for question in questions:
        answer, verdict = answers[question.name], ours[question.name]
        if verdict.verdict == "error" or is_undecided(answer, verdict):
            continue
        found.asked += 1
        is_known = verdict.verdict != "unknown"
        right, alarm = answer.kind in ("right", "not compared"), verdict.verdict in ("refused", "fails", "wrong")
        found.unknown += not is_known
        found.agree += is_known and right != alarm
        if right and alarm:
            found.false_alarms.append(f"{question.name}: {verdict.because[:200]}")
        if not right:
            kind = found.bad.setdefault(answer.kind, [0, 0, 0])
            kind[0] += 1
            kind[1] += alarm
            kind[2] += verdict.verdict == "taken in part"
        if not is_known or (not right and not alarm):
            found.misses.append(f"{question.name} {answer.kind}: {answer.said[:200] if is_known else 'not known: ' + verdict.because[:200]}")
    return found
