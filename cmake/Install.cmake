# What `cmake --install` puts where, and the package that find_package(model_validator) finds there.
include(CMakePackageConfigHelpers)

file(RELATIVE_PATH libraries_from_program "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/model_validator")

# Everything that runs, without tests.
add_custom_target(runtime DEPENDS model_validator_program)
if(TARGET torch_libraries)
  add_dependencies(runtime torch_libraries)
endif()

if(SKBUILD)
  # A wheel holds no symbolic links: each versioned name would be one more copy.
  set_property(TARGET model_validator PROPERTY VERSION)
  set_property(TARGET model_validator PROPERTY SOVERSION)
endif()

set_target_properties(model_validator PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(model_validator_program PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries_from_program}" EXPORT_NAME program)

install(TARGETS model_validator model_validator_program EXPORT model_validatorTargets
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT development RUNTIME COMPONENT runtime)
install(EXPORT model_validatorTargets NAMESPACE model_validator:: DESTINATION "${package_folder}" COMPONENT development)
if(LibTorch_FOUND)
  install(EXPORT model_validatorTorchTargets NAMESPACE model_validator:: DESTINATION "${package_folder}" COMPONENT development)
  install(FILES "${PROJECT_SOURCE_DIR}/cmake/FindLibTorch.cmake" "${PROJECT_SOURCE_DIR}/cmake/torch_folders.py"
          DESTINATION "${package_folder}" COMPONENT development)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/model_validator" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/rules" DESTINATION "${MODEL_VALIDATOR_DATADIR}/docs" COMPONENT runtime)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/rules" DESTINATION "${MODEL_VALIDATOR_DATADIR}" COMPONENT runtime)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples/commands" DESTINATION "${MODEL_VALIDATOR_DATADIR}" COMPONENT runtime
        FILES_MATCHING PATTERN "*.py")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/model_validatorConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" "${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake"
        DESTINATION "${package_folder}" COMPONENT development)
