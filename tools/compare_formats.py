#!/usr/bin/env python3
"""Print the findings of the checks for the same models in every format, side by side.

    tools/compare_formats.py FOLDER [--tool build/dev/bin/model_validator] [--only NAME] [--verbose]

FOLDER holds `<name>.traced.pt`, `<name>.scripted.pt`, `<name>.pt2` and `<name>.onnx`, as many of them as there are. The tables
count the findings of reused-modules and missing-modules; numbers in brackets say how many of them the traced file does not
have, and how many only it has (`12 (+1 -3)`). --verbose names these. A file that carries no module hierarchy says `lost`.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

FORMATS = {"traced": ".traced.pt", "scripted": ".scripted.pt", "pt2": ".pt2", "onnx": ".onnx"}
RULES = ("reused-modules", "missing-modules")


def findings_of(tool, file):
    """For each rule a multiset of its findings: modules, or op types with the module around; None where modules are lost."""
    run = subprocess.run([tool, "check", "--output-format", "json", str(file)], capture_output=True, text=True, check=False)
    if not run.stdout.strip():
        return run.stderr.strip().splitlines()[0] if run.stderr.strip() else f"exit {run.returncode}"
    model = json.loads(run.stdout)["models"][0]
    if model["error"]:
        return model["error"]["message"]
    found = {rule: collections.Counter() for rule in RULES}
    found["paths"] = {}
    for finding in model["findings"]:
        if finding["rule"] == "reused-modules":
            found["reused-modules"][finding["module"]] += 1
            found["paths"].update(dict.fromkeys(finding["aliases"], finding["module"]))
        if finding["rule"] == "missing-modules":
            found["missing-modules"][f"{finding['op']['type']} in {finding['parent'] or 'the model'}"] += 1
        if finding["rule"] == "lost-module-hierarchy":
            return None
    return found


def without_wrapper(found, reference):
    """Drops the child `model` that an exporter's wrapper put around everything, where the reference has none."""
    if not isinstance(found, dict) or not isinstance(reference, dict):
        return found
    def strip(text):
        return re.sub(r"(^| in )model\.", r"\1", text).replace(" in model", " in the model")
    for rule in RULES:
        wrapped = collections.Counter()
        for what, count in found[rule].items():
            wrapped[strip(what)] += count
        if sum((wrapped - reference[rule]).values()) < sum((found[rule] - reference[rule]).values()):
            found[rule] = wrapped
    return found


def named_as_in(found, reference):
    """Names modules as the reference does: a file may know a shared module by another of its paths."""
    if isinstance(found, dict) and isinstance(reference, dict):
        renamed = collections.Counter()
        for path, count in found["reused-modules"].items():
            renamed[reference["paths"].get(path, path)] += count
        found["reused-modules"] = renamed
    return found


def cell(found, reference, rule):
    if found is None:
        return "lost"
    if isinstance(found, str):
        return "not read"
    count = sum(found[rule].values())
    if not isinstance(reference, dict) or found is reference:
        return str(count)
    more = sum((found[rule] - reference[rule]).values())
    less = sum((reference[rule] - found[rule]).values())
    marks = " ".join(mark for mark in (f"+{more}" if more else "", f"-{less}" if less else "") if mark)
    return f"{count} ({marks})" if marks else str(count)


def print_differences(name, results):
    reference = results.get("traced")
    for kind, found in results.items():
        if isinstance(found, str):
            print(f"  {name}.{kind}: {found}")
        if not isinstance(found, dict) or not isinstance(reference, dict) or kind == "traced":
            continue
        for rule in RULES:
            for sign, difference in (("+", found[rule] - reference[rule]), ("-", reference[rule] - found[rule])):
                for what, count in sorted(difference.items()):
                    print(f"  {name}.{kind} {rule} {sign}{count} {what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tool", default="build/dev/bin/model_validator")
    parser.add_argument("--only", default="", help="a regular expression on the models' names")
    parser.add_argument("--verbose", action="store_true", help="name every difference")
    options = parser.parse_args()

    names = sorted({file.name[: -len(ending)] for ending in FORMATS.values() for file in options.folder.glob(f"*{ending}")})
    names = [name for name in names if re.search(options.only, name)]
    if not names:
        sys.exit(f"no models in {options.folder}")
    results = {}
    for name in names:
        results[name] = {}
        for kind, ending in FORMATS.items():
            file = options.folder / f"{name}{ending}"
            if file.exists():
                found = findings_of(options.tool, file)
                reference = results[name].get("traced")
                results[name][kind] = named_as_in(without_wrapper(found, reference), reference)

    width = max(map(len, names))
    for rule in RULES:
        print(f"\n{rule:{width}}" + "".join(f"  {kind:>14}" for kind in FORMATS))
        for name in names:
            row = [cell(results[name][kind], results[name].get("traced"), rule) if kind in results[name] else "-" for kind in FORMATS]
            print(f"{name:{width}}" + "".join(f"  {text:>14}" for text in row))
    if options.verbose:
        print()
        for name in names:
            print_differences(name, results[name])


if __name__ == "__main__":
    main()
