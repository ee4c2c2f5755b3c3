#!/usr/bin/env python3
"""Adds a check: its file, test and page, and its line in the list of checks and in the registry.

usage: tools/add_validator.py NAME --code XXX123 [--op TYPE] [--root FOLDER]

NAME is kebab-case (`no-erf`); XXX is the group: GRA graph, TGT target, SHP shape and dtype, NUM numerics, QNT
quantisation, PRF performance, SER serialisation. The new check builds and passes its test: it reports operations of type
TYPE. Put your own condition in its place.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import sys

SOURCE = """\
#include "text/places.h"
#include "validators/checks.h"

namespace model_validator {{
namespace {{

constexpr RuleInfo rule = {{
    "{name}", "{code}", "{summary}", Severity::warning, false}};

/// Operations of type `{op}`.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {{
  for (OpId id = 0; id < graph.op_count(); ++id) {{
    const Op& op = graph.op(id);
    if (op.type != "{op}") continue;
    Diagnostic finding = diagnostics.start("operation `{op}` is used");
    finding.module = finding.parent = graph.module_path(op.parent);
    finding.op = OpReference{{op.name, op.type}};
    finding.locations.push_back(location_of(graph, op.frame, "call"));
    diagnostics.add(std::move(finding));
  }}
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

TEST_CASE("{name} finds what it is for") {{
  SampleGraph builder;
  builder.functional("{op}", "aten::{op}", builder.frame(10));
  const auto found = test::run_check(checks::{snake}, builder.graph);
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "operation `{op}` is used");
  CHECK(found.findings()[0].locations[0].source.line == 10);
}}

TEST_CASE("{name} stays silent on other operations") {{
  SampleGraph builder;
  builder.functional("another_op", "aten::another_op", builder.frame(10));
  CHECK(test::run_check(checks::{snake}, builder.graph).findings().empty());
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

```python
x = torch.{op}(x)
```

## Use instead

Show the same code without the cause.

## Fix safety

Say when the change keeps the results, and when it does not.
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


def refuse_what_cannot_be(root: pathlib.Path, name: str, code: str, op: str, files) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise RefusedError(f"`{name}` is not in kebab case, as `reused-modules` is")
    if not re.fullmatch(r"[A-Z]{3}\d{3}", code):
        raise RefusedError(f"`{code}` is not three capitals and three digits, as `GRA001` is")
    if not re.fullmatch(r"\w+", op):
        raise RefusedError(f"`{op}` is not the type of an operation, as `relu` is")
    if f'"{code}"' in "".join(p.read_text() for p in (root / "src/validators").glob("*.cpp")):
        raise RefusedError(f"the code `{code}` is taken")
    for path in files:
        if path.exists():
            raise RefusedError(f"`{path.relative_to(root)}` is there already")


def add(root: pathlib.Path, name: str, code: str, op: str) -> list[pathlib.Path]:
    words = {"name": name, "code": code, "op": op, "snake": name.replace("-", "_"),
             "summary": f"an operation of type {op} is used"}
    files = new_files(root, words)
    refuse_what_cannot_be(root, name, code, op, files)
    files |= lists_with(root, words)
    for path, text in files.items():
        path.write_text(text)
    return list(files)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--code", required=True)
    parser.add_argument("--op", default="relu", help="the type of operation that the new check reports (relu)")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    args = parser.parse_args()
    try:
        for path in add(args.root, args.name, args.code, args.op):
            print(path.relative_to(args.root))
    except RefusedError as refused:
        print(f"error: {refused}", file=sys.stderr)
        return 2
    print("next: put your condition into the check and its test, write its page, then `make format test`")
    return 0


if __name__ == "__main__":
    sys.exit(main())
