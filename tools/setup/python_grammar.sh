#!/usr/bin/env bash
# The grammar of Python for tree-sitter, as generated C, from its npm package. 0.23 is the last release whose version
# Debian's libtree-sitter accepts.
#   python_grammar.sh FOLDER     leaves its files there
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/npm_package.sh"
checksum=5df63395433197cb65168e95f5ce705cb1dd4c12a11a85020755a5c4b8b55c21

target=$(realpath -m "$1")
! has_checksum "$target/parser.c" "$checksum" || exit 0
unpack_npm_package tree-sitter-python@0.23.6 src/parser.c "$checksum" grammar
mkdir -p "$target"
cp -r package/src/{parser.c,scanner.c,tree_sitter} package/LICENSE "$target"
echo "setup: grammar of Python in $target"
