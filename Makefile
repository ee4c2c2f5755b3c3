# Every goal installs what is missing, then configures and builds. A second run does only what has changed.
SHELL := /bin/bash
JOBS ?= $(shell nproc)
PRESET ?= dev
BUILD := build/$(PRESET)
# Of the wheel. Another than this machine's is cross-built, and tried in an emulator.
ARCH ?= $(shell uname -m)
# That which has the packages whose runtimes Python loads.
export MODEL_VALIDATOR_PYTHON ?= $(abspath .venv/bin/python)

.PHONY: help wheel test-wheel setup setup-tests setup-arch configure configure-tests runtime build demo test test-asan fuzz bench accuracy published ecosystem torch-modules page format clean

help:
	@echo 'make demo       build, export the example models, lint them, verify one and fix its source'
	@echo 'make test       build and run every test'
	@echo 'make wheel      build dist/model_validator-….whl; TORCH="2.8 2.13" or TORCH=all for more than the torch that is there,'
	@echo '                ARCH=aarch64 for a wheel of that architecture'
	@echo 'make test-wheel install the wheel of dist/ in fresh environments and try it with every torch that is at hand;'
	@echo '                ARCH=aarch64 for that one, under QEMU'
	@echo 'make test-asan  the same under the address and undefined-behaviour sanitizers'
	@echo 'make fuzz       fuzz the readers, each for MINUTES=1'
	@echo 'make bench      print the benchmarks'
	@echo 'make accuracy   compare the graphs of real models with what their eager modules did'
	@echo 'make published  check and verify the model files that some published packages carry'
	@echo 'make ecosystem  compare what BASE=HEAD~1, built or a program, says of many files with what this tree says; MODELS=FOLDER for more files'
	@echo 'make torch-modules  run every command over the modules that torch tests itself with'
	@echo 'make page       build page/page.html from its sources, with npm'
	@echo 'make format     format the C++ code'
	@echo 'make clean      remove what was built'

setup:
	@tools/setup/setup.sh

setup-tests: setup
	@tools/setup/setup.sh tests

setup-arch: setup-tests
	@[ $(ARCH) = $(shell uname -m) ] || tools/setup/setup.sh $(ARCH)

# A tree without tests needs none of their packages.
configure: setup
	@test -f $(BUILD)/build.ninja || cmake --preset $(PRESET) -DMODEL_VALIDATOR_TESTS=OFF

configure-tests: setup-tests
	@test -f $(BUILD)/build.ninja && grep -q '^MODEL_VALIDATOR_TESTS:BOOL=ON' $(BUILD)/CMakeCache.txt \
	  || cmake --preset $(PRESET) -DMODEL_VALIDATOR_TESTS=ON

runtime: configure
	@cmake --build $(BUILD) --parallel $(JOBS) --target runtime

build: configure-tests
	@cmake --build $(BUILD) --parallel $(JOBS)

demo: runtime $(BUILD)/demo/resnet18.traced.pt
	@examples/demo.sh $(abspath $(BUILD)/bin/model_validator) $(BUILD)/demo $(abspath .venv/bin/python)

$(BUILD)/demo/resnet18.traced.pt: $(wildcard examples/models/*.py) | setup
	@.venv/bin/python examples/models/export.py $(@D)

# Some tests wait more than they compute: one more than there are processors fills the gaps. Together they have more threads than
# that: a thread that waits must not keep a processor busy. Many of their processes fork, which is cheaper with large pages.
# numpy's BLAS, which many of them import and few use, would start threads in each.
test: export OMP_WAIT_POLICY := PASSIVE
test: export GLIBC_TUNABLES := glibc.malloc.hugetlb=1
test: export OPENBLAS_NUM_THREADS := 1
test: build
	@ctest --test-dir $(BUILD) --parallel $$(($(JOBS) + 1)) --output-on-failure

wheel: setup-arch
	@ARCH=$(ARCH) tools/wheel/build.sh dist $(TORCH)

test-wheel: setup-arch
	@.venv/bin/python tests/end_to_end/generate.py $(BUILD)/wheel-models >/dev/null
	@ARCH=$(ARCH) WHEEL_FOLDER=$(abspath dist) MODELS=$(abspath $(BUILD)/wheel-models) MINORS=$(abspath .cache/torch) \
	  PROGRAM=$(abspath $(BUILD)/bin/model_validator) .venv/bin/python -m unittest discover --start-directory tests/integration \
	  --pattern $(if $(filter $(ARCH),$(shell uname -m)),'*wheel_test.py',emulated_test.py)

test-asan:
	@$(MAKE) --no-print-directory test PRESET=asan

fuzz: setup
	@fuzz/run.sh --preset $(PRESET) --jobs $(JOBS) --minutes $(or $(MINUTES),1)

bench: setup
	@cmake --preset release -DMODEL_VALIDATOR_TESTS=OFF -DMODEL_VALIDATOR_BENCHMARKS=ON
	@cmake --build build/release --parallel $(JOBS)
	@.venv/bin/python benchmarks/run.py build/release

accuracy: runtime
	@.venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check -r tools/accuracy/requirements.txt
	@.venv/bin/python -W ignore tools/accuracy/measure.py --tool $(BUILD)/bin/model_validator

published: runtime
	@.venv/bin/python -W ignore tools/verify/published.py --tool $(abspath $(BUILD)/bin/model_validator) --folder build/published

ecosystem: runtime
	@.venv/bin/python -W ignore tools/ecosystem.py run --base $(or $(BASE),HEAD) --tool $(abspath $(BUILD)/bin/model_validator) --folder build/ecosystem $(MODELS)

torch-modules: runtime
	@.venv/bin/python -m pip install --quiet --no-input --no-deps --disable-pip-version-check -r tools/accuracy/requirements-modules.txt
	@.venv/bin/python -W ignore tools/accuracy/torch_modules.py --tool $(BUILD)/bin/model_validator

page:
	@tools/setup/page_packages.sh
	@npm --prefix page run --silent check
	@npm --prefix page run --silent build

format: setup-tests
	@git ls-files -co --exclude-standard '*.cpp' '*.h' | xargs .venv/bin/clang-format -i

clean:
	@rm -rf build
