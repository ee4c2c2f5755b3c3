#include "connected_graph/torchscript/ir/operator_effects.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace model_validator::torchscript {
namespace {

const c10::AliasInfo* alias_of(const c10::FunctionSchema* schema, std::size_t argument) {
  return schema == nullptr || argument >= schema->arguments().size()
             ? nullptr
             : schema->arguments()[argument].alias_info();
}

} // namespace

/// Nodes without a schema write nothing that an operator would read.
Use use_of(const Node& node, std::size_t input) {
  const c10::AliasInfo* alias = alias_of(node.maybeSchema(), input);
  if (alias == nullptr) return Use::reads;
  return alias->isWrite() ? Use::writes : Use::passes_on;
}

bool writes(const c10::FunctionSchema& schema, std::size_t argument) {
  const c10::AliasInfo* alias = alias_of(&schema, argument);
  return alias != nullptr && alias->isWrite();
}

bool writes(const Node& node, std::size_t input) { return use_of(node, input) == Use::writes; }

bool writes(const Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  return schema != nullptr && schema->is_mutable();
}

std::vector<Value*> written_inputs(Node& node) {
  std::vector<Value*> written;
  for (std::size_t i = 0; i < node.inputs().size(); ++i)
    if (writes(node, i)) written.push_back(node.inputs()[i]);
  return written;
}

bool returns_memory(const c10::FunctionSchema& schema) {
  return std::any_of(schema.returns().begin(), schema.returns().end(),
                     [](const c10::Argument& result) { return result.alias_info() != nullptr; });
}

bool makes_tensors(const c10::FunctionSchema& schema) {
  return std::any_of(schema.returns().begin(), schema.returns().end(), [](const auto& result) {
    return result.alias_info() == nullptr && result.type()->isSubtypeOf(*c10::TensorType::get());
  });
}

bool is_view(const Node& node) {
  const c10::FunctionSchema* schema = node.maybeSchema();
  return schema != nullptr && schema->returns().size() == 1 && returns_memory(*schema) &&
         use_of(node, 0) == Use::passes_on;
}

bool builds(const Node& node) {
  return node.kind() == prim::ListConstruct || node.kind() == prim::TupleConstruct ||
         node.kind() == prim::DictConstruct;
}

bool picks(const Node& node) {
  return node.kind() == prim::TupleIndex || node.kind() == prim::TupleUnpack ||
         node.kind() == prim::ListUnpack || node.kind() == prim::unchecked_cast ||
         node.kind() == aten::__getitem__;
}

bool describes(const Node& node) {
  static const auto kinds = [] { // by name: not every torch has a constant for each
    std::unordered_set<c10::Symbol> all;
    for (const char* name : {"size", "dim", "len", "numel", "is_floating_point", "is_complex"})
      all.insert(c10::Symbol::aten(name));
    for (const char* name :
         {"device", "dtype", "layout", "is_cuda", "is_cpu", "is_meta", "is_mkldnn", "is_nested",
          "is_quantized", "is_sparse", "requires_grad"})
      all.insert(c10::Symbol::prim(name));
    return all;
  }();
  return kinds.contains(node.kind());
}

bool makes_alike(const Node& node) {
  constexpr std::array kinds{aten::zeros_like, aten::ones_like, aten::empty_like, aten::full_like,
                             aten::new_zeros,  aten::new_ones,  aten::new_empty,  aten::new_full};
  return std::find(kinds.begin(), kinds.end(), node.kind()) != kinds.end();
}

bool is_deterministic(const Node& node) {
  if (builds(node) || node.kind() == prim::TupleIndex) return true;
  return node.maybeSchema() != nullptr && !node.inputs().empty() && !node.hasSideEffects() &&
         !node.isNondeterministic();
}

} // namespace model_validator::torchscript
