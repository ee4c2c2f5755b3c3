"""Profiles of older releases, as their differences from the newest: `extends` in the profile, and what is added, replaced and gone."""
from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import profile_file as out
import tomllib

SHORT = {"float32": "f32", "float64": "f64", "float16": "f16", "bfloat16": "bf16", "bool": "b", "string": "s", "complex64": "c64",
         "complex128": "c128"}


def type_set_name(dtypes: Iterable[str]) -> str:
    """The same for the same set in every file."""
    return ".".join(SHORT.get(d, d.replace("uint", "u").replace("int", "i").replace("float", "f")) for d in sorted(dtypes))


def merged(base: dict[str, Any], difference: dict[str, Any]) -> dict[str, Any]:
    """What the program reads: src/rules/target_profile.cpp."""
    whole, more = copy.deepcopy(base), copy.deepcopy(difference)
    for key, gone in more.pop("without", {}).items():
        if gone is True:
            del whole[key]
        else:
            for name in gone:
                del whole[key][name]
    del more["target"]["extends"]
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(whole.get(key), dict):
            whole[key].update(value)
        elif isinstance(value, list) and isinstance(whole.get(key), list) and value and isinstance(value[0], dict):
            whole[key] += value
        else:
            whole[key] = value
    return whole


def table(name: str, entries: dict[str, Any]) -> str:
    return out.sorted_table(name, {k: out.Lines(v) if name == "versions" else v for k, v in entries.items()}) if entries else ""


def built_in(name: str) -> dict[str, Any]:
    return tomllib.loads((out.RULES / f"{name}.toml").read_text())


def release(profile: dict[str, Any]) -> str:
    """`1.31.1` of `onnxruntime 1.31.1, onnx 1.23.2`."""
    return str(profile["target"]["package"]).partition(",")[0].rpartition(" ")[2]


def replace(name: str, text: str) -> None:
    """Writes a profile of a newer release: the one that it replaces becomes a release's, and those of others differ from the new one."""
    before = built_in(name)
    kept = {release(before): before} if release(before) != release(tomllib.loads(text)) else {}
    for file in sorted((out.RULES / "releases").glob(f"{name}-[0-9]*.toml")):
        kept[file.stem.removeprefix(f"{name}-")] = merged(before, tomllib.loads(file.read_text()))
    kept.pop(release(tomllib.loads(text)), None)
    out.write(name, text)
    for version, whole in kept.items():
        whole.pop("releases", None)  # of the newest alone
        out.write(f"releases/{name}-{version}", difference(name, whole))


def difference(base_name: str, other: dict[str, Any]) -> str:
    """A profile, given in full, as the difference from a built-in one."""
    base = built_in(base_name)
    arrays = [key for key, value in base.items() if isinstance(value, list)]
    absent = [key for key, value in base.items() if isinstance(value, dict) and key not in other]
    gone = {key: out.Lines(left) for key in ("operators", "versions") if (left := sorted(base[key].keys() - other[key].keys()))}
    gone |= dict.fromkeys([*arrays, *absent], True)
    text = "".join(table(key, {name: value for name, value in other[key].items() if base[key].get(name) != value})
                   for key in ("operators", "versions", "types"))
    listed = "".join(out.tables(key, [e | {"when": out.raw(e["when"])} for e in other[key]])
                     for key in arrays if key in other)
    head = out.section("target", {"name": other["target"]["name"], "extends": base_name} | other["target"])
    judged = out.section("judged", other["judged"]) if other["judged"] != base["judged"] else ""
    return ("# Made by the script named in made_by: run it again for a newer version instead of editing.\n" + head + judged
            + out.section("without", gone) + text + listed)
