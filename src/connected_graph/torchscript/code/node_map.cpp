#include "connected_graph/torchscript/code/node_map.h"

namespace model_validator::torchscript {

NodeMap::Context NodeMap::enter(Context caller, const torch::jit::Node& call, const void* object) {
  return contexts_.try_emplace({caller, &call, object}, contexts_.size() + 1).first->second;
}

std::optional<NodeMap::Context> NodeMap::find(Context caller, const torch::jit::Node& call,
                                              const void* object) const {
  auto found = contexts_.find({caller, &call, object});
  if (found == contexts_.end()) found = contexts_.find({caller, &call, nullptr});
  return found == contexts_.end() ? std::nullopt : std::optional(found->second);
}

void NodeMap::add(Context context, const torch::jit::Node& node, NodeRecord record) {
  records_[{context, &node}].push_back(std::move(record));
}

const std::vector<NodeRecord>& NodeMap::at(Context context, const torch::jit::Node& node) const {
  static const std::vector<NodeRecord> nothing;
  const auto found = records_.find({context, &node});
  return found == records_.end() ? nothing : found->second;
}

} // namespace model_validator::torchscript
