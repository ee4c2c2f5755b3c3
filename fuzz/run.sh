#!/usr/bin/env bash
# Fuzzes the reader for SECONDS (default 600): fuzz/run.sh [SECONDS]. What it finds is left in build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-600}"
python="${PYTHON:-.venv/bin/python}"
if [ ! -f build/fuzz/build.ninja ]; then
  cmake -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++-14 -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    -DMODEL_VALIDATOR_FUZZ=ON -DMODEL_VALIDATOR_TESTS=OFF
fi
ninja -C build/fuzz read_graph_fuzzer
mkdir -p build/fuzz/corpus build/fuzz/findings
"$python" fuzz/make_seeds.py build/fuzz/seeds
export OMP_NUM_THREADS=1 MODEL_VALIDATOR_RULES="$PWD/rules"
exec build/fuzz/bin/read_graph_fuzzer -dict=fuzz/model.dict -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=25 \
  -max_len=65536 -artifact_prefix=build/fuzz/findings/ -print_final_stats=1 build/fuzz/corpus build/fuzz/seeds
