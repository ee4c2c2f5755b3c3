#pragma once

#include <model_validator/program.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// A call of a module that runs no operator.
struct SilentCall {
  ModuleId module = none;
  FrameId frame = none; ///< the line that calls it
  RegionId region = none;
};

/// The calls of modules that run no operator, such as an `Identity`, as far as they are on a line
/// of Python that yields an operator: `x = x + self.drop_path(y)`. A file of operators does not
/// show them otherwise. Lines that may skip a call, or make it several times, are ignored.
std::vector<SilentCall> silent_calls(const ConnectedGraph& graph,
                                     const std::vector<ProgramNode>& nodes);

/// What a line of Python calls on its own object: `drop` and `mlp.fc` of
/// `self.drop(self.mlp.fc(x))`. Nothing for a line that holds a condition, a loop or a lambda.
std::vector<std::string> calls_of_self(std::string_view line);

} // namespace model_validator
