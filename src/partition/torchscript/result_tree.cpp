#include "partition/torchscript/result_tree.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <optional>

namespace model_validator::partition {
namespace {

/// A list or dict may be changed after it is made: then it is a value like any other.
bool only_returned(const Value* value) {
  return std::all_of(value->uses().begin(), value->uses().end(), [](const torch::jit::Use& use) {
    const auto kind = use.user->kind();
    return kind == prim::Return || kind == prim::TupleConstruct || kind == prim::ListConstruct ||
           kind == prim::DictConstruct;
  });
}

/// The keys of a dict as Python writes them; nothing if one is computed.
std::optional<std::vector<std::string>> keys_of(Node& dict) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < dict.inputs().size(); i += 2) {
    const auto key = torch::jit::toIValue(dict.input(i));
    if (!key || !(key->isString() || key->isInt())) return std::nullopt;
    keys.push_back(key->isString() ? "'" + key->toStringRef() + "'" : std::to_string(key->toInt()));
  }
  return keys;
}

Returned take_apart(Value* value);

std::vector<Returned> each_apart(Node& node) {
  std::vector<Returned> items;
  for (Value* item : node.inputs()) items.push_back(take_apart(item));
  return items;
}

Returned take_apart(Value* value) {
  Returned result;
  result.value = value;
  Node& node = *value->node();
  if (value->mustBeNone()) {
    result.kind = Returned::Kind::none;
  } else if (node.kind() == prim::TupleConstruct) {
    result.kind = Returned::Kind::tuple;
    if (const auto type = value->type()->cast<c10::TupleType>(); type && type->schema())
      for (const auto& field : type->schema()->arguments()) result.keys.push_back(field.name());
    result.items = each_apart(node);
  } else if (node.kind() == prim::ListConstruct && only_returned(value)) {
    result.kind = Returned::Kind::list;
    result.items = each_apart(node);
  } else if (node.kind() == prim::DictConstruct && only_returned(value)) {
    const auto keys = keys_of(node);
    if (!keys) return result;
    result.kind = Returned::Kind::dict;
    result.keys = *keys;
    for (std::size_t i = 1; i < node.inputs().size(); i += 2)
      result.items.push_back(take_apart(node.inputs()[i]));
  }
  return result;
}

void collect(const Returned& returned, std::vector<Value*>& values) {
  if (returned.kind == Returned::Kind::value) values.push_back(returned.value);
  for (const Returned& item : returned.items) collect(item, values);
}

} // namespace

Returned take_apart(Graph& graph) { return take_apart(graph.outputs().at(0)); }

std::vector<Value*> leaves(const Returned& returned) {
  std::vector<Value*> values;
  collect(returned, values);
  return values;
}

} // namespace model_validator::partition
