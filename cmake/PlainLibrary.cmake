# mv_find_plain_library(PACKAGE HEADER LIBRARY): finds a library that has no usable CMake package, and defines the imported target
# PACKAGE::PACKAGE.
include(FindPackageHandleStandardArgs)
function(mv_find_plain_library package header library)
  find_path(${package}_INCLUDE_DIR ${header})
  find_library(${package}_LIBRARY ${library})
  mark_as_advanced(${package}_INCLUDE_DIR ${package}_LIBRARY)
  find_package_handle_standard_args(${package} REQUIRED_VARS ${package}_LIBRARY ${package}_INCLUDE_DIR NAME_MISMATCHED)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${library} was not found.\n  Run `make setup`, which installs it.")
  endif()
  if(NOT TARGET ${package}::${package})
    add_library(${package}::${package} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${package}::${package} PROPERTIES
      IMPORTED_LOCATION "${${package}_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${${package}_INCLUDE_DIR}")
  endif()
endfunction()
