#include "verify/localize/op_names.h"

#include "connected_graph/torchscript/builder.h"
#include "connected_graph/torchscript/file/large_stack.h"
#include "verify/run/op_name.h"

namespace model_validator::verify {

OpNames::OpNames(const torch::jit::Module& module) : contexts_(map_) {
  torchscript::with_large_stack([&] {
    const ConnectedGraph graph = torchscript::build_graph(module, {}, &map_);
    for (OpId id = 0; id < graph.op_count(); ++id) names_.push_back(graph.op(id).name);
  });
}

std::string OpNames::name_of(const torch::jit::Node& node) const {
  if (const std::string own = op_name_of(node); !own.empty()) return own;
  const auto& records = contexts_.records(node);
  return records.empty() ? std::string() : names_.at(records.front().op);
}

} // namespace model_validator::verify
