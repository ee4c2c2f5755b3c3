#!/usr/bin/env bash
# The Python package onnxruntime brings the library without headers. They come from Debian's libonnxruntime-dev, which
# newer releases than this machine's may have: it is fetched with separate package lists and unpacked, not installed.
#   onnxruntime_headers.sh FOLDER     leaves them in FOLDER
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/apt_apart.sh"
target=$(realpath -m "$1")
[ ! -f "$target/onnxruntime_cxx_api.h" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
if apt_apart "$work" trixie "$(dpkg --print-architecture)" && "${apart[@]}" download libonnxruntime-dev; then
  dpkg -x libonnxruntime-dev_*.deb unpacked
  mkdir -p "$target"
  cp -r unpacked/usr/include/onnxruntime/. "$target"
  echo "setup: headers of ONNX Runtime in $target"
else
  echo "setup: the headers of ONNX Runtime cannot be fetched; it is built without" >&2
fi
