"""Makes the files that the end-to-end tests look at: the example models, and everything that is not a model.

    python tests/end_to_end/generate.py FOLDER
"""

import shutil
import sys
import warnings
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "models"
sys.path.insert(0, str(EXAMPLES))
import bad_files  # noqa: E402
import control_flow  # noqa: E402
import export  # noqa: E402
import frozen  # noqa: E402
import torch  # noqa: E402
import weight_files  # noqa: E402


def export_faulty(good, folder):
    """A copy of a ResNet-18 with one weight that is off by a hundredth."""
    folder.mkdir()
    perturbed = torch.jit.load(str(good))
    with torch.no_grad():
        dict(perturbed.named_parameters())["layer3.0.conv1.weight"].mul_(1.01)
    perturbed.save(str(folder / "perturbed_weight.pt"))


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    warnings.simplefilter("ignore", DeprecationWarning)
    export.export_all(folder)
    export_faulty(folder / "resnet18.traced.pt", folder / "faulty")
    weight_files.make_all(folder / "weights")
    control_flow.export_all(folder)
    frozen.export_all(folder)
    bad_files.make_all(folder / "bad", good=folder / "without_reused_nodes.scripted.pt")


if __name__ == "__main__":
    main()
