# What `cmake --install` puts where, and the package that find_package(model_validator) finds there.
include(CMakePackageConfigHelpers)

set(MODEL_VALIDATOR_TORCH_RPATH "${TORCH_LIBRARY_FOLDER}" CACHE STRING
    "Where the installed TorchScript library looks for LibTorch; may start with $ORIGIN")
file(RELATIVE_PATH libraries_from_program "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/model_validator")

if(SKBUILD)
  # A wheel holds no symbolic links: each versioned name would be one more copy.
  set_property(TARGET model_validator PROPERTY VERSION)
  set_property(TARGET model_validator PROPERTY SOVERSION)
endif()

set_target_properties(model_validator PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(model_validator_program PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries_from_program}")
install(TARGETS model_validator EXPORT model_validatorTargets
        LIBRARY COMPONENT runtime NAMELINK_COMPONENT development RUNTIME COMPONENT runtime)
install(EXPORT model_validatorTargets NAMESPACE model_validator:: DESTINATION "${package_folder}"
        COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/model_validator" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/rules" DESTINATION "${MODEL_VALIDATOR_DATADIR}/docs" COMPONENT runtime
        OPTIONAL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/rules" DESTINATION "${MODEL_VALIDATOR_DATADIR}" COMPONENT runtime OPTIONAL)
file(WRITE "${PROJECT_BINARY_DIR}/torch_version.txt" "${Torch_VERSION}\n")
install(FILES "${PROJECT_BINARY_DIR}/torch_version.txt" DESTINATION "${MODEL_VALIDATOR_DATADIR}" COMPONENT runtime)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/model_validatorConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" "${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake"
        DESTINATION "${package_folder}" COMPONENT development)
