"""What our program says of the samples that a converter is asked about, each with the inputs that the converter was given."""
from __future__ import annotations

import collections
import json
import pathlib
import subprocess
from collections.abc import Iterable, Iterator

import torch

AT_ONCE = 200  # files in one call of our program
Verdict = tuple[str, str]  # taken, taken in part, refused, wrong, error; and the evidence


def declared(inputs: Iterable[torch.Tensor]) -> tuple[str, ...]:
    """As `--input` has them: a trace states neither sizes nor dtypes."""
    return tuple(f"{'x'.join(map(str, each.shape)) or 'scalar'}:{str(each.dtype)[6:]}" for each in inputs)


def said_of(model: dict[str, object]) -> Verdict:
    if model["status"] == "error":
        return "error", str(model["error"])
    verdict = model["verdicts"][0]  # type: ignore[index]
    evidence = [text for each in verdict["operators"] if each["verdict"] != "taken" for text in (each["evidence"], *each["conditions"])]
    falls_back = any(each["verdict"] == "refused" for each in verdict["operators"])
    return "refused" if falls_back else verdict["verdict"], "; ".join([*verdict["refusals"], *evidence])


def calls(files: list[pathlib.Path], inputs: dict[str, tuple[str, ...]]) -> Iterator[list[str]]:
    """Arguments of as few calls as there are declarations; `inputs` by the names of files."""
    alike: collections.defaultdict[tuple[str, ...], list[str]] = collections.defaultdict(list)
    for file in files:
        alike[inputs.get(file.name, ())].append(str(file))
    for declaration, group in alike.items():
        for start in range(0, len(group), AT_ONCE):
            yield [*(word for each in declaration for word in ("--input", each)), "--", *group[start:start + AT_ONCE]]


def verdicts(tool: pathlib.Path, target: str, files: list[pathlib.Path], inputs: dict[str, tuple[str, ...]]) -> dict[str, Verdict]:
    """By the names of files."""
    found: dict[str, Verdict] = {}
    for arguments in calls(files, inputs):
        run = subprocess.run([tool, "check", "--isolated", "--target", target, "--select", "unsupported-ops", "--output-format", "json", "-q",
                              *arguments], capture_output=True, text=True, check=False)
        found |= {pathlib.Path(model["path"]).name: said_of(model) for model in json.loads(run.stdout)["models"]}
    return found
