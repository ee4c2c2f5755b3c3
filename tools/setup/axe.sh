#!/usr/bin/env bash
# axe-core, which tests of the page look for barriers with, from an npm package.
#   axe.sh FILE     leaves it there
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/npm_package.sh"
checksum=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c

target=$(realpath -m "$1")
! has_checksum "$target" "$checksum" || exit 0
unpack_npm_package axe-core@4.14.1 axe.min.js "$checksum" script
mkdir -p "$(dirname "$target")"
cp package/axe.min.js "$target"
echo "setup: axe-core in $target"
