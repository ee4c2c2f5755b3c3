#include "partition/torchscript/inlined_values.h"

#include "connected_graph/torchscript/collections.h"
#include "connected_graph/torchscript/fold_conditions.h"
#include "connected_graph/torchscript/operator_description.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>

namespace model_validator::partition {
namespace {

using torch::jit::Block;
using torch::jit::Node;
using torch::jit::Value;
namespace aten = torch::jit::aten;
namespace prim = torch::jit::prim;

/// Whether a node does nothing but yield its values, so that a known value can take its place.
bool only_yields(const Node& node) {
  return node.blocks().empty() && node.kind() != prim::CallMethod &&
         node.kind() != prim::CallFunction && !node.hasSideEffects() && !torchscript::writes(node);
}

bool asks_a_list(const Node& node) {
  return node.kind() == aten::__getitem__ || node.kind() == aten::len ||
         node.kind() == prim::ListUnpack;
}

} // namespace

bool is_plain(const c10::IValue& value) {
  return value.isNone() || value.isInt() || value.isDouble() || value.isBool() ||
         value.isString() || value.isDevice() || value.isComplexDouble();
}

const c10::IValue* InlinedValues::known(const Value& value, const Frame& frame) const {
  const c10::IValue* is = frame.context ? map_.known(*frame.context, value) : nullptr;
  return is != nullptr && (is_plain(*is) || is->isIntList()) ? is : nullptr;
}

Value* InlinedValues::of(const Value& value, Block& to, Frame& frame) {
  const c10::IValue* is = known(value, frame);
  if (is == nullptr || is->isIntList()) return frame.values.at(&value);
  const torch::jit::WithInsertPoint end(&to);
  return graph_.insertConstant(*is);
}

bool InlinedValues::fold(const Node& node, Block& to, Frame& frame) {
  return fold_known(node, to, frame) || fold_query(node, to, frame);
}

/// Constants are created where they are read; a list, which may be changed, is shared by all
/// readers.
bool InlinedValues::fold_known(const Node& node, Block& to, Frame& frame) {
  const auto outputs = node.outputs();
  const bool all = std::all_of(outputs.begin(), outputs.end(), [&](const Value* output) {
    return known(*output, frame) != nullptr;
  });
  if (outputs.empty() || !all || !only_yields(node)) return false;
  const torch::jit::WithInsertPoint end(&to);
  for (const Value* output : outputs)
    if (const c10::IValue* is = known(*output, frame); is->isIntList())
      frame.values[output] = list_of(is->toIntVector());
  return true;
}

Value* InlinedValues::list_of(const std::vector<std::int64_t>& numbers) {
  std::vector<Value*> elements;
  for (const std::int64_t number : numbers) elements.push_back(graph_.insertConstant(number));
  return graph_.insertNode(graph_.createList(c10::IntType::get(), elements))->output();
}

/// A query of a list of known sizes.
bool InlinedValues::fold_query(const Node& node, Block& to, Frame& frame) {
  if (!asks_a_list(node)) return false;
  const c10::IValue* list = known(*node.input(0), frame);
  if (list == nullptr || !list->isIntList() || !torchscript::only_read(*node.input(0)))
    return false;
  const std::vector<Value*> results = answers(node, list->toIntVector(), to, frame);
  if (results.size() != node.outputs().size()) return false;
  for (std::size_t i = 0; i < results.size(); ++i) frame.values[node.outputs()[i]] = results[i];
  return true;
}

/// @return none for an index that is not known, or out of range
std::vector<Value*> InlinedValues::answers(const Node& query,
                                           const std::vector<std::int64_t>& sizes, Block& to,
                                           Frame& frame) {
  const auto count = static_cast<std::int64_t>(sizes.size());
  const torch::jit::WithInsertPoint end(&to);
  if (query.kind() == aten::len) return {graph_.insertConstant(count)};
  std::vector<Value*> results;
  if (query.kind() == prim::ListUnpack) {
    for (const std::int64_t size : sizes) results.push_back(graph_.insertConstant(size));
    return results;
  }
  const auto index = torch::jit::toIValue(of(*query.input(1), to, frame));
  if (!index || index->toInt() >= count || index->toInt() < -count) return {};
  const std::int64_t at = index->toInt() < 0 ? index->toInt() + count : index->toInt();
  return {graph_.insertConstant(sizes[static_cast<std::size_t>(at)])};
}

bool InlinedValues::evaluate(const Node& node, Node& copy, Block& to, Frame& frame) {
  if (copy.outputs().size() != 1 || !only_yields(copy)) return false;
  const auto value = torchscript::value_of_constants(copy);
  if (!value || !is_plain(*value)) return false;
  const torch::jit::WithInsertPoint end(&to);
  frame.values[node.output()] = graph_.insertConstant(*value);
  copy.destroy();
  return true;
}

} // namespace model_validator::partition
