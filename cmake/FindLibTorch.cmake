# Finds LibTorch in a torch package: two libraries and their headers. It does not use torch's own CMake package, which asks
# for a CUDA toolkit where torch was built for one. It runs none of torch's Python code, so the package may be for another
# Python. Defines the imported target `torch`, Torch_VERSION, and Torch_MINOR_VERSION (2.13).
if(SKBUILD AND Python_EXECUTABLE)
  set(MODEL_VALIDATOR_PYTHON "${Python_EXECUTABLE}" CACHE FILEPATH "Python that builds the wheel")
endif()
find_program(MODEL_VALIDATOR_PYTHON NAMES python3
             HINTS "${CMAKE_CURRENT_LIST_DIR}/../.venv/bin" ENV VIRTUAL_ENV PATH_SUFFIXES bin
             DOC "Python whose torch package provides LibTorch, and which runs the end-to-end tests")

if(NOT MODEL_VALIDATOR_TORCH AND MODEL_VALIDATOR_PYTHON)
  execute_process(COMMAND "${MODEL_VALIDATOR_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/torch_folders.py"
                  OUTPUT_VARIABLE torch_folders OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
find_path(MODEL_VALIDATOR_TORCH lib/libtorch_cpu.so PATHS "${Torch_DIR}/../../.." ${torch_folders} NO_DEFAULT_PATH
          DOC "Folder of the torch package: what is in it decides which torch is served")

# mv_read_torch_version(FOLDER): sets Torch_VERSION and Torch_MINOR_VERSION
function(mv_read_torch_version folder)
  foreach(file IN ITEMS version.py build-version)
    if(EXISTS "${folder}/${file}")
      file(STRINGS "${folder}/${file}" text REGEX "^(__version__ *= *['\"])?[0-9]" LIMIT_COUNT 1)
      string(REGEX MATCH "([0-9]+\\.[0-9]+)[^'\"]*" version "${text}")
      set(Torch_VERSION "${version}" PARENT_SCOPE)
      set(Torch_MINOR_VERSION "${CMAKE_MATCH_1}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${folder} does not tell its version.")
endfunction()

set(LibTorch_FOUND OFF)
if(MODEL_VALIDATOR_TORCH)
  mv_read_torch_version("${MODEL_VALIDATOR_TORCH}")
  # Before it, torch's libraries have the older names of the C++ library.
  if(Torch_MINOR_VERSION VERSION_LESS 2.8)
    message(FATAL_ERROR "torch ${Torch_VERSION} in ${MODEL_VALIDATOR_TORCH} is older than 2.8, the first that is served.")
  endif()
  set(LibTorch_FOUND ON)
  message(STATUS "LibTorch ${Torch_VERSION} from ${MODEL_VALIDATOR_TORCH}")
endif()

if(LibTorch_FOUND AND NOT TARGET torch)
  add_library(torch INTERFACE IMPORTED GLOBAL)
  set_target_properties(torch PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${MODEL_VALIDATOR_TORCH}/include;${MODEL_VALIDATOR_TORCH}/include/torch/csrc/api/include"
    # As torch was built; its headers ask for them.
    INTERFACE_COMPILE_DEFINITIONS "USE_C10D_GLOO;USE_DISTRIBUTED;USE_RPC;USE_TENSORPIPE"
    INTERFACE_LINK_LIBRARIES "${MODEL_VALIDATOR_TORCH}/lib/libtorch_cpu.so;${MODEL_VALIDATOR_TORCH}/lib/libc10.so"
    # Libraries for the other devices that torch was built for need not be installed.
    INTERFACE_LINK_OPTIONS "LINKER:--allow-shlib-undefined")
endif()
