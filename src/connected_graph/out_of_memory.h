#pragma once

#include <model_validator/error.h>

#include <string>

namespace model_validator {

/// The Error for when memory, or address space, runs out; `what` as in "the model needs more memory
/// than there is".
inline Error out_of_memory(std::string file, std::string what) {
  return {
      ErrorKind::out_of_memory, std::move(file), std::move(what),
      "lint fewer files at once with `-j 1`, raise `ulimit -v`, or use a machine with more memory"};
}

} // namespace model_validator
