"""Damages ONNX files and torch.export programs in their structure, and runs the program on them: whatever it says, it must not crash.

    mutated_files_test.py PROGRAM MODELS FOLDER

The damage is drawn from a fixed seed, so that every run sees the same files.
"""

import copy
import json
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "onnx"))
import onnx_models

ROUNDS, FILES = 12, 30
ODD_VALUES = [None, -1, 1 << 62, -(1 << 63), 1.5, 1e308, "", "x", [], {}, True, "L__self__,,a;;", ";;,,,", "a@b@1", 'File "']
ODD_KEYS = ["as_tensor", "as_graph", "as_tensors", "as_none", "arg", "name"]
ODD_BYTES = [b"\xff\xff\xff\xff", b"\x80\x80\x80\x08", b"\0\0\0\0"]
COMMANDS = [["graph"], ["graph", "--format", "dot"], ["inspect"], ["inspect", "--typed-ir"]]


def places_in(document):
    """Every value of a JSON document with its container and key."""
    places, left = [], [(document, None, None)]
    while left:
        value, container, key = left.pop()
        places.append((value, container, key))
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        left += [(item, value, key) for key, item in items]
    return places


def damage_json(pick, document):
    document = copy.deepcopy(document)
    for _ in range(pick.choice([1, 1, 2, 4])):
        places = places_in(document)
        if len(places) < 2:
            break
        _, container, key = pick.choice(places[1:])
        other = copy.deepcopy(pick.choice(places)[0])
        chance = pick.random()
        if chance < 0.2:
            del container[key]
        elif chance < 0.5:
            container[key] = pick.choice(ODD_VALUES)
        elif chance < 0.8 or isinstance(container, list):
            container[key] = other
        else:
            container[pick.choice(ODD_KEYS)] = other
    return document


def damage_bytes(pick, data):
    data = bytearray(data)
    for _ in range(pick.choice([1, 2, 4, 8])):
        at, chance = pick.randrange(len(data)), pick.random()
        if chance < 0.4:
            data[at] = pick.randrange(256)
        elif chance < 0.6:
            del data[at:at + pick.randrange(1, 20)]
        elif chance < 0.8:
            source = pick.randrange(len(data))
            data[at:at] = data[source:source + pick.randrange(1, 60)]
        else:
            data[at:at + 4] = pick.choice(ODD_BYTES)
    return bytes(data)


def damaged_program(pick, seed, file):
    name, document, others = seed
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, json.dumps(damage_json(pick, document)))
        for other, content in others.items():
            archive.writestr(other, json.dumps(damage_json(pick, content) if pick.random() < 0.3 else content))


def program_seeds(models):
    for file in sorted(models.glob("*.pt2")):
        with zipfile.ZipFile(file) as archive:
            entries = archive.namelist()
            name = next(entry for entry in entries if entry.endswith("models/model.json"))
            others = {entry: json.loads(archive.read(entry)) for entry in entries if entry.endswith("_config.json")}
            yield name, json.loads(archive.read(name)), others


def fell_over(program, arguments):
    """What the program said when it crashed or found a fault in itself; None when it answered."""
    run = subprocess.run([program, *arguments], capture_output=True, text=True, errors="replace", timeout=300, check=False)
    if run.returncode in (0, 1, 2):
        return None
    return f"exit status {run.returncode} of {' '.join(map(str, arguments))}\n{run.stdout[-500:]}{run.stderr[-500:]}"


def main():
    program, models, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pick = random.Random(1)
    programs = list(program_seeds(models))
    onnx_files = [model.SerializeToString() for _, model in onnx_models.all_models()]
    assert programs and onnx_files
    faults = []
    for number in range(ROUNDS):
        files = [folder / f"{number}_{i}" for i in range(FILES)]
        for i, file in enumerate(files):
            if i % 2:
                damaged_program(pick, pick.choice(programs), file)
            else:
                file.write_bytes(damage_bytes(pick, pick.choice(onnx_files)))
        runs = [["check", "-q", "--isolated", "--select", "all", "--output-format", "concise", *files]]
        runs += [[*command, file] for command, file in zip(COMMANDS, files, strict=False)]
        runs.append(["diff", files[0], files[2]])
        faults += [fault for fault in (fell_over(program, run) for run in runs) if fault]
    print("\n".join(faults))
    print(f"{ROUNDS * FILES} damaged files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
