"""Keywords that a function does not have."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence


def refuse(function: str, given: Iterable[str], known: Sequence[str]) -> None:
    """@raises TypeError for the first that is given, with the keyword that was most likely meant"""
    for name in given:
        near = difflib.get_close_matches(name, known, 1)
        meant = f"did you mean `{near[0]}`?" if near else f"it has {', '.join(f'`{each}`' for each in known)}"
        raise TypeError(f"{function}() has no keyword `{name}`: {meant}")
