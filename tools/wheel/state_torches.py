#!/usr/bin/env python3
"""Has a wheel's extra `torch` ask for the minor versions that the wheel has libraries for, and for no other.

state_torches.py WHEEL: changes the file. Its RECORD is left as it is, because auditwheel writes that anew.
"""

import re
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

STATED = re.compile(r"""^Requires-Dist: torch\b[^;]*; extra == ['"]torch['"]\n""", re.MULTILINE)


def held(wheel: ZipFile) -> list[int]:
    """The 13 of `torch-2.13`, of each folder of libraries."""
    found = (re.search(r"/torch-2\.(\d+)/", name) for name in wheel.namelist())
    return sorted({int(match[1]) for match in found if match})


def requirement(minors: list[int]) -> str:
    """`torch>=2.8,<2.14,!=2.9.*`: what is between the oldest and the newest, without the gaps."""
    gaps = [f"!=2.{minor}.*" for minor in range(minors[0], minors[-1]) if minor not in minors]
    return "torch" + ",".join([f">=2.{minors[0]}", f"<2.{minors[-1] + 1}", *gaps])


def restated(metadata: str, minors: list[int]) -> str:
    """Metadata whose extra is empty where the wheel has no libraries for any torch."""
    line = f'Requires-Dist: {requirement(minors)}; extra == "torch"\n' if minors else ""
    text, lines = STATED.subn(line, metadata)
    if lines != 1:
        raise SystemExit(f"the metadata has {lines} requirements of torch, not one")
    return text


def main() -> None:
    path = Path(sys.argv[1])
    changed = path.with_suffix(".changed")
    with ZipFile(path) as wheel, ZipFile(changed, "w", ZIP_DEFLATED) as result:
        for entry in wheel.infolist():
            content = wheel.read(entry)
            if entry.filename.endswith(".dist-info/METADATA"):
                content = restated(content.decode(), held(wheel)).encode()
            result.writestr(entry, content)
    changed.replace(path)


if __name__ == "__main__":
    main()
