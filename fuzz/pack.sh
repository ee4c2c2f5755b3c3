#!/usr/bin/env bash
# Packs fuzzers that need no LibTorch, to be run on another x86-64 machine:  fuzz/pack.sh BUILD-FOLDER ARCHIVE.tar.gz
#   there:  tar xzf ARCHIVE.tar.gz && cd fuzzers && fuzz/run.sh --programs bin --jobs 16 --minutes 60 onnx exported_program pickle
set -euo pipefail
build=$(realpath "$1") archive=$(realpath -m "$2")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/fuzzers/{bin,fuzz,lib/portable}
cp fuzz/run.sh "$work/fuzzers/fuzz"
cp -r rules "$work/fuzzers/rules"
for fuzzer in onnx exported_program pickle; do
  strip -S -o "$work/fuzzers/bin/${fuzzer}_fuzzer" "$build/bin/${fuzzer}_fuzzer"
  # The other machine has its own C library.
  ldd "$build/bin/${fuzzer}_fuzzer" | awk '$3 ~ /^\// { print $3 }' | grep -vE '/(libc|libm|libdl|libpthread|librt|ld-linux[^/]*)\.so' |
    xargs -I{} cp -Lu {} "$work/fuzzers/lib/portable"
done
tar czf "$archive" -C "$work" fuzzers
