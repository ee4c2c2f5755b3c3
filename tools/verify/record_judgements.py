"""Records what decides about the outputs of real pairs, for tests/verify/command/judgement_test.cpp.

python tools/verify/record_judgements.py RECORDER FOLDER…
    RECORDER: the built program `record_judgements`. Each FOLDER has folders of pairs: `pair.json` as quantised_pairs.py writes
    it, or a reference `r.*` and a candidate `c.*` with `in.pt` or `truth.pt`; the name of a folder of honest ones has `honest`.
Writes judgements.txt and, of these, one on the edge of each limit, judgement_edges.txt.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

TARGET = Path(__file__).parents[2] / "tests" / "verify" / "command"
LONGEST = 120  # seconds, of one pair
ONE_FAULT_IN = 3  # is recorded


def files_of(folder: Path) -> list[Path] | None:
    """Reference, candidate and, if there are any, inputs."""
    described = folder / "pair.json"
    if described.exists():
        pair = json.loads(described.read_text())
        return [folder / pair["reference"], folder / pair["copy"], folder / "inputs.pt"]
    reference, candidate = sorted(folder.glob("r.*")), sorted(folder.glob("c.*"))
    if len(reference) != 1 or len(candidate) != 1 or candidate[0].suffix == ".xml":
        return None
    inputs = [file for file in (folder / "truth.pt", folder / "in.pt") if file.exists()]
    return [reference[0], candidate[0], *inputs[:1]]


def main() -> None:
    recorder = sys.argv[1]
    records, faults = "", 0
    for top in map(Path, sys.argv[2:]):
        for folder in sorted(top.iterdir()):
            files = files_of(folder) if folder.is_dir() else None
            if files is None:
                continue
            truth = "honest" if "honest" in top.name + folder.name else "wrong"
            faults += truth == "wrong"
            if truth == "wrong" and faults % ONE_FAULT_IN != 0:
                continue
            command = [recorder, folder.name, truth, *map(str, files)]
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST, check=False)
            except subprocess.TimeoutExpired:
                print("took too long:", folder.name)
                continue
            if done.returncode != 0:
                print("not recorded:", folder.name, done.stderr.strip()[:200])
                continue
            records += done.stdout
    (TARGET / "judgements.txt").write_text(records)
    found = subprocess.run([recorder, "edges"], input=records, capture_output=True, text=True, check=True)
    (TARGET / "judgement_edges.txt").write_text(found.stdout)


if __name__ == "__main__":
    main()
