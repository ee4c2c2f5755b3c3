#pragma once

#include <model_validator/connected_graph.h>

#include <torch/csrc/jit/api/module.h>

#include <string>
#include <vector>

namespace model_validator::torchscript {

/// The operators of a method and of everything it calls whose values can reach an output, as torch
/// inlines the model for a converter (`inlined_graph.h`), one for each place. Branches that
/// constants and scalar attributes rule out are left out. The attributes:
/// - `result`: the type of a result that is no tensor, `str` or `int[]`;
/// - `use`: what is unusual about what it takes or yields (`use_marks.h`);
/// - `frozen`: on an operator on lists, dicts or strings that remains after freezing and is no op
///   of the graph. Those come last, in addition to the operators of the unfrozen model.
/// `prim::Return` stands for what the method returns, if that may be None.
std::vector<Operator> file_operators(const torch::jit::Module& root, const std::string& method);

} // namespace model_validator::torchscript
