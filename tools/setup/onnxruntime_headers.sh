#!/usr/bin/env bash
# The Python package onnxruntime brings the library without headers. They come from Debian's libonnxruntime-dev, which
# newer releases than this machine's may have: it is fetched with separate package lists and unpacked, not installed.
#   onnxruntime_headers.sh FOLDER     leaves them in FOLDER
set -euo pipefail
target=$(realpath -m "$1")
[ ! -f "$target/onnxruntime_cxx_api.h" ] || exit 0
command -v apt-get dpkg >/dev/null || { echo "setup: not a Debian system: no headers of ONNX Runtime" >&2; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 | tr -d ' ' || true)
[ -n "$mirror" ] || { echo "setup: no Debian mirror is configured: no headers of ONNX Runtime" >&2; exit 0; }
mkdir -p "$work"/{state/lists/partial,cache/archives/partial}
touch "$work/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" > "$work/sources.list"
options=(-o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State="$work/state"
         -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
cd "$work"
if apt-get -qq "${options[@]}" update && apt-get -qq "${options[@]}" download libonnxruntime-dev; then
  dpkg -x libonnxruntime-dev_*.deb unpacked
  mkdir -p "$target"
  cp -r unpacked/usr/include/onnxruntime/. "$target"
  echo "setup: headers of ONNX Runtime in $target"
else
  echo "setup: the headers of ONNX Runtime cannot be fetched; it is built without" >&2
fi
