#pragma once

#include <model_validator/connected_graph.h>

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace model_validator::torchscript {

/// The operators of a method and of all that it calls whose values can reach an output, as torch
/// inlines the model for a converter (`inlined_graph.h`), one for each place. Arms are left out
/// that constants and scalar attributes rule out. The attributes:
/// - `result`: the type of what is no tensor, `str` or `int[]`;
/// - `use`: what is special about what it takes or yields (`use_marks.h`);
/// - `frozen`: on an operator on lists, dicts or strings that freezing the model leaves, which is
/// no
///   op of the graph. Those come last, beside what the unfrozen model has.
/// `prim::Return` stands for what the method hands back, where that may be None.
std::vector<Operator> file_operators(const torch::jit::Module& root, const std::string& method);

} // namespace model_validator::torchscript
