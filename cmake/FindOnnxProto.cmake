# Finds what the ONNX front end is generated from: `onnx-ml.proto` of the Python package onnx, and Debian's protoc and
# libprotobuf-lite. Not through the usual search paths: torch brings an older protoc and headers, which do not fit.
find_program(MODEL_VALIDATOR_PROTOC protoc PATHS /usr/bin /usr/local/bin NO_DEFAULT_PATH DOC "Compiler of protocol buffers")
find_library(MODEL_VALIDATOR_PROTOBUF_LITE protobuf-lite
             PATHS "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}" /usr/lib /usr/lib64 /usr/local/lib NO_DEFAULT_PATH)
find_path(MODEL_VALIDATOR_PROTOBUF_INCLUDE google/protobuf/message_lite.h PATHS /usr/include /usr/local/include NO_DEFAULT_PATH)

if(NOT MODEL_VALIDATOR_ONNX_PROTO)
  foreach(python IN ITEMS "${PROJECT_SOURCE_DIR}/.venv/bin/python" "${MODEL_VALIDATOR_PYTHON}" python3 /usr/bin/python3)
    if(python AND NOT MODEL_VALIDATOR_ONNX_PROTO)
      execute_process(COMMAND "${python}" -c "import sys; print(';'.join(p for p in sys.path if p))"
                      OUTPUT_VARIABLE python_folders OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      find_file(MODEL_VALIDATOR_ONNX_PROTO onnx/onnx-ml.proto PATHS ${python_folders} NO_DEFAULT_PATH
                DOC "onnx-ml.proto of the Python package onnx")
    endif()
  endforeach()
endif()

foreach(part IN ITEMS MODEL_VALIDATOR_PROTOC MODEL_VALIDATOR_PROTOBUF_LITE MODEL_VALIDATOR_PROTOBUF_INCLUDE MODEL_VALIDATOR_ONNX_PROTO)
  if(NOT ${part})
    message(FATAL_ERROR
      "What the ONNX front end is made of was not found: ${part}.\n"
      "  Run `make setup`, which installs protoc, libprotobuf and the Python package onnx.")
  endif()
endforeach()
message(STATUS "ONNX as described by ${MODEL_VALIDATOR_ONNX_PROTO}")

# mv_add_onnx_proto(TARGET): an object library with the generated code, which sees nothing of torch.
function(mv_add_onnx_proto target)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/generated")
  file(MAKE_DIRECTORY "${folder}")
  get_filename_component(proto_folder "${MODEL_VALIDATOR_ONNX_PROTO}" DIRECTORY)
  add_custom_command(
    OUTPUT "${folder}/onnx-ml.pb.cc" "${folder}/onnx-ml.pb.h"
    COMMAND "${MODEL_VALIDATOR_PROTOC}" "--proto_path=${proto_folder}" "--cpp_out=${folder}" onnx-ml.proto
    DEPENDS "${MODEL_VALIDATOR_ONNX_PROTO}" VERBATIM)
  add_library(${target} OBJECT "${folder}/onnx-ml.pb.cc" "${folder}/onnx-ml.pb.h")
  target_include_directories(${target} SYSTEM PUBLIC "${folder}" "${MODEL_VALIDATOR_PROTOBUF_INCLUDE}")
  target_link_libraries(${target} PUBLIC "${MODEL_VALIDATOR_PROTOBUF_LITE}")
endfunction()
