#!/usr/bin/env bash
# Lints the example models, as `make demo` shows it: a flawed one, its mended twin, and a real network.
set -u
program=$1 models=$2

lint() {
  printf '\n$ model_validator %s\n' "$*"
  "$program" "$@"
  local status=$?
  echo "exit status $status"
  # 1 says that the model has flaws, as some of these have; anything above, that the program failed.
  [ "$status" -le 1 ] || exit "$status"
}

cd "$models" || exit
for model in reused_nodes without_reused_nodes functional_linear without_functional_linear; do
  lint "$model.scripted.pt"
done
lint resnet18.traced.pt
lint --output-format concise ./*.pt
