"""Keywords and words that a function does not have."""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar, get_args

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


MOST_LISTED = 12


def _meant(given: str, known: Sequence[str], otherwise: str) -> str:
    near = difflib.get_close_matches(given.lower(), known, 1)
    if near:
        return f"did you mean `{near[0]}`?"
    more = ", …" if len(known) > MOST_LISTED else ""
    return f"{otherwise} {', '.join(f'`{each}`' for each in known[:MOST_LISTED])}{more}"


def refuse(function: str, given: Iterable[str], known: Sequence[str]) -> None:
    """@raises TypeError for the first that is given, with the keyword that was most likely meant"""
    for name in given:
        raise TypeError(f"{function}() has no keyword `{name}`: {_meant(name, known, 'it has')}")


def require_word(name: str, given: object, words: Any) -> None:
    """words: a `Literal`. @raises ValueError for another one, with the word that was most likely meant"""
    if given not in get_args(words):
        raise ValueError(f"{name} cannot be {given!r}: {_meant(str(given), get_args(words), 'choose from')}")


def takes(options: type | None = None, name: str = "") -> Callable[[F], F]:
    """The `**options` of a function are those of a TypedDict, which its signature shows; any other keyword is refused by name."""

    def decorated(function: F) -> F:
        signature = inspect.signature(function)
        own = [each for each in signature.parameters.values() if each.kind is not each.VAR_KEYWORD]
        more = [inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=None) for each in getattr(options, "__annotations__", ())]
        known = [each.name for each in [*own, *more]]

        @functools.wraps(function)
        def call(*arguments: Any, **by_name: Any) -> Any:
            __tracebackhide__ = True
            refuse(name or function.__qualname__.removesuffix(".__init__"), [each for each in by_name if each not in known], known)
            return function(*arguments, **by_name)

        call.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return decorated


def takes_fields(made: type[T]) -> type[T]:
    """A class, such as a dataclass, whose constructor refuses other keywords by name."""
    made.__init__ = takes(name=made.__qualname__)(made.__init__)  # type: ignore[method-assign]
    return made
