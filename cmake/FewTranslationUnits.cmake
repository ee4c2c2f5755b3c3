# Headers cost more than our own code, so several files of a room are compiled as one. `-DCMAKE_UNITY_BUILD=OFF` compiles each
# separately, for tools that read compile_commands.json.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
endif()
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
