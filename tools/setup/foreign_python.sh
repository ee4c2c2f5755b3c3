#!/usr/bin/env bash
# The Python packages of another architecture that stand beside the program there: what .venv is here.
#   foreign_python.sh ARCHITECTURE ROOT FOLDER     for the Python in ROOT; the architecture in Python's words: `aarch64`
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/fetching.sh"
cd "$here/../.."
architecture=$1 target=$3
version=$(readlink "$2/usr/bin/python3"); version=${version#python}
lists=("$here/requirements-foreign.txt" "$here/requirements-backends.txt")
wanted=$({ echo "$version"; cat "${lists[@]}"; } | sha256sum)
[ "$(cat "$target.made" 2>/dev/null)" != "$wanted" ] || exit 0

echo "setup: fetching the Python packages for $architecture into $target"
arguments=()
for minor in {17..39}; do arguments+=(--platform "manylinux_2_${minor}_$architecture"); done
for list in "${lists[@]}"; do arguments+=(-r "$list"); done
rm -rf "$target"
# Without dependencies: pip would choose them for this machine.
fetch "a Python package for $architecture" .venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check --no-deps --no-compile --only-binary=:all: \
  --python-version "$version" --platform "manylinux2014_$architecture" "${arguments[@]}" --target "$target"
echo "$wanted" > "$target.made"
