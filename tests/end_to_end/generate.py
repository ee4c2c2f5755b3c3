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
import export  # noqa: E402


def main():
    folder = Path(sys.argv[1])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    warnings.simplefilter("ignore", DeprecationWarning)
    export.export_all(folder)
    bad_files.make_all(folder / "bad", good=folder / "without_reused_nodes.scripted.pt")


if __name__ == "__main__":
    main()
