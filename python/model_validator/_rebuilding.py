"""Makes and exports a model anew, from its source as it is now: `python _rebuilding.py FOLDER OUTPUT`."""

from __future__ import annotations

import importlib
import os
import pickle
import runpy
import sys
import types
from pathlib import Path
from typing import Any

EXTENSIONS = {"trace": ".pt", "script": ".pt", "export": ".pt2"}
MAKER, INPUTS, STATE = "maker.pickle", "inputs.pt", "state.pt"


def save(folder: Path, maker: dict[str, Any], network: Any, inputs: object, way: str) -> None:
    """Writes what the other process needs."""
    torch: Any = sys.modules["torch"]
    described = {**maker, "way": way, "path": [os.path.abspath(each or ".") for each in sys.path]}
    (folder / MAKER).write_bytes(pickle.dumps(described))
    torch.save(inputs, folder / INPUTS)
    torch.save(network.state_dict(), folder / STATE)


def _maker(described: dict[str, Any]) -> Any:
    if described["script"]:  # as multiprocessing does: code behind `if __name__ == "__main__"` does not run
        names = runpy.run_path(described["script"], run_name="__mp_main__")
        module: Any = types.SimpleNamespace(**names)
        sys.modules["__mp_main__"] = module
    else:
        module = importlib.import_module(described["module"])
    for name in described["name"].split("."):
        module = getattr(module, name)
    return module


def main(folder: Path, output: str) -> None:
    described = pickle.loads((folder / MAKER).read_bytes())
    sys.path[:] = described["path"]
    import torch

    from model_validator._exporting import EXPORTERS, quietly

    inputs = torch.load(folder / INPUTS, weights_only=False)
    network = _maker(described)(**described["arguments"])
    network.load_state_dict(torch.load(folder / STATE, weights_only=False))
    with quietly():
        made = EXPORTERS[described["way"]](network.eval(), inputs)
        (torch.export.save if described["way"] == "export" else torch.jit.save)(made, output)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
