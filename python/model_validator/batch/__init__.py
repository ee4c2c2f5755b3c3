"""Lints whole folders, lists and stores of models: remote files in ranges, on all cores or a cluster, and resumed where it ended.

    from model_validator import batch
    batch.run(["s3://models/"], "results", target="openvino")
    print(batch.report("results"))

The command is `model_validator hub`; `docs/hub.md` describes both. Needs the packages of the extra `hub`.
"""

from ._files import ModelFile, discover
from ._patience import Patience
from ._report import Comparison, HubReport, compare, report
from ._results import Results
from ._run import Plan, Summary, plan, run
from ._settings import Settings

__all__ = [
    "Comparison",
    "HubReport",
    "ModelFile",
    "Patience",
    "Plan",
    "Results",
    "Settings",
    "Summary",
    "compare",
    "discover",
    "plan",
    "report",
    "run",
]
