#pragma once

#include <torch/csrc/jit/api/compilation_unit.h>

#include <string>
#include <string_view>

namespace model_validator::torchscript {

/// Mobile runtimes run the bytecode of a file, others its code.
/// @throws Error (`damaged-file`) if the bytecode calls operators or holds numbers that the code
/// does not
void require_bytecode_of(const torch::jit::CompilationUnit& code, std::string_view bytecode,
                         const std::string& file);

} // namespace model_validator::torchscript
