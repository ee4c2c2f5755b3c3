# Where the optional packages of the Python environment are looked for.
set(MODEL_VALIDATOR_BACKENDS_PYTHON "${PROJECT_SOURCE_DIR}/.venv/bin/python" CACHE FILEPATH
    "Python whose package onnxruntime is used")

# mv_python_package_file(VARIABLE PACKAGE PATTERN): the file that matches the pattern in the package's folder; empty where there
# is none.
function(mv_python_package_file variable package pattern)
  set(found "")
  execute_process(
    COMMAND "${MODEL_VALIDATOR_BACKENDS_PYTHON}" -c
      "import importlib.util as u; print(u.find_spec('${package}').submodule_search_locations[0])"
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    file(GLOB found "${folder}/${pattern}")
  endif()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()
