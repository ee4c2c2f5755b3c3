# Finds what Python source is parsed with: Debian's libtree-sitter, and the grammar of the npm package tree-sitter-python,
# which `make setup` unpacks.
mv_find_plain_library(TreeSitter tree_sitter/api.h tree-sitter)

set(MODEL_VALIDATOR_PYTHON_GRAMMAR "${PROJECT_SOURCE_DIR}/.cache/tree-sitter-python" CACHE PATH
    "Folder of parser.c and scanner.c of tree-sitter-python")
if(SKBUILD AND NOT EXISTS "${MODEL_VALIDATOR_PYTHON_GRAMMAR}/parser.c")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PYTHON=${MODEL_VALIDATOR_PYTHON}"
                  "${PROJECT_SOURCE_DIR}/tools/setup/npm_package.sh" grammar "${MODEL_VALIDATOR_PYTHON_GRAMMAR}")
endif()
if(NOT EXISTS "${MODEL_VALIDATOR_PYTHON_GRAMMAR}/parser.c")
  message(FATAL_ERROR "${MODEL_VALIDATOR_PYTHON_GRAMMAR} does not hold the grammar of Python.\n"
                      "  Run `make setup`, which fetches it.")
endif()

# Generated C, which is not ours to warn about.
add_library(mv_tree_sitter_python OBJECT
  "${MODEL_VALIDATOR_PYTHON_GRAMMAR}/parser.c" "${MODEL_VALIDATOR_PYTHON_GRAMMAR}/scanner.c")
target_include_directories(mv_tree_sitter_python PRIVATE "${MODEL_VALIDATOR_PYTHON_GRAMMAR}")
target_compile_options(mv_tree_sitter_python PRIVATE -w)
set_target_properties(mv_tree_sitter_python PROPERTIES POSITION_INDEPENDENT_CODE ON)
