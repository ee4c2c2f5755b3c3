#!/bin/sh
# What needs a GPU, on a machine that has one: makes small models, verifies them on it, and prints a table of what was expected and what
# came. Exits with 1 where they differ, with 77 where there is no GPU. It is meant to take less than four minutes, and needs model_validator and a torch
# that was built with CUDA in one environment; onnxruntime-gpu, if it is there, is tried, too.
#
#     pip install model_validator-….whl; tools/verify/gpu.sh
set -eu
exec "${PYTHON:-python3}" "$(dirname "$0")/gpu.py" "$@"
