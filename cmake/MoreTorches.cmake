# The same libraries for more versions of torch, each in its own build tree beneath this one, on top of this one's core.
include(ExternalProject)
set(handed_down)
foreach(setting IN ITEMS CMAKE_BUILD_TYPE CMAKE_C_COMPILER CMAKE_CXX_COMPILER CMAKE_CXX_FLAGS CMAKE_CXX_FLAGS_RELEASE
        CMAKE_CXX_FLAGS_RELWITHDEBINFO CMAKE_INSTALL_LIBDIR MODEL_VALIDATOR_PYTHON MODEL_VALIDATOR_ONNX_PROTO
        MODEL_VALIDATOR_BACKENDS_PYTHON MODEL_VALIDATOR_WARNINGS_AS_ERRORS SKBUILD)
  if(DEFINED ${setting})
    list(APPEND handed_down "-D${setting}:STRING=${${setting}}")
  endif()
endforeach()

foreach(folder IN LISTS MODEL_VALIDATOR_MORE_TORCHES)
  mv_read_torch_version("${folder}")
  set(name "torch-${Torch_MINOR_VERSION}")
  ExternalProject_Add(${name}
    SOURCE_DIR "${PROJECT_SOURCE_DIR}" BINARY_DIR "${PROJECT_BINARY_DIR}/${name}" PREFIX "${PROJECT_BINARY_DIR}/${name}-steps"
    DEPENDS model_validator BUILD_ALWAYS ON USES_TERMINAL_CONFIGURE ON USES_TERMINAL_BUILD ON
    CMAKE_ARGS ${handed_down} "-DMODEL_VALIDATOR_TORCH=${folder}" "-DMODEL_VALIDATOR_CORE=${PROJECT_BINARY_DIR}/lib/libmodel_validator.so"
      -DMODEL_VALIDATOR_TESTS=OFF
    BUILD_COMMAND "${CMAKE_COMMAND}" --build <BINARY_DIR> --target torch_libraries
    INSTALL_COMMAND "")
  add_dependencies(runtime ${name})
  install(DIRECTORY "${PROJECT_BINARY_DIR}/lib/model_validator/${name}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/model_validator"
          USE_SOURCE_PERMISSIONS COMPONENT runtime)
endforeach()
