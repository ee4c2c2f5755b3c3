#pragma once

#include <torch/csrc/jit/api/compilation_unit.h>

#include <string>

namespace model_validator::torchscript {

/// Ensures, before it is run, that the code of a file, with all its methods and functions, does
/// nothing but compute: no operator reads or writes a file, talks to other processes, or writes to
/// the standard output.
/// @param file  for the Error
/// @throws Error (`unsafe-op`) naming the operator and its place
void require_computing_only(const torch::jit::CompilationUnit& unit, const std::string& file);

} // namespace model_validator::torchscript
