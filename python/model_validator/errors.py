"""What can go wrong, as exceptions."""

from __future__ import annotations


class ModelValidatorError(Exception):
    """Why a model could not be read, or a question not be answered. Never raised for a fault of the model."""

    def __init__(self, kind: str, path: str, message: str, hint: str = "", details: str = "") -> None:
        super().__init__(kind, path, message, hint, details)
        self.kind = kind
        """A stable word for programs: `not-found`, `bad-options`, `no-libtorch`, …"""
        self.path = path
        """The file concerned, as the caller named it; empty if there is none."""
        self.message = message
        """What is wrong: one sentence."""
        self.hint = hint
        """What can be done about it; may be empty."""
        self.details = details
        """What else another program said of it, in lines; may be empty."""

    def __str__(self) -> str:
        place = f"{self.path}: " if self.path else ""
        details = "".join(f"\n    {line}" for line in self.details.splitlines())
        return f"{place}{self.message}{details}" + (f"\n  = help: {self.hint}" if self.hint else "")


def as_sentence(error: BaseException) -> str:
    """An exception's text on one line, with nothing in it that controls a terminal or a build server."""
    return printable(str(error))


def printable(text: str) -> str:
    """The text on one line, with all that controls a terminal written as an escape."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
