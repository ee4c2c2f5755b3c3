"""Drop-in replacement for AIMET's model validator: `from model_validator.aimet import ModelValidator`.

It also takes scripted and traced modules, and does not run the model twice. Given a ScriptModule, it sees branches that the
sample does not take.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, ClassVar

from .checking import check

CHECKS = ("reused-modules", "missing-modules")
logger = logging.getLogger("Utils")
"""AIMET's own name for it."""


class ModelValidator:
    """Checks whether AIMET's features can be applied to a model."""

    _validation_checks: ClassVar[list[Callable[[Any, Any], bool]]] = []

    @staticmethod
    def add_check(validation_check: Callable[[Any, Any], bool]) -> None:
        """Adds a check of your own, `check(model, model_input) -> bool`, to every later validation."""
        if validation_check not in ModelValidator._validation_checks:
            ModelValidator._validation_checks.append(validation_check)

    @staticmethod
    def remove_check(validation_check: Callable[[Any, Any], bool]) -> None:
        """Removes an added check. @raises ValueError if it was not added"""
        ModelValidator._validation_checks.remove(validation_check)

    @staticmethod
    def validate_model(model: Any, model_input: Any) -> bool:
        """Whether all checks pass; those that fail are logged. model_input: a tensor, a tuple, or a mapping of names."""
        report = check(model, model_input, select=CHECKS, isolated=True, fail_on_installed=True)
        failed = _log_built_in(report.log)
        for own in ModelValidator._validation_checks:
            logger.info("Running validator check %s", own.__name__)
            if not own(model, model_input):
                failed.append(own.__name__)
        if not failed:
            logger.info("All validation checks passed.")
            return True
        logger.info("The following validator checks failed:")
        for name in failed:
            logger.info("    %s", name)
        return False


FAILED = "    "
CLOSING = ("All validation checks passed.", "The following validator checks failed:")


def _log_built_in(entries: Any) -> list[str]:
    """Logs how the built-in checks went, without the closing lines. @returns the names of those that failed"""
    failed = []
    for entry in entries:
        if entry.text.startswith(FAILED):
            failed.append(entry.text.strip())
        elif entry.text not in CLOSING:
            logger.log(logging.WARNING if entry.level == "warning" else logging.INFO, "%s", entry.text)
    return failed
