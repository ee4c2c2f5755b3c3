#!/usr/bin/env bash
# Lints the example models, as `make demo` shows it: a flawed one, its mended twin, and a real network; then compares
# that network with what a compiler makes of it, and mends its source.
set -u
program=$1 models=$2 source=$(cd "$(dirname "$0")/models" && pwd) python=$3
export XDG_STATE_HOME=$models/state # where `fix` keeps the command of an export: of no use to another run

# Runs the program; ends the demonstration when it ends with more than the status given first.
show() {
  local worst=$1
  shift
  printf '\n$ model_validator %s\n' "$*"
  "$program" "$@"
  local status=$?
  echo "exit status $status"
  [ "$status" -le "$worst" ] || exit "$status"
}

cd "$models" || exit
# 1 says that the model has flaws, as some of these have; anything above, that the program failed.
for model in reused_nodes without_reused_nodes functional_linear without_functional_linear; do
  show 1 "$model.scripted.pt"
done
show 1 resnet18.traced.pt
show 1 --output-format concise ./*.pt
# Any difference would be an error here.
show 0 verify resnet18.traced.pt --backend ts --input 1x3x64x64 --auto-tolerance
show 0 verify resnet18.traced.pt --backend openvino --input 1x3x64x64 --auto-tolerance
# A copy is edited, exported and compared; 1 would say that an edit was taken back.
mkdir -p source && cp "$source"/*.py source && cd source || exit
show 0 fix ../resnet18.traced.pt --write --source-root "$source=$PWD" \
  --rebuild "$python -W ignore export.py {output} resnet18" --input 1x3x64x64
diff -u "$source/resnet.py" resnet.py
rm -r ../source
