#include "partition/op_kinds.h"

namespace model_validator::partition {
namespace {

Part part_of(OpKind kind) {
  switch (kind) {
  case OpKind::module:
  case OpKind::functional:
  case OpKind::control_flow: return Part::computing;
  case OpKind::query: return Part::carried;
  case OpKind::input:
  case OpKind::output:
  case OpKind::constant: break;
  }
  return Part::outside;
}

} // namespace

std::vector<Part> parts_of(const ConnectedGraph& graph, const Constraints& constraints) {
  std::vector<Part> parts;
  for (OpId op = 0; op < graph.op_count(); ++op) parts.push_back(part_of(graph.op(op).kind));
  for (const OpId op : constraints.absent) parts[op] = Part::outside;
  return parts;
}

} // namespace model_validator::partition
