#!/usr/bin/env python3
"""Puts the notices of the libraries that a wheel holds beside its metadata, in `licenses/`.

notices.py WHEEL: changes the file, which auditwheel has repaired. The shared libraries in it are those of this system's Debian
packages, or of the same packages for another architecture, whose copyright files say what their notices are; so are the headers
that were compiled in. A text that such a file refers to (`/usr/share/common-licenses/LGPL-2.1`) comes along.
"""

import base64
import hashlib
import platform
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

PROJECT = Path(__file__).resolve().parents[2]
SYSTEM_LIBRARIES = Path(f"/usr/lib/{platform.machine()}-linux-gnu")
DOCUMENTS = Path("/usr/share/doc")
TEXTS = Path("/usr/share/common-licenses")
# Compiled into the program. (Boost's licence asks for no notice in compiled code.)
HEADERS = ["libcli11-dev", "nlohmann-json3-dev", "libfmt-dev"]
BUNDLED = re.compile(r"\.libs/(?P<name>.+)-[0-9a-f]{8}(?P<suffix>\.so[.\d]*)$")


def package_of(library: str, suffix: str) -> str:
    """The Debian package that a bundled library is of."""
    file = (SYSTEM_LIBRARIES / f"{library}{suffix}").resolve()
    # Where /lib is a link into /usr, the package may know the file by either path.
    for path in (file, Path("/").joinpath(*file.parts[2:])):
        found = subprocess.run(["dpkg-query", "--search", str(path)], capture_output=True, text=True, check=False)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"notices: no Debian package has {file}")


def packages_in(wheel: ZipFile) -> list[str]:
    bundled = (BUNDLED.search(name) for name in wheel.namelist())
    return sorted({package_of(match["name"], match["suffix"]) for match in bundled if match} | set(HEADERS))


def notices(packages: list[str]) -> dict[str, bytes]:
    """Each file's name and contents."""
    files = {f"{package}.txt": (DOCUMENTS / package / "copyright").read_bytes() for package in packages}
    files["tree-sitter-python.txt"] = (PROJECT / ".cache/tree-sitter-python/LICENSE").read_bytes()
    onnx = metadata.distribution("onnx")
    (licence,) = (file for file in onnx.files or [] if file.name == "LICENSE" and "dist-info" in str(file.parent))
    files["onnx.txt"] = Path(str(onnx.locate_file(licence))).read_bytes()
    named = re.findall(rb"/usr/share/common-licenses/([A-Za-z0-9.-]*[A-Za-z0-9])", b"".join(files.values()))
    for name in sorted({name.decode() for name in named}):
        files[f"common-licenses/{name}.txt"] = (TEXTS / name).read_bytes()
    return files


def recorded(name: str, content: bytes) -> str:
    """The line of a wheel's RECORD for a file."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def main() -> None:
    path = Path(sys.argv[1])
    changed = path.with_suffix(".changed")
    with ZipFile(path) as wheel, ZipFile(changed, "w", ZIP_DEFLATED) as result:
        (record,) = (name for name in wheel.namelist() if name.endswith(".dist-info/RECORD"))
        lines = wheel.read(record).decode()
        for entry in wheel.infolist():
            if entry.filename != record:
                result.writestr(entry, wheel.read(entry))
        for name, content in notices(packages_in(wheel)).items():
            place = record.removesuffix("RECORD") + "licenses/" + name
            result.writestr(place, content)
            lines += recorded(place, content)
        result.writestr(record, lines)
    changed.replace(path)


if __name__ == "__main__":
    main()
