#!/usr/bin/env bash
# Installs what is needed and not there yet: Debian packages, and torch in the project's own .venv.
#   setup.sh          what the program is built with, and what the demonstration runs
#   setup.sh tests    what the tests use as well
#   setup.sh aarch64  what a wheel of that architecture is built and tried with on another, in .cache/aarch64
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/fetching.sh"
cd "$here/../.."
case "${1:-}" in
  '' | tests | aarch64) ;;
  *) echo "setup: no wheel is built here for \`$1\`; \`aarch64\` is the only other architecture" >&2; exit 2 ;;
esac

missing_packages() {
  local package
  while read -r package; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done < "$1"
}

# fetch_debian PACKAGE…: one after the other, so that the one that is missing is named and those before it stay
fetch_debian() {
  local package
  for package in "$@"; do
    fetch "the Debian package $package" apt-get install -y -qq --no-install-recommends "$package"
  done
}

# install_packages LIST
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system, so the packages of $1 are yours to install"
    return
  fi
  local packages
  mapfile -t packages < <(missing_packages "$1")
  [ ${#packages[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "setup: Debian packages are missing; as root, run" >&2
    echo "    apt-get install --no-install-recommends ${packages[*]}" >&2
    exit 1
  fi
  echo "setup: installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  # A third-party source that does not answer must not matter, only whether the install works.
  apt-get update -qq || true
  apt-get install -y -qq --no-install-recommends "${packages[@]}" </dev/null &>/dev/null || fetch_debian "${packages[@]}"
}

# install_python_packages LIST…: the first list names the stamp
install_python_packages() {
  .venv/bin/python -m pip --version &>/dev/null || python3 -m venv .venv
  local wanted stamp
  wanted=$({ .venv/bin/python --version 2>&1; cat "$@"; } | sha256sum)
  stamp=.venv/.model_validator-$(basename "$1" .txt)
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  echo "setup: installing the Python packages of $(basename -a "$@" | paste -sd ' ') into .venv"
  fetch_python .venv/bin/python "$@"
  echo "$wanted" > "$stamp"
}

install_packages "$here/debian-packages.txt"
install_python_packages "$here/requirements.txt" "$here/requirements-backends.txt"
"$here/onnxruntime_headers.sh" .venv/include/onnxruntime
"$here/npm_package.sh" grammar .cache/tree-sitter-python

if [ "${1:-}" = aarch64 ]; then
  install_packages "$here/debian-packages-cross.txt"
  "$here/foreign_root.sh" arm64 .cache/aarch64/root
  "$here/foreign_python.sh" aarch64 .cache/aarch64/root .cache/aarch64/packages
fi

if [ "${1:-}" = tests ]; then
  # A full disk ends a build in the middle of a link.
  free=$(df --output=avail --block-size=1G . | tail -n 1)
  [ -d build ] || [ "$free" -ge 7 ] || echo "setup: ${free// /} GB are free here; the build and its tests take 7" >&2
  install_packages "$here/debian-packages-test.txt"
  install_python_packages "$here/requirements-test.txt"
  "$here/npm_package.sh" sarif .cache/sarif-2.1.0.json
  "$here/npm_package.sh" axe .cache/axe-core.min.js
  "$here/page_packages.sh"
fi
