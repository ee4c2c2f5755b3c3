# What `cmake --install` puts where, and the package that find_package(model_validator) finds there.
include(CMakePackageConfigHelpers)

set(MODEL_VALIDATOR_TORCH_RPATH "${TORCH_LIBRARY_FOLDER}" CACHE STRING
    "Where the installed TorchScript library looks for LibTorch; may start with $ORIGIN")
file(RELATIVE_PATH libraries_from_program "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/model_validator")

set_target_properties(model_validator PROPERTIES INSTALL_RPATH "$ORIGIN")
install(TARGETS model_validator EXPORT model_validatorTargets)
install(EXPORT model_validatorTargets NAMESPACE model_validator:: DESTINATION "${package_folder}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/model_validator" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/rules" DESTINATION "${MODEL_VALIDATOR_DATADIR}" OPTIONAL)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/model_validatorConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/model_validatorConfig.cmake" "${PROJECT_BINARY_DIR}/model_validatorConfigVersion.cmake"
        DESTINATION "${package_folder}")
