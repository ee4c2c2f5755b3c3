#!/usr/bin/env bash
# The schema of SARIF 2.1.0, which the tests validate reports against, from an npm package.
#   sarif_schema.sh FILE     leaves it there
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/npm_package.sh"
inside=lib/schemas/sarif-2.1.0-rtm.5.json
checksum=2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8

target=$(realpath -m "$1")
! has_checksum "$target" "$checksum" || exit 0
unpack_npm_package @microsoft/jest-sarif@1.0.0-beta.0 "$inside" "$checksum" "schema of SARIF"
mkdir -p "$(dirname "$target")"
cp "package/$inside" "$target"
echo "setup: schema of SARIF in $target"
