# Finds LibTorch: from Torch_DIR or CMAKE_PREFIX_PATH, else from the Python environment's torch.
# Afterwards the imported target `torch` (with its include folders and flags) is there.
if(SKBUILD)
  set(MODEL_VALIDATOR_PYTHON "${Python_EXECUTABLE}" CACHE FILEPATH "Python that builds the wheel")
endif()
find_program(MODEL_VALIDATOR_PYTHON NAMES python3
             HINTS "${PROJECT_SOURCE_DIR}/.venv/bin" ENV VIRTUAL_ENV PATH_SUFFIXES bin
             DOC "Python whose torch package provides LibTorch, and which runs the end-to-end tests")
# LibTorch's own file warns of parts that its Python package does not bring (kineto), whatever is asked for.
set(CMAKE_MESSAGE_LOG_LEVEL ERROR)
find_package(Torch QUIET)
if(NOT Torch_FOUND)
  if(MODEL_VALIDATOR_PYTHON)
    execute_process(
      COMMAND "${MODEL_VALIDATOR_PYTHON}" -c "import importlib.util as u; print(u.find_spec('torch').submodule_search_locations[0])"
      OUTPUT_VARIABLE torch_folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(torch_folder)
    find_package(Torch QUIET PATHS "${torch_folder}" NO_DEFAULT_PATH)
  endif()
endif()
if(NOT Torch_FOUND)
  message(FATAL_ERROR
    "LibTorch was not found, neither through Torch_DIR nor in a Python environment.\n"
    "  Run `make setup`, which installs torch into .venv, or point CMake at yours:\n"
    "  cmake --preset release -DTorch_DIR=\"$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')/Torch\"")
endif()
unset(CMAKE_MESSAGE_LOG_LEVEL)
get_filename_component(TORCH_LIBRARY_FOLDER "${TORCH_LIBRARY}" DIRECTORY)
message(STATUS "LibTorch ${Torch_VERSION} from ${TORCH_LIBRARY_FOLDER}")

# What our own targets link. GCC 12 sees overflows in LibTorch's reference counting that are not there.
add_library(mv_libtorch INTERFACE)
target_link_libraries(mv_libtorch INTERFACE torch)
target_compile_options(mv_libtorch INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
