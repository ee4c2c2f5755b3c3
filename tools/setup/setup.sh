#!/usr/bin/env bash
# Installs what a build needs and is not there yet: Debian packages, and torch in the project's own .venv.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

missing_packages() {
  local package
  while read -r package; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done < "$here/debian-packages.txt"
}

install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system, so the packages of tools/setup/debian-packages.txt are yours to install"
    return
  fi
  local packages
  mapfile -t packages < <(missing_packages)
  [ ${#packages[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "setup: Debian packages are missing; as root, run" >&2
    echo "    apt-get install --no-install-recommends ${packages[*]}" >&2
    exit 1
  fi
  echo "setup: installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  # A third-party source that does not answer must not matter: what counts is whether the install works.
  apt-get update -qq || true
  apt-get install -y -qq --no-install-recommends "${packages[@]}" </dev/null >/dev/null
}

requirements_stamp() {
  { .venv/bin/python --version 2>&1; cat "$here/requirements.txt" "$here/requirements-test.txt" "$here/requirements-backends.txt"; } | sha256sum
}

install_python_packages() {
  local stamp=.venv/.model_validator-requirements
  [ "$(cat "$stamp" 2>/dev/null)" != "$(requirements_stamp)" ] || return 0
  .venv/bin/python -m pip --version &>/dev/null || python3 -m venv .venv
  echo "setup: installing torch and the packages of tests and backends into .venv"
  .venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check \
    -r "$here/requirements.txt" -r "$here/requirements-test.txt" -r "$here/requirements-backends.txt"
  requirements_stamp > "$stamp"
}

install_packages
install_python_packages
"$here/onnxruntime_headers.sh" .venv/include/onnxruntime
"$here/sarif_schema.sh" .cache/sarif-2.1.0.json
