#!/usr/bin/env bash
# Fuzzes the readers, each for SECONDS: fuzz/run.sh [SECONDS [READER…]], READER being graph (any file), onnx or
# exported_program. Without arguments all of them for 600 s. What is found is left in build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-600}"
shift || true
readers=("$@")
[ ${#readers[@]} -gt 0 ] || readers=(graph onnx exported_program)
python="${PYTHON:-.venv/bin/python}"
command -v clang++-14 >/dev/null || { echo 'fuzz/run.sh needs the Debian package clang-14'; exit 1; }
if [ ! -f build/fuzz/build.ninja ]; then
  cmake -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DMODEL_VALIDATOR_FUZZ=ON -DMODEL_VALIDATOR_TESTS=OFF
fi
targets=("${readers[@]/#/read_}")
ninja -C build/fuzz ${JOBS:+-j "$JOBS"} "${targets[@]/%/_fuzzer}"
mkdir -p build/fuzz/findings
"$python" fuzz/make_seeds.py build/fuzz/seeds
export OMP_NUM_THREADS=1 MODEL_VALIDATOR_RULES="$PWD/rules"
for reader in "${readers[@]}"; do
  mkdir -p "build/fuzz/corpus/$reader"
  "build/fuzz/bin/read_${reader}_fuzzer" -dict=fuzz/model.dict -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=25 \
    -max_len=65536 -artifact_prefix="build/fuzz/findings/${reader}-" -print_final_stats=1 \
    "build/fuzz/corpus/$reader" "build/fuzz/seeds/$reader"
done
