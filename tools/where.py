#!/usr/bin/env python3
"""Where a change goes, what else it needs, and who answers a question that several rooms ask.

    tools/where.py output format      entries of docs/changes.toml that have all of the words
    tools/where.py                    what there are entries for
"""
import sys
import textwrap
from pathlib import Path

import tomllib

FILE = Path(__file__).parents[1] / "docs/changes.toml"


def entries() -> list[dict[str, str]]:
    table = tomllib.loads(FILE.read_text())
    return [*table["change"], *table["question"]]


def found(words: list[str]) -> list[dict[str, str]]:
    """Those that name all of the words in what they are about; where there are none, anywhere."""
    def having(parts: tuple[str, ...]) -> list[dict[str, str]]:
        return [each for each in entries() if all(word.lower() in " ".join(each.get(part, "") for part in parts).lower() for word in words)]
    return having(("what",)) or having(("what", "where", "also"))


def main() -> int:
    shown = found(sys.argv[1:])
    for each in shown:
        parts = ("what",) if not sys.argv[1:] else ("what", "where", "also")
        for part in parts:
            if part in each:
                print(textwrap.fill(" ".join(each[part].split()), 140, initial_indent="" if part == "what" else f"  {part}: ",
                                    subsequent_indent="" if part == "what" else "    ", break_long_words=False, break_on_hyphens=False))
    return 0 if shown else 1


if __name__ == "__main__":
    sys.exit(main())
