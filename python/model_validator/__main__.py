"""Replaces this process with the bundled program, and passes it the location of torch."""

import os
import sys
from typing import NoReturn

from . import _places, _torch


def environment() -> dict[str, str]:
    """The environment, with LibTorch's folder added if torch is not installed next to this package."""
    libraries = _torch.library_folder()
    if libraries is None or libraries == _places.PACKAGE.parent / "torch" / "lib":
        return dict(os.environ)
    folders = [str(libraries), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    return {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(folders)}


def main() -> NoReturn:
    """The command `model_validator`."""
    if any(argument.startswith("--plugin") for argument in sys.argv):
        from . import plugins

        try:
            modules, arguments = plugins.split(sys.argv[1:])
        except ValueError as error:
            print(f"error: {error}", file=sys.stderr)
            sys.exit(2)
        if modules:
            sys.exit(plugins.run(modules, arguments, environment()))
    program = _places.program()
    os.execve(program, [str(program), *sys.argv[1:]], environment())


if __name__ == "__main__":
    main()
