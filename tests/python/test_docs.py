"""The snippets of docs/python.md and of the README, run in their order."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from model_validator.aimet import ModelValidator

ROOT = Path(__file__).resolve().parents[2]


def snippets(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_snippets_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = snippets(page)
    assert found
    # Scripting reads the source of a class, so the snippets are a file.
    file = tmp_path / "snippets.py"
    file.write_text("\n".join(found), encoding="utf-8")
    own = list(ModelValidator._validation_checks)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), {"__name__": "snippets"})
        finally:
            ModelValidator._validation_checks[:] = own


def test_every_public_name_is_documented() -> None:
    import model_validator as mv

    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    left_out = {
        "Difference",
        "Edit",
        "Finding",
        "Fix",
        "Location",
        "Module",
        "Op",
        "Partition",
        "Plan",
        "Port",
        "Position",
        "Product",
        "Report",
    }
    left_out |= {"SameResult", "SourceLocation", "VerifyReport", "version"}  # types of results
    missing = [name for name in mv.__all__ if name not in left_out and not re.search(rf"\b{name}\b", page)]
    assert not missing
