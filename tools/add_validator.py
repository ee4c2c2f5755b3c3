#!/usr/bin/env python3
"""Adds a check: its file, test and page, and its line in the list of checks, in the registry and in docs/rules.md.

usage: tools/add_validator.py NAME --code XXX123 [--op TYPE] [--root FOLDER]
       tools/add_validator.py --list      writes docs/rules.md anew from the pages

NAME is kebab-case (`no-erf`); XXX is the group: GRA graph, TGT target, SHP shape and dtype, NUM numerics, QNT
quantisation, PRF performance, SER serialisation. The new check builds and passes its tests: it reports operations of type
TYPE, on a graph that is written in its test, and in a file of each format of its page's example. Put your own condition in
its place.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import subprocess
import sys

GROUPS = ("GRA", "TGT", "SHP", "NUM", "QNT", "PRF", "SER")

SOURCE = """\
#include "validators/checks.h"
#include "validators/op_finding.h"

namespace model_validator {{
namespace {{

constexpr RuleInfo rule{{.name = "{name}",
                        .code = "{code}",
                        .summary = "{summary}",
                        .on_by_default = false}};

/// Operations of type `{op}`.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {{
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (graph.op(id).type == "{op}")
      diagnostics.add(finding_of(graph, id, diagnostics, "operation `{op}` is used"));
}}

}} // namespace

const Check checks::{snake}(rule, run);

}} // namespace model_validator
"""

TEST = """\
#include "support/run_check.h"
#include "support/sample_graph.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;

namespace {{
constexpr test::Checker check{{checks::{snake}}};
}}

TEST_CASE("{name} finds what it is for") {{
  SampleGraph builder;
  builder.functional("{op}", "aten::{op}", builder.frame(10));
  const auto found = check(builder);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].op->type == "{op}");
  CHECK(found.findings()[0].locations[0].source.line == 10);
}}

TEST_CASE("{name} stays silent on other operations") {{
  SampleGraph builder;
  builder.functional("another_op", "aten::another_op", builder.frame(10));
  CHECK(check(builder).findings().empty());
}}
"""

PAGE = """\
# {name}

`{code}` · warning · off by default · {summary}

## What it does

Reports every operation of type `{op}`.

## Why it matters

Say what goes wrong, for whom, and how they notice.

## Example

<!-- run: script/trace/export/onnx, torch.rand(2, 3) -->
```python
class Net(nn.Module):
    def forward(self, x):
        return torch.{op}(x)
```

## Use instead

<!-- run: script/trace/export/onnx, torch.rand(2, 3) -->
```python
class Net(nn.Module):
    def forward(self, x):
        return x + 1
```

## Fix safety

Say when the change keeps the results, and when it does not.
"""

LIST = """\
# Rules

Every rule, by its code. `tools/add_validator.py --list` writes this page from the rules' own; `model_validator rule NAME` prints one of them.

| code | rule | severity | by default | reports |
|---|---|---|---|---|
"""

NEXT = """\
next: put your condition into the check, its test and the page's example, which is run in a file of each format that it names;
then say in docs/formats.md which files it cannot judge, and
    tools/approve.py && make format test
"""


class RefusedError(Exception):
    """The check cannot be added; nothing has been written."""


def insert_sorted(text: str, line: str, like: str, key=lambda found: found) -> str:
    """The text with one more line, put among the lines that match `like`, which are sorted by `key`."""
    lines = text.splitlines(keepends=True)
    places = [i for i, found in enumerate(lines) if re.match(like, found)]
    after = [i for i in places if key(lines[i]) < key(line)]
    lines.insert(after[-1] + 1 if after else places[0], line)
    return "".join(lines)


def new_files(root: pathlib.Path, words: dict[str, str]) -> dict[pathlib.Path, str]:
    snake = words["snake"]
    templates = {f"src/validators/{snake}.cpp": SOURCE, f"tests/validators/{snake}_test.cpp": TEST,
                 f"docs/rules/{words['name']}.md": PAGE}
    return {root / path: template.format(**words) for path, template in templates.items()}


def lists_with(root: pathlib.Path, words: dict[str, str]) -> dict[pathlib.Path, str]:
    checks, registry = root / "src/validators/checks.h", root / "src/validators/registry.cpp"
    return {checks: insert_sorted(checks.read_text(), f"extern const Check {words['snake']};\n", "extern const Check "),
            registry: insert_sorted(registry.read_text(), f"    &checks::{words['snake']}, // {words['code']}\n",
                                    r"    &checks::.*// [A-Z]{3}\d{3}$", key=lambda line: line[-7:])}


def list_of_rules(root: pathlib.Path) -> str:
    """docs/rules.md, from the third line of each page."""
    rows = []
    for page in (root / "docs/rules").glob("*.md"):
        code, severity, default, summary = page.read_text().splitlines()[2].split(" · ", 3)
        rows.append(f"| {code} | [{page.stem}](rules/{page.name}) | {severity} | {default.removesuffix(' by default')} | {summary} |\n")
    return LIST + "".join(sorted(rows))


def refuse_what_cannot_be(root: pathlib.Path, name: str, code: str, op: str, files) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise RefusedError(f"`{name}` is not in kebab case, as `reused-modules` is")
    if not re.fullmatch(r"[A-Z]{3}\d{3}", code):
        raise RefusedError(f"`{code}` is not three capitals and three digits, as `GRA001` is")
    if code[:3] not in GROUPS:
        raise RefusedError(f"there is no group `{code[:3]}`: choose from {', '.join(GROUPS)}")
    if not re.fullmatch(r"\w+", op):
        raise RefusedError(f"`{op}` is not the type of an operation, as `relu` is")
    rules = [*(root / "src/validators").glob("*.cpp"), root / "src/lint/tool_rules.h"]
    if f'"{code}"' in "".join(path.read_text() for path in rules):
        raise RefusedError(f"the code `{code}` is taken")
    for path in files:
        if path.exists():
            raise RefusedError(f"`{path.relative_to(root)}` is there already")


def as_formatted(path: pathlib.Path) -> None:
    """As `make format` would have it, where that has been set up."""
    here = pathlib.Path(__file__).resolve().parents[1]
    formatter = here / ".venv/bin/clang-format"
    if path.suffix in (".cpp", ".h") and formatter.exists():
        subprocess.run([formatter, "-i", f"--style=file:{here / '.clang-format'}", path], check=True)


def add(root: pathlib.Path, name: str, code: str, op: str) -> list[pathlib.Path]:
    words = {"name": name, "code": code, "op": op, "snake": name.replace("-", "_"),
             "summary": f"an operation of type {op} is used"}
    files = new_files(root, words)
    refuse_what_cannot_be(root, name, code, op, files)
    files |= lists_with(root, words)
    for path, text in files.items():
        path.write_text(text)
        as_formatted(path)
    return [*files, write_list(root)]


def write_list(root: pathlib.Path) -> pathlib.Path:
    path = root / "docs/rules.md"
    path.write_text(list_of_rules(root))
    return path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--code")
    parser.add_argument("--list", action="store_true", help="write docs/rules.md alone")
    parser.add_argument("--op", default="relu", help="the type of operation that the new check reports (relu)")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    args = parser.parse_args()
    if args.list:
        print(write_list(args.root).relative_to(args.root))
        return 0
    if not args.name or not args.code:
        parser.error("a check has a NAME and a --code")
    try:
        for path in add(args.root, args.name, args.code, args.op):
            print(path.relative_to(args.root))
    except RefusedError as refused:
        print(f"error: {refused}", file=sys.stderr)
        return 2
    print(NEXT, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
