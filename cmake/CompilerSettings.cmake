set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

option(MODEL_VALIDATOR_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)
option(MODEL_VALIDATOR_SANITIZE "Build with the address and undefined-behaviour sanitizers" OFF)
option(MODEL_VALIDATOR_TESTS "Build the tests" ON)
option(MODEL_VALIDATOR_BENCHMARKS "Build the programs of benchmarks/" OFF)
option(MODEL_VALIDATOR_FUZZ "Build the fuzzers of fuzz/ with clang's libFuzzer" OFF)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  # Build folders of one tree (the wheel's is one) share what they compiled, with precompiled headers too. A base_dir
  # that the user has set for ccache is kept. Headers are compared byte by byte (CCACHE_DEPEND): after the preprocessor
  # they are equal where a comment alone has changed, and GCC includes a header again whose bytes are not those that
  # its precompiled one was made of. The namespace leaves aside what was cached before that.
  execute_process(COMMAND "${CCACHE_PROGRAM}" --get-config base_dir OUTPUT_VARIABLE ccache_base OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT ccache_base)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        CCACHE_DEPEND=1 CCACHE_NAMESPACE=model_validator
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${CCACHE_PROGRAM}")
  endif()
endif()

# All our targets link it; nothing of it is installed.
add_library(mv_settings INTERFACE)
target_compile_options(mv_settings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(MODEL_VALIDATOR_WARNINGS_AS_ERRORS)
  target_compile_options(mv_settings INTERFACE -Werror)
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  # Every x86-64 rounds each product and each sum. Other processors fuse the two unless they are told not to, and a figure
  # would depend on the machine.
  target_compile_options(mv_settings INTERFACE -ffp-contract=off)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # So that ccache can keep what was compiled with a precompiled header.
  target_compile_options(mv_settings INTERFACE -fpch-preprocess)
  # GCC 12 reports overlapping copies in string concatenations where there are none.
  target_compile_options(mv_settings INTERFACE -Wno-restrict)
  # Where it inlines more, it also reports impossibly large sizes in the same place.
  target_compile_options(mv_settings INTERFACE "$<$<CONFIG:Release>:-Wno-stringop-overflow;-Wno-array-bounds>")
endif()
if(MODEL_VALIDATOR_SANITIZE)
  target_compile_options(mv_settings INTERFACE -fsanitize=address,undefined -fno-sanitize=vptr -fno-omit-frame-pointer)
  target_link_options(mv_settings INTERFACE -fsanitize=address,undefined -fno-sanitize=vptr)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # With the sanitizers it takes values of the standard library and of Boost for uninitialized.
    target_compile_options(mv_settings INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
endif()
if(MODEL_VALIDATOR_FUZZ)
  target_compile_options(mv_settings INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined)
endif()
