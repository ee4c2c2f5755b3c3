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
///   of the graph. They come in addition to the operators of the unfrozen model;
/// - `whole`: on an operator of all the code as it stands (`whole_code.h`), with its own `use`.
///   Those come last, in addition to all the others.
/// `prim::Return` stands for what the method returns, if that may be None or is an attribute.
std::vector<Operator> file_operators(const torch::jit::Module& root, const std::string& method);

} // namespace model_validator::torchscript
