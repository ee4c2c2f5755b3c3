#include "connected_graph/torchscript/code/reachable_values.h"

#include <unordered_set>
#include <vector>

namespace model_validator::torchscript {
namespace {

void add_contents(const c10::IValue& value, std::vector<c10::IValue>& contents) {
  if (value.isObject())
    contents.insert(contents.end(), value.toObjectRef().slots().begin(),
                    value.toObjectRef().slots().end());
  else if (value.isTuple())
    for (const c10::IValue& element : value.toTupleRef().elements()) contents.push_back(element);
  else if (value.isList())
    for (const c10::IValue& element : value.toListRef()) contents.push_back(element);
  else if (value.isGenericDict())
    for (const auto& item : value.toGenericDict()) contents.push_back(item.value());
}

} // namespace

void for_each_reachable(const c10::IValue& value,
                        const std::function<void(const c10::IValue&)>& visit) {
  std::unordered_set<const void*> seen;
  std::vector<c10::IValue> pending{value};
  while (!pending.empty()) {
    const c10::IValue each = std::move(pending.back());
    pending.pop_back();
    const bool tensor = each.isTensor() && each.toTensor().defined();
    const bool visited = tensor || each.isObject() || each.isList() || each.isGenericDict();
    if (!visited && !each.isTuple()) continue;
    if (!seen.insert(each.internalToPointer()).second) continue;
    if (visited) visit(each);
    add_contents(each, pending);
  }
}

} // namespace model_validator::torchscript
