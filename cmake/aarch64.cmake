# Toolchain of `make wheel ARCH=aarch64` on another machine: Debian's cross compiler, and the libraries of `make setup-foreign`.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
get_filename_component(CMAKE_SYSROOT "${CMAKE_CURRENT_LIST_DIR}/../.cache/aarch64/root" ABSOLUTE)
# Libraries are those of the root. What else is looked for may also be a Python package's.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
# The program writes its own manual and completions.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static -L "${CMAKE_SYSROOT}")
# Of pairs of numbers that older compilers passed otherwise: nothing here was compiled by one.
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)
