# Installs the build tree into a folder of its own, builds a project against it and runs its program.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_FOLDER}")
run("${CMAKE_COMMAND}" --install "${BUILD_FOLDER}" --prefix "${WORK_FOLDER}/prefix")
run("${PYTHON}" "${RUN_PATHS}" "${WORK_FOLDER}/prefix")
run("${CMAKE_COMMAND}" -S "${PROJECT_FOLDER}" -B "${WORK_FOLDER}/build" -G Ninja
    "-DCMAKE_PREFIX_PATH=${WORK_FOLDER}/prefix" "-DCMAKE_CXX_FLAGS=${FLAGS}" "-DMODEL_VALIDATOR_TORCH=${TORCH_FOLDER}")
run("${CMAKE_COMMAND}" --build "${WORK_FOLDER}/build")
execute_process(COMMAND "${WORK_FOLDER}/build/${PROGRAM}" RESULT_VARIABLE status)
if(NOT status EQUAL STATUS)
  message(FATAL_ERROR "${PROGRAM} exited with ${status}, not ${STATUS}")
endif()
