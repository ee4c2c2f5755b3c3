"""Writes target profiles: rules/NAME.toml as the program reads them."""
from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import pathlib
import tempfile
from typing import Any

import tomllib

RULES = pathlib.Path(__file__).resolve().parents[2] / "rules"


def installed(*packages: str) -> str:
    """`torch 2.13.0, onnxscript 0.7.2`: the packages that the table was read from."""
    return ", ".join(f"{p} {importlib.metadata.version(p).split('+')[0]}" for p in packages)


class Lines(list):
    """A list that is written one item per line."""


class Raw(str):
    """TOML that is written unchanged."""


def inline(entries: dict) -> str:
    """A table on one line."""
    return "{" + ", ".join(f"{k} = {value(v)}" for k, v in entries.items()) + "}"


def raw(entries: list) -> Raw:
    """A list of tables on one line."""
    return Raw("[" + ", ".join(map(inline, entries)) + "]")


def value(v) -> str:
    if isinstance(v, Raw):
        return str(v)
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, str):
        return json.dumps(v, ensure_ascii=False)
    if isinstance(v, Lines):
        return "[\n" + "".join(f"  {value(x)},\n" for x in v) + "]"
    if isinstance(v, (set, frozenset)):
        return "[\n" + "".join(f"  {value(x)},\n" for x in sorted(v)) + "]"
    if isinstance(v, dict):
        return inline(v)
    if isinstance(v, (list, tuple)):
        return "[" + ", ".join(value(x) for x in v) + "]"
    return str(v)


def section(name: str, entries: dict) -> str:
    """A table with bare keys, in the order given; sets are written one item per line, sorted."""
    return f"[{name}]\n" + "".join(f"{k} = {value(v)}\n" for k, v in entries.items()) + "\n"


def sorted_table(name: str, entries: dict) -> str:
    return f"[{name}]\n" + "".join(f"{value(k)} = {value(entries[k])}\n" for k in sorted(entries)) + "\n"


def header(target: dict) -> str:
    order = ("name", "extends", "counterparts", "description", "package", "date", "made_by", "url", "refusal", "notes")
    target = {**target, "date": datetime.date.today().isoformat()}
    return ("# Made by the script named in made_by: run it again for a newer version instead of editing.\n"
            + section("target", {k: target[k] for k in order if k in target}))


def tables(name: str, entries: list[dict]) -> str:
    """An array of tables."""
    return "".join("[" + section(name, each).replace("]\n", "]]\n", 1) for each in entries)


def releases(versions: list[dict]) -> str:
    """The ceilings of each version of a package: of the IR, and of the opsets of each domain."""
    text = ""
    for each in versions:
        opsets = {value(k): v for k, v in each.items() if k not in ("version", "ir_version")}
        text += tables("releases", [{"version": each["version"], "ir_version": each["ir_version"]}])
        text = text.rstrip("\n") + "\n" + "".join(f"opsets.{k} = {v}\n" for k, v in opsets.items()) + "\n"
    return text


ASKED_OF_ARGUMENTS = {"one_of": "is_not", "none_of": "is", "not_types": "types", "minimum": "below", "min_length": "shorter_than",
                      "dimensions_before_pairs": "axes_left"}


def whens(constraint: dict) -> list[dict]:
    """What is true of an operator that breaks a constraint: each alone is enough."""
    name = constraint.get("attribute")
    noted = {"attribute" if name in ("result", "use") else "argument": name}
    found = [{**noted, ASKED_OF_ARGUMENTS[key]: asked, **{each: True for each in ("from_end", "given") if each in constraint}}
             for key, asked in constraint.items() if key in ASKED_OF_ARGUMENTS]
    if "must_be_constant" in constraint:
        found.append({"attribute": name, "or_absent": True})
    of_tensors = {
        "not_overloads": lambda asked: [{"attribute": "overload", "is": asked}],
        "dtypes": lambda asked: [{"dtypes_not": asked}],
        "min_rank": lambda asked: [{"input": 0, "rank_below": asked}],
        "max_rank": lambda asked: [{"input": 0, "rank_above": asked}],
        "same_rank": lambda _: [{"mixed": "ranks"}],
        "same_dtype": lambda _: [{"mixed": "dtypes"}],
        "constant_operands": lambda asked: [{"input": each, "computed": True} for each in asked],
        "computed_operands": lambda asked: [{"input": each, "entry": True} for each in asked],
        "results": lambda asked: [{"attribute": "used", "is_not": list(range(asked + 1))}],
        "not_returned": lambda _: [{"attribute": "returned", "is": [True]}],
    }
    return [each for key, asked in constraint.items() if key in of_tensors for each in of_tensors[key](asked)] + found


def refusals(constraints: list[dict]) -> list[dict]:
    """Constraints, as entries of the profile: what breaks them is refused, and an operator always that has none."""
    return [{"operators": each["operators"],
             "when": raw([{"attribute": name, "is": values} for name, values in each.get("where", {}).items()] + ([when] if when else [])),
             "reason": each["reason"], **({"parts": each["parts"]} if "parts" in each else {})}
            for each in constraints for when in whens(each) or [None]]


def profile(target: dict, judged: dict, operators: dict, constraints=(), removed=(), decomposed=None,
            replacements=None) -> str:
    """A whole profile. `operators`: name -> the first opset that has it, or 0."""
    text = header(target) + section("judged", judged) + sorted_table("operators", operators)
    text += tables("refused", refusals(list(constraints)))
    if removed:
        text += section("removed_by_passes", {"operators": set(removed)})
    if decomposed:
        text += sorted_table("decomposed", decomposed)
    if replacements:
        text += sorted_table("replacements", replacements)
    return text


FORMS = "[[forms]]"  # with the edges, always last, and made by tools/rules/forms_profile.py


def forms_of(text: str) -> str:
    return text[text.index(FORMS):] if FORMS in text else ""


def without_forms(text: str) -> str:
    return text.removesuffix(forms_of(text))


CONTRADICTIONS = "# Contradictions, made by tools/rules/contradictions_profile.py\n"  # behind the forms


def replace_forms(name: str, forms: str) -> None:
    """Writes what was learnt of forms at the end of rules/NAME.toml."""
    text = (RULES / f"{name}.toml").read_text()
    kept = text[text.index(CONTRADICTIONS):] if CONTRADICTIONS in text else ""
    write(name, without_forms(text).rstrip("\n") + "\n\n" + forms + kept)


def contradictions_of(name: str) -> list[dict[str, Any]]:
    """The entries that are written."""
    text = (RULES / f"{name}.toml").read_text().partition(CONTRADICTIONS)[2]
    found: list[dict[str, Any]] = tomllib.loads(text).get("forms", [])
    return found


def replace_contradictions(name: str, forms: str) -> None:
    text = (RULES / f"{name}.toml").read_text().partition(CONTRADICTIONS)[0]
    write(name, text.rstrip("\n") + "\n\n" + CONTRADICTIONS + forms)


def write(name: str, text: str) -> None:
    """Replaces rules/NAME.toml in one step, but for its forms, where the text has none."""
    path = RULES / f"{name}.toml"
    if FORMS not in text and path.exists():
        text = text.rstrip("\n") + "\n\n" + forms_of(path.read_text())
    path.parent.mkdir(exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text.rstrip("\n") + "\n")
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)
    print(f"{path.name}: {len(text.splitlines())} lines")
