#include "verify/trace/run_contexts.h"

namespace model_validator::verify {

void RunContexts::enter(const torch::jit::Node& call, const std::vector<c10::IValue>& inputs) {
  const bool of_object = !inputs.empty() && inputs[0].isObject();
  const void* object = of_object ? &inputs[0].toObjectRef() : nullptr;
  contexts_.push_back(current() ? map_.find(*current(), call, object) : Context());
}

const std::vector<torchscript::NodeRecord>&
RunContexts::records(const torch::jit::Node& node) const {
  static const std::vector<torchscript::NodeRecord> nothing;
  return current() ? map_.at(*current(), node) : nothing;
}

} // namespace model_validator::verify
