# Names all missing Debian packages at once, each looked for by a file that it installs, before CMake stops at the first.
set(debian_packages
  libboost-dev=boost/version.hpp libcli11-dev=CLI/CLI.hpp libprotobuf-dev=google/protobuf/message_lite.h
  libseccomp-dev=seccomp.h libspdlog-dev=spdlog/spdlog.h libtomlplusplus-dev=toml++/toml.h
  libtree-sitter-dev=tree_sitter/api.h libutf8proc-dev=utf8proc.h libxxhash-dev=xxhash.h libzip-dev=zip.h
  nlohmann-json3-dev=nlohmann/json.hpp protobuf-compiler=protoc zlib1g-dev=zlib.h)
set(missing)
foreach(entry IN LISTS debian_packages)
  string(REPLACE "=" ";" entry "${entry}")
  list(GET entry 0 package)
  list(GET entry 1 file)
  unset(found)
  if(file STREQUAL "protoc")
    find_program(found "${file}" NO_CACHE)
  else()
    find_file(found "${file}" NO_CACHE)
  endif()
  if(NOT found)
    list(APPEND missing "${package}")
  endif()
endforeach()
if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "What model_validator is built with is missing. On Debian or Ubuntu:\n  apt-get install ${missing}")
endif()
