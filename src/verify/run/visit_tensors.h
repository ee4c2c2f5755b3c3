#pragma once

#include <model_validator/verify/backend.h>

namespace model_validator::verify {

/// Runs the module and shows every tensor that its operators make.
void visit_tensors(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs,
                   const IntermediateVisitor& visit);

} // namespace model_validator::verify
