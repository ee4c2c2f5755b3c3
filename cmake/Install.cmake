# What `cmake --install` puts where, and the package that find_package(model_validator) finds there.
include(CMakePackageConfigHelpers)

set(MODEL_VALIDATOR_TORCH_RPATH "${TORCH_LIBRARY_FOLDER}" CACHE STRING
    "Where the installed libraries that need LibTorch look for it; may start with $ORIGIN")
file(RELATIVE_PATH libraries_from_program "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/model_validator")

# Loaded on demand, by their plain names, from the folder in which `model_validator` lies.
set(loaded_libraries model_validator_torchscript model_validator_verify)
# Everything that runs, without tests.
add_custom_target(runtime DEPENDS model_validator_program ${loaded_libraries})
if(TARGET model_validator_openvino)
  add_dependencies(runtime model_validator_openvino)
endif()

if(SKBUILD)
  # A wheel holds no symbolic links: each versioned name would be one more copy.
  foreach(library IN ITEMS model_validator ${loaded_libraries})
    set_property(TARGET ${library} PROPERTY VERSION)
    set_property(TARGET ${library} PROPERTY SOVERSION)
  endforeach()
endif()

set_target_properties(model_validator PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(model_validator_program PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries_from_program}")
set_target_properties(${loaded_libraries} PROPERTIES INSTALL_RPATH "$ORIGIN;${MODEL_VALIDATOR_TORCH_RPATH}")
if(TARGET model_validator_openvino)
  set(MODEL_VALIDATOR_OPENVINO_RPATH "${MODEL_VALIDATOR_OPENVINO_FOLDER}/libs" CACHE STRING
      "Where the installed backend looks for OpenVINO; may start with $ORIGIN")
  set_target_properties(model_validator_openvino PROPERTIES
    INSTALL_RPATH "$ORIGIN;${MODEL_VALIDATOR_OPENVINO_RPATH};${MODEL_VALIDATOR_TORCH_RPATH}")
  install(TARGETS model_validator_openvino LIBRARY COMPONENT runtime)
endif()
set_target_properties(model_validator_torchscript PROPERTIES EXPORT_NAME torchscript)
set_target_properties(model_validator_verify PROPERTIES EXPORT_NAME verify)
set_target_properties(model_validator_program PROPERTIES EXPORT_NAME program)

install(TARGETS model_validator model_validator_program EXPORT model_validatorTargets
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT development RUNTIME COMPONENT runtime)
install(TARGETS ${loaded_libraries} EXPORT model_validatorTorchTargets LIBRARY COMPONENT runtime)
foreach(export IN ITEMS model_validatorTargets model_validatorTorchTargets)
  install(EXPORT ${export} NAMESPACE model_validator:: DESTINATION "${package_folder}" COMPONENT development)
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/model_validator" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/rules" DESTINATION "${MODEL_VALIDATOR_DATADIR}/docs" COMPONENT runtime)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/rules" DESTINATION "${MODEL_VALIDATOR_DATADIR}" COMPONENT runtime)
file(WRITE "${PROJECT_BINARY_DIR}/torch_version.txt" "${Torch_VERSION}\n")
install(FILES "${PROJECT_BINARY_DIR}/torch_version.txt" DESTINATION "${MODEL_VALIDATOR_DATADIR}" COMPONENT runtime)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/model_validatorConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" "${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake"
        DESTINATION "${package_folder}" COMPONENT development)
