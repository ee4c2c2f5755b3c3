# The libraries that need LibTorch: each version of torch has a folder of them beneath the core library, which loads the
# matching ones.
if(MODEL_VALIDATOR_CORE)
  get_filename_component(libraries_folder "${MODEL_VALIDATOR_CORE}" DIRECTORY)
else()
  set(libraries_folder "${PROJECT_BINARY_DIR}/lib")
endif()
set(torch_subfolder "model_validator/torch-${Torch_MINOR_VERSION}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${libraries_folder}/${torch_subfolder}")
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../..")
if(NOT SKBUILD)
  list(APPEND CMAKE_INSTALL_RPATH "${MODEL_VALIDATOR_TORCH}/lib")
  # Where the program looks for LibTorch by default. Not in a wheel, which goes to other machines.
  file(WRITE "${libraries_folder}/${torch_subfolder}/libtorch_folder" "${MODEL_VALIDATOR_TORCH}/lib\n")
  install(FILES "${libraries_folder}/${torch_subfolder}/libtorch_folder"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/${torch_subfolder}" COMPONENT runtime)
endif()

# What our own targets link. GCC 12 reports overflows in LibTorch's reference counting where there are none.
add_library(mv_libtorch INTERFACE)
target_link_libraries(mv_libtorch INTERFACE torch)
target_compile_options(mv_libtorch INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
add_library(mv_libtorch_precompiled OBJECT connected_graph/torchscript/precompiled.cpp)
target_link_libraries(mv_libtorch_precompiled PRIVATE mv_libtorch mv_settings)
target_precompile_headers(mv_libtorch_precompiled PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/connected_graph/torchscript/precompiled.h")

add_subdirectory(connected_graph/torchscript)
add_subdirectory(connected_graph/torchscript/ir)
add_subdirectory(verify)
add_subdirectory(partition/torchscript)

add_custom_target(torch_libraries DEPENDS model_validator_torchscript model_validator_verify)
set_target_properties(model_validator_torchscript PROPERTIES EXPORT_NAME torchscript)
set_target_properties(model_validator_verify PROPERTIES EXPORT_NAME verify)
install(TARGETS model_validator_torchscript model_validator_verify EXPORT model_validatorTorchTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/${torch_subfolder}" COMPONENT runtime)
