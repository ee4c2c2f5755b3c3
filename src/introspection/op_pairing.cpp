#include "introspection/op_pairing.h"

#include "connected_graph/program_of.h"

#include <model_validator/data/contains.h>

#include <algorithm>

namespace model_validator {
namespace {

/// The path of the module that an op is called as, or in.
const std::string& path_of(const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  return graph.module_path(op.module != none ? op.module : op.parent);
}

bool has_children(const ConnectedGraph& graph, const std::string& path) {
  return std::ranges::any_of(graph.modules(), [&](const Module& module) {
    return path.empty() ? !module.path.empty() : module.path.starts_with(path + ".");
  });
}

bool computes(const Op& op) { return op.kind == OpKind::module || op.kind == OpKind::functional; }

std::vector<OpId> ops_of_module(const ConnectedGraph& graph, const std::string& path) {
  std::vector<OpId> found;
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (computes(graph.op(id)) && path_of(graph, id) == path) found.push_back(id);
  return found;
}

/// Which of the ops of its type in its module it is.
std::size_t number_in_module(const ConnectedGraph& graph, OpId op) {
  std::size_t number = 0;
  for (const OpId id : ops_of_module(graph, path_of(graph, op)))
    if (id < op && graph.op(id).type == graph.op(op).type) ++number;
  return number;
}

/// A product of whole numbers is cast, multiplied by its scales and added to in ops of their own.
std::vector<OpId> with_product(const ConnectedGraph& graph, OpId op) {
  constexpr std::size_t max_ops = 8;
  std::vector<OpId> unit{op};
  for (std::size_t next = 0; next < unit.size() && unit.size() < max_ops; ++next) {
    if (!contains({"add", "mul", "to"}, graph.op(unit[next]).type)) continue;
    for (const auto edge : boost::make_iterator_range(boost::in_edges(unit[next], graph.graph()))) {
      const OpId before = boost::source(edge, graph.graph());
      const std::string& type = graph.op(before).type;
      if (contains({"mul", "to", "mat_mul_integer", "conv_integer"}, type)) unit.push_back(before);
    }
  }
  const bool has_product =
      std::ranges::any_of(unit, [&](OpId id) { return graph.op(id).type.ends_with("_integer"); });
  return has_product ? unit : std::vector<OpId>{op};
}

/// Only a product in several ops is added: a quantiser does not say what module they are of.
std::vector<OpId> united(std::vector<OpId> ops, const std::vector<OpId>& product) {
  if (product.size() > 1) ops.insert(ops.end(), product.begin(), product.end());
  std::ranges::sort(ops);
  const auto doubles = std::ranges::unique(ops);
  ops.erase(doubles.begin(), doubles.end());
  return ops;
}

std::vector<OpId> same_number(const ConnectedGraph& first, OpId op, const ConnectedGraph& second) {
  std::size_t left = number_in_module(first, op);
  for (const OpId id : ops_of_module(second, path_of(first, op)))
    if (second.op(id).type == first.op(op).type && left-- == 0) return {id};
  return {};
}

} // namespace

OpNames::OpNames(const ConnectedGraph& graph) {
  // Runs of ONNX know the file's names, which may be those that the graph has for other ops.
  const bool by_file = graph.origin.format == FileFormat::onnx;
  if (by_file) add_names_of_file(graph);
  for (OpId id = 0; id < graph.op_count(); ++id) ops_.emplace(graph.op(id).name, id);
  if (!by_file) add_names_of_file(graph);
}

void OpNames::add_names_of_file(const ConnectedGraph& graph) {
  const auto program = program_of(graph);
  for (const ProgramNode& node : program->nodes) {
    if (node.op == none) continue;
    for (const std::size_t value : node.outputs)
      if (value != none) ops_.emplace(program->values[value].name, node.op);
  }
  for (const ProgramNode& node : program->nodes)
    if (node.op != none && !node.name.empty()) ops_.emplace(node.name, node.op);
}

OpId OpNames::find(const std::string& name) const {
  const auto found = ops_.find(name);
  return found == ops_.end() ? none : found->second;
}

std::vector<OpId> unit_of(const ConnectedGraph& graph, OpId op) {
  const std::string& path = path_of(graph, op);
  if (path.empty() || has_children(graph, path)) return with_product(graph, op);
  return ops_of_module(graph, path);
}

std::vector<OpId> counterpart_of(const ConnectedGraph& first, OpId op, const ConnectedGraph& second,
                                 OpId in_its_place) {
  const std::vector<OpId> unit = unit_of(first, op);
  const std::string& path = path_of(first, op);
  const bool is_module = !path.empty() && !has_children(first, path);
  if (is_module)
    if (auto ops = ops_of_module(second, path); !ops.empty())
      return in_its_place == none ? ops
                                  : united(std::move(ops), with_product(second, in_its_place));
  if (in_its_place != none)
    return is_module ? unit_of(second, in_its_place) : std::vector<OpId>{in_its_place};
  return same_number(first, op, second);
}

} // namespace model_validator
