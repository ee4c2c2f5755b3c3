"""Replaces this process with the bundled program, and passes it the location of torch."""

import os
import sys
from typing import NoReturn

from . import _installed, _places, _torch


def environment() -> dict[str, str]:
    """The environment, with the places of torch and of runtimes that are not installed next to this package."""
    given = dict(os.environ)
    libraries = _torch.library_folder()
    if libraries is not None and libraries != _places.PACKAGE.parent / "torch" / "lib":
        given["LD_LIBRARY_PATH"] = os.pathsep.join([str(libraries), *filter(None, [given.get("LD_LIBRARY_PATH")])])
    if elsewhere := _places.elsewhere("numpy", "onnxruntime", "openvino", "torch"):
        given["MODEL_VALIDATOR_PACKAGES"] = os.pathsep.join([*map(str, elsewhere), *filter(None, [given.get("MODEL_VALIDATOR_PACKAGES")])])
    given.setdefault("MODEL_VALIDATOR_PYTHON", sys.executable)
    return given


OTHER_COMMANDS = set("init graph inspect diff verify fix partition probe quantise-plan reduce rule targets config completion man".split())
"""Every command but `check`, which is also what is meant where none is named."""


def _with_checks_in_python(arguments: list[str]) -> bool:
    """Whether the command checks models, with checks that Python modules or installed packages provide."""
    asks_for_text = {"-h", "--help", "--version"}.intersection(arguments) or arguments[:1] in (["help"], ["version"])
    if not arguments or arguments[0] in OTHER_COMMANDS or asks_for_text:
        return False
    return any(argument.startswith("--plugin") for argument in arguments) or bool(_installed.entry_points())


def main() -> NoReturn:
    """The command `model_validator`."""
    if sys.argv[1:2] == ["hub"]:
        from .batch import _command  # needs packages of an extra

        sys.exit(_command.main(sys.argv[2:]))
    if sys.argv[1:2] == ["migrate"]:
        from .migration import _command as _migrating  # needs torch

        sys.exit(_migrating.main(sys.argv[2:]))
    if _with_checks_in_python(sys.argv[1:]):
        from . import plugins  # slow to import

        try:
            modules, arguments = plugins.split(sys.argv[1:])
        except ValueError as error:
            print(f"error: {error}", file=sys.stderr)
            sys.exit(2)
        sys.exit(plugins.run(modules, arguments, environment()))
    program = _places.program()
    os.execve(program, [str(program), *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
