#include "connected_graph/torchscript/operator_description.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace model_validator::torchscript {
namespace {

/// How TorchScript writes `1 - x` and `1 / x`: two operators for one of Python's.
struct Expansion {
  std::string_view line;
  c10::Symbol first;
  std::string_view function;
};
const std::array<Expansion, 2> expansions = {
    {{"return torch.neg(b) + a", c10::aten::neg, "sub"},
     {"return torch.reciprocal(b) * a", c10::aten::reciprocal, "div"}}};

} // namespace

/// Holds the first half of an expanded operator back.
bool Walk::begin_expanded(const torch::jit::Node& node, const Inputs& inputs,
                          Environment& environment) {
  if (node.kind() != expansions[0].first && node.kind() != expansions[1].first) return false;
  const std::string line = frames_.builtin_line(node);
  const auto expansion =
      std::find_if(expansions.begin(), expansions.end(),
                   [&](const Expansion& e) { return e.line == line && e.first == node.kind(); });
  if (expansion == expansions.end()) return false;
  allowance_.charge(inputs[0]->sources.size() + inputs[0]->parameters.size(), sizeof(Source));
  Abstract half = unknown(node.output()->type());
  half->sources = inputs[0]->sources;
  half->parameters = inputs[0]->parameters;
  half->query = inputs[0]->query;
  half->expanded =
      std::make_shared<Operator>(Operator{schema_of(node), attributes_of(node, inputs), {}, {}});
  environment[node.output()] = half;
  return true;
}

void Walk::finish_expanded(const torch::jit::Node& node, const Inputs& inputs, Op& op) {
  const std::string line = frames_.builtin_line(node);
  for (const Expansion& expansion : expansions)
    if (expansion.line == line) {
      op.type = expansion.function;
      op.body = std::make_shared<const std::vector<Operator>>(
          std::vector<Operator>{*inputs[0]->expanded, {op.schema, op.attributes, {}, {}}});
      op.schema = "torch." + op.type;
    }
}

} // namespace model_validator::torchscript
