#!/usr/bin/env bash
# Lints the example models, as `make demo` shows it: a flawed one, its mended twin, and a real network.
set -u
program=$1 models=$2

lint() {
  printf '\n\033[1m$ model_validator %s\033[0m\n' "$*"
  "$program" "$@"
  echo "exit status $?"
}

cd "$models" || exit
for model in reused_nodes without_reused_nodes functional_linear without_functional_linear; do
  lint "$model.scripted.pt"
done
lint resnet18.traced.pt
lint --output-format concise ./*.pt
exit 0
