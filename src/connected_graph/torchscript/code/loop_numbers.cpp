#include "connected_graph/torchscript/code/loop_numbers.h"

#include "connected_graph/torchscript/code/constant_evaluation.h"
#include "connected_graph/torchscript/ir/collection_facts.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

const auto derive_index = c10::Symbol::fromQualString("aten::__derive_index");

/// Whether the result is the counter, shifted or scaled.
bool stays_counter(const Node& node, const std::vector<Abstract>& inputs) {
  const auto kind = node.kind();
  if (kind == derive_index) return inputs.size() == 3 && as_int(*inputs[2]).value_or(0) != 0;
  return (kind == aten::add || kind == aten::sub) && as_int(*inputs[1]).has_value();
}

/// Whether the node compares in a way that comes out between two numbers as it does for both, if
/// that is the same.
bool orders(const Node& node) {
  return node.kind() == aten::lt || node.kind() == aten::le || node.kind() == aten::gt ||
         node.kind() == aten::ge;
}

/// What torch computes in each iteration, if one input is known in each and the others are known;
/// otherwise empty.
std::vector<c10::IValue> evaluate_iterations(const Node& node, std::vector<Abstract> inputs) {
  const auto varies = [](const Abstract& input) { return !input->in_iterations.empty(); };
  const auto input = std::find_if(inputs.begin(), inputs.end(), varies);
  if (input == inputs.end() || std::any_of(input + 1, inputs.end(), varies)) return {};
  const Abstract counter = *input;
  if (counter->only_bounds && !orders(node)) return {};
  std::vector<c10::IValue> results;
  for (const c10::IValue& number : counter->in_iterations) {
    *input = make_known(number);
    auto result = evaluate(node, inputs);
    if (!result) return {};
    results.push_back(*std::move(result));
  }
  return results;
}

} // namespace

std::optional<c10::IValue> evaluate_alike(const Node& node, const std::vector<Abstract>& inputs) {
  const auto results = evaluate_iterations(node, inputs);
  const bool alike = std::all_of(results.begin(), results.end(), [&](const c10::IValue& result) {
    return equal_keys(result, results[0]);
  });
  return alike && !results.empty() ? std::optional(results[0]) : std::nullopt;
}

void note_counter(const Node& node, const std::vector<Abstract>& inputs, AbstractValue& result) {
  result.in_iterations = evaluate_iterations(node, inputs);
  if (inputs.size() < 2) return;
  const RegionId loop = inputs[0]->counter_of_loop;
  const RegionId other = inputs[1]->counter_of_loop;
  if (node.kind() == aten::eq || node.kind() == aten::ne)
    result.once_in_loop = loop == none ? other : other == none ? loop : none;
  if (loop != none && stays_counter(node, inputs)) result.counter_of_loop = loop;
}

} // namespace model_validator::torchscript
