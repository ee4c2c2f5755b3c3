#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::torchscript {

/// One line of the Python call stack that a trace records with every operator.
struct StackLine {
  std::string file;
  int line = 0;
  std::string function;
};

/// The calls of one module's code, innermost first.
using StackGroup = std::vector<StackLine>;

/// A recorded stack, split where one module calls another; innermost group first.
///
/// PyTorch's tracer writes `file(line): function`, one call per line. The lines of
/// `Module.__call__`'s own machinery separate the groups and are left out, as is everything outside
/// `torch.jit.trace`.
/// @return nullopt if the text is no such stack
std::optional<std::vector<StackGroup>> parse_stack(std::string_view text);

} // namespace model_validator::torchscript
