#!/usr/bin/env bash
# Fuzzes the readers:  fuzz/run.sh [--minutes N] [--jobs N] [--preset NAME | --programs FOLDER] [FUZZER…] Each of the
# fuzzers (baseline, configuration, edge_model, onnx, exported_program, flat_program, pickle, python, result, torchscript) runs N minutes, in as many processes as there are jobs. They are
# built in the preset's folder: `dev`, `asan`, or `fuzz`, where clang's libFuzzer guides them. With --programs nothing is
# built: the fuzzers of that folder are run, on a machine that needs nothing else (see pack.sh). Findings are left in
# build/findings; the last lines say how much was run.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=1 jobs=1 preset=dev programs='' fuzzers=()
while [ $# -gt 0 ]; do
  case "$1" in
    --minutes) minutes=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    --preset) preset=$2; shift 2 ;;
    --programs) programs=$(realpath "$2"); shift 2 ;;
    *) fuzzers+=("$1"); shift ;;
  esac
done
[ ${#fuzzers[@]} -gt 0 ] || fuzzers=(baseline configuration edge_model onnx exported_program flat_program pickle python result torchscript)

if [ -z "$programs" ]; then
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset"
  ninja -C "build/$preset" ${JOBS:+-j "$JOBS"} "${fuzzers[@]/%/_fuzzer}"
  programs=$PWD/build/$preset/bin
fi
out=$PWD/build/findings
mkdir -p "$out"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export FUZZ_SCRATCH=$scratch OMP_NUM_THREADS=1 MODEL_VALIDATOR_RULES=$PWD/rules
export ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=8 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
[ ! -d "$programs/../lib/portable" ] || export LD_LIBRARY_PATH=$programs/../lib/portable

# All of the help is read: a pipe that closes early would end the program, which would then look like one without libFuzzer.
is_guided() { [[ $("$1" -help=1 </dev/null 2>&1) == *"To run fuzzing pass"* ]]; }

# Coverage and the sanitizers slow a program down six to ten times, so an input may take that many times 5 s.
run_guided() {
  mkdir -p "$out/corpus/$1"
  FUZZ_SECONDS=${FUZZ_SECONDS:-40} "$programs/${1}_fuzzer" -fork="$jobs" -max_total_time=$((minutes * 60)) -timeout=60 -malloc_limit_mb=512 -rss_limit_mb=2560 \
    -report_slow_units=60 -max_len=4096 -len_control=0 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 \
    -artifact_prefix="$out/$1-" "$out/corpus/$1" >"$out/$1.log" 2>&1 || true
  grep -oE '^#[0-9]+' "$out/$1.log" | tail -1 | tr -d '#' || true
}

run_unguided() {
  local job start
  start=$(date +%s)
  for job in $(seq "$jobs"); do
    FUZZ_SCRATCH=$scratch/$job "$programs/${1}_fuzzer" --seconds $((minutes * 60)) --seed $((start * 100 + job)) \
      --findings "$out/$1-" >"$out/$1.$job.log" 2>&1 &
    mkdir -p "$scratch/$job"
  done
  wait
  sed -n 's/^fuzz: \([0-9]*\) runs in .*/\1/p' "$out/$1".*.log | awk '{ runs += $1 } END { print runs }'
}

for fuzzer in "${fuzzers[@]}"; do
  if is_guided "$programs/${fuzzer}_fuzzer"; then runs=$(run_guided "$fuzzer"); else runs=$(run_unguided "$fuzzer"); fi
  found=$(find "$out" -maxdepth 1 -name "$fuzzer-*" | wc -l)
  echo "$fuzzer: ${runs:-no} executions, $found findings in build/findings"
  [ "${runs:-0}" -gt 0 ] || idle=1
done
[ -z "$(find "$out" -maxdepth 1 -name '*-*')" ] && [ -z "${idle:-}" ]
