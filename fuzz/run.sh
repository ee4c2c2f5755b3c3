#!/usr/bin/env bash
# Fuzzes the readers:  fuzz/run.sh [--minutes N] [--jobs N] [--programs FOLDER] [FUZZER…]
# Each of the fuzzers (onnx, exported_program, pickle, torchscript) runs N minutes, in as many processes as there are
# jobs. Without --programs they are built first, into build/fuzz; with it the ones of that folder are run, on a machine
# that need not have anything else. What is found is left in build/fuzz/findings; the last lines say how much was run.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=1 jobs=1 programs='' fuzzers=()
while [ $# -gt 0 ]; do
  case "$1" in
    --minutes) minutes=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --programs) programs=$(realpath "$2"); shift 2 ;;
    *) fuzzers+=("$1"); shift ;;
  esac
done
[ ${#fuzzers[@]} -gt 0 ] || fuzzers=(onnx exported_program pickle torchscript)

if [ -z "$programs" ]; then
  command -v clang++-14 >/dev/null || { echo 'fuzz/run.sh needs the Debian packages clang-14, libclang-rt-14-dev and llvm-14'; exit 1; }
  [ -f build/fuzz/build.ninja ] || cmake --preset fuzz
  ninja -C build/fuzz ${JOBS:+-j "$JOBS"} "${fuzzers[@]/%/_fuzzer}"
  programs=$PWD/build/fuzz/bin
fi

out=$PWD/build/fuzz
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export FUZZ_SCRATCH=$scratch OMP_NUM_THREADS=1 MODEL_VALIDATOR_RULES=$PWD/rules
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
for fuzzer in "${fuzzers[@]}"; do
  mkdir -p "$out/corpus/$fuzzer" "$out/findings"
  "$programs/${fuzzer}_fuzzer" -fork="$jobs" -max_total_time=$((minutes * 60)) -timeout=60 -malloc_limit_mb=512 -rss_limit_mb=2560 \
    -max_len=4096 -len_control=0 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 \
    -artifact_prefix="$out/findings/$fuzzer-" "$out/corpus/$fuzzer" >"$out/$fuzzer.log" 2>&1 || true
done
for fuzzer in "${fuzzers[@]}"; do
  runs=$(grep -oE '^#[0-9]+' "$out/$fuzzer.log" | tail -1 | tr -d '#' || true)
  findings=$(find "$out/findings" -name "$fuzzer-*" | wc -l)
  echo "$fuzzer: ${runs:-no} executions, $findings inputs in build/fuzz/findings"
done
[ -z "$(find "$out/findings" -type f)" ]
