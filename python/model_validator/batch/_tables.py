"""Tables of counts, as text and as a page. Names in them are those of files, and may be anything."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import printable

Examples = Sequence[tuple[str, Sequence[str]]]
"""Titles, each with lines."""


@dataclass(frozen=True)
class Line:
    """A count, and what it is of."""

    name: str
    count: int
    more: str = ""


@dataclass(frozen=True)
class Table:
    """Counts under a title."""

    title: str
    lines: Sequence[Line]
    counted: bool = True
    """Whether the counts are shown, besides what is said about them."""

    def cell(self, line: Line) -> str:
        """What stands behind a name."""
        return " ".join(filter(None, [str(line.count) if self.counted else "", printable(line.more)]))


def text(headline: str, tables: Iterable[Table], examples: Examples) -> str:
    """For a terminal."""
    parts = [headline, *(_table(table) for table in tables if table.lines)]
    parts += ["\n".join([printable(title), *(f"  {printable(line)}" for line in lines)]) for title, lines in examples]
    return "\n\n".join(parts)


def _table(table: Table) -> str:
    width = max(len(printable(line.name)) for line in table.lines)
    return "\n".join([table.title, *(f"  {printable(line.name):<{width}}  {table.cell(line)}" for line in table.lines)])


STYLE = """
:root { color-scheme: light dark; --bar: #7aa2d2; --soft: #8883; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: .15rem .6rem .15rem 0; border-bottom: 1px solid var(--soft); overflow-wrap: anywhere; }
td:nth-child(2) { text-align: right; white-space: nowrap; } td:nth-child(3) { width: 40%; }
i { display: block; height: .7rem; background: var(--bar); border-radius: 2px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .2rem 0 .8rem 1rem; } footer { margin-top: 2rem; opacity: .7; }
"""


def page(title: str, headline: str, tables: Iterable[Table], examples: Examples, footer: str) -> str:
    """A page without scripts that loads nothing."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_escaped(title)}</title>\n<style>{STYLE}</style>",
        f"<h1>{_escaped(title)}</h1>\n<p>{_escaped(headline)}</p>",
    ]
    shown = [_table_of_page(table) for table in tables if table.lines]
    told = [f"<h2>{_escaped(name)}</h2>\n<pre>{_escaped_lines(lines)}</pre>" for name, lines in examples]
    return "\n".join([*head, *shown, *told, *([f"<footer>{_escaped(footer)}</footer>"] if footer else []), "</html>\n"])


def _table_of_page(table: Table) -> str:
    most = max(line.count for line in table.lines)
    rows = (
        f'<tr><td>{_escaped(line.name)}</td><td>{_escaped(table.cell(line))}</td>'
        f'<td><i style="width: {100 * line.count / most if most else 0:.1f}%"></i></td></tr>'
        for line in table.lines
    )
    return "\n".join([f"<h2>{_escaped(table.title)}</h2>\n<table>", *rows, "</table>"])


def _escaped(value: str) -> str:
    return html.escape(printable(value))


def _escaped_lines(lines: Iterable[str]) -> str:
    return "\n".join(map(_escaped, lines))
