# Finds ONNX Runtime: the library in the Python package onnxruntime, loaded when it is needed and not linked, and the
# headers that tools/setup/onnxruntime_headers.sh fetched. Without the headers everything else is built.
include(PythonPackages)
mv_python_package_file(ONNXRUNTIME_LIBRARY onnxruntime "capi/libonnxruntime.so.1*")
find_path(ONNXRUNTIME_INCLUDE onnxruntime_cxx_api.h
  PATHS "${PROJECT_SOURCE_DIR}/.venv/include/onnxruntime" PATH_SUFFIXES onnxruntime
  DOC "Folder of the headers of ONNX Runtime")
if(ONNXRUNTIME_INCLUDE)
  message(STATUS "ONNX Runtime: headers ${ONNXRUNTIME_INCLUDE}, library ${ONNXRUNTIME_LIBRARY}")
else()
  message(STATUS "ONNX Runtime: no headers, so verification has no backend `onnxruntime`")
endif()
