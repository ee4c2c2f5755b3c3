#include "connected_graph/value_readers.h"

#include "connected_graph/attributes.h"
#include "connected_graph/op_type.h"
#include "connected_graph/operators.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace model_validator {
namespace {

/// Computes on values of the model, which are unknown before it runs.
bool carries_data(const Op& op) {
  return op.kind == OpKind::functional || op.kind == OpKind::module || op.kind == OpKind::input;
}

/// How many operands decide: the first of a control-flow op.
std::size_t deciding_operands(const Op& op) {
  const auto* number = find_attribute<std::int64_t>(op.attributes, "condition_operands");
  return number == nullptr ? 0 : static_cast<std::size_t>(*number);
}

constexpr std::uint64_t any_axis = std::uint64_t{1} << 63;

std::uint64_t axis_bit(std::int64_t axis) {
  return axis >= 0 && axis < 63 ? std::uint64_t{1} << static_cast<unsigned>(axis) : any_axis;
}

/// Whether one of some axes is asked for. The last one is not the first.
bool asks_for(std::uint64_t axes, std::int64_t axis) {
  if (axis < 0) return (axes & ~std::uint64_t{1}) != 0 || (axes != 0 && axis != -1);
  return (axes & (axis_bit(axis) | any_axis)) != 0;
}

const std::int64_t* axis_asked(const Op& op) {
  return find_attribute<std::int64_t>(op.attributes, op.type == "__getitem__" ? "idx" : "dim");
}

bool asks_for(const Op& op, std::uint64_t axes) {
  if (const std::int64_t* axis = axis_asked(op)) return asks_for(axes, *axis);
  return op.type != "len" || asks_for(axes, 0);
}

/// @param settled  another operand has these sizes too, and says what they are
std::uint64_t axes_after(const Op& op, std::uint64_t axes, bool settled) {
  if (settled) axes &= ~any_axis;
  return axes != 0 && does(op.type, Does::moves_axes) ? any_axis : axes;
}

/// Which axes a number says the size of.
std::uint64_t axes_of_number(const Op& op) {
  if (const auto* axis = find_attribute<std::int64_t>(op.attributes, "dim")) return axis_bit(*axis);
  return op.type == "arange" || op.type == "randperm" ? axis_bit(0) : any_axis;
}

/// What an op is given but for what decides which arm is taken: that, the decision itself tells.
std::vector<std::pair<OpId, std::size_t>> data_operands(const ConnectedGraph& graph, OpId id) {
  const std::size_t conditions = deciding_operands(graph.op(id));
  std::vector<std::pair<OpId, std::size_t>> found;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(id, graph.graph())))
    if (const std::size_t operand = graph.graph()[edge].input; operand >= conditions)
      found.emplace_back(boost::source(edge, graph.graph()), operand);
  return found;
}

bool yields_truth(const Op& op) {
  if (!op.outputs.empty() && !op.outputs[0].dtype.empty()) return op.outputs[0].dtype == "bool";
  return does(op.type, Does::yields_truth);
}

bool is_of_all(const Op& op) {
  return does(op.type, Does::reduces) && op.schema.find('.') == std::string::npos;
}

/// Yields as many rows as values of its operands say. `torch.where(mask)` does, `torch.where(mask,
/// a, b)` does not.
bool picks(const std::string& type, const std::string& schema) {
  if (type == "where") return schema == "aten::where";
  if (type == "repeat_interleave") return schema != "aten::repeat_interleave.self_int";
  return does(type, Does::finds);
}

/// Also of a function of torch that is one op: `torch.unique`.
bool picks(const Op& op) {
  if (picks(op.type, op.schema)) return true;
  return op.kind == OpKind::functional && op.body != nullptr &&
         std::ranges::any_of(*op.body, [](const Operator& each) {
           return picks(type_of_schema(each.schema), each.schema);
         });
}

/// Where a result goes.
enum class Use { decides, goes_on, is_data };

Use use_of(const Op& op, std::size_t operand) {
  if (op.kind == OpKind::query || op.kind == OpKind::functional) return Use::goes_on;
  const bool decides = op.kind == OpKind::control_flow && operand < deciding_operands(op);
  return decides ? Use::decides : Use::is_data;
}

} // namespace

std::vector<bool> ops_that_only_decide(const ConnectedGraph& graph) {
  const std::size_t count = graph.op_count();
  std::vector<bool> decides(count), is_data(count);
  for (OpId id = count; id-- > 0;) // in execution order: readers come before what they read
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph.graph()))) {
      const OpId to = boost::target(edge, graph.graph());
      const Use use = use_of(graph.op(to), graph.graph()[edge].input);
      const bool goes_on = use == Use::goes_on;
      if (use == Use::decides || (goes_on && decides[to])) decides[id] = true;
      if (use == Use::is_data || (goes_on && is_data[to])) is_data[id] = true;
    }
  for (OpId id = 0; id < count; ++id) decides[id] = decides[id] && !is_data[id];
  return decides;
}

bool reads_values(const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  if (op.kind != OpKind::query || !does(op.type, Does::reads_values)) return false;
  const auto edges = boost::make_iterator_range(boost::in_edges(id, graph.graph()));
  return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
    return carries_data(graph.op(boost::source(edge, graph.graph())));
  });
}

NumbersOfData::NumbersOfData(const ConnectedGraph& graph)
    : graph_(graph), numbers_(graph.op_count(), none), sizes_(graph.op_count()) {
  // In execution order, and again what reads an op behind it, as an `if` joins what its arms make.
  std::deque<OpId> open;
  for (OpId id = 0; id < graph.op_count(); ++id) open.push_back(id);
  std::vector<bool> is_open(graph.op_count(), true);
  while (!open.empty()) {
    const OpId id = open.front();
    open.pop_front();
    is_open[id] = false;
    if (!look_at(id)) continue;
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(id, graph.graph()))) {
      const OpId reader = boost::target(edge, graph.graph());
      if (!is_open[reader]) open.push_back(reader);
      is_open[reader] = true;
    }
  }
}

bool NumbersOfData::look_at(OpId id) {
  const bool had_number = numbers_[id] != none;
  const Axes had = sizes_[id].axes;
  look_at_tensor(id);
  look_at_query(id);
  return had_number != (numbers_[id] != none) || had != sizes_[id].axes;
}

void NumbersOfData::join(OpId id, Sizes sizes) {
  if (sizes.axes == 0) return;
  sizes_[id].axes |= sizes.axes;
  sizes_[id].source = sizes.source;
}

bool NumbersOfData::has_settled_operand(OpId id) const {
  const auto edges = boost::make_iterator_range(boost::in_edges(id, graph_.graph()));
  return std::any_of(edges.begin(), edges.end(), [&](const auto& edge) {
    const OpId from = boost::source(edge, graph_.graph());
    return carries_data(graph_.op(from)) && sizes_[from].axes == 0;
  });
}

void NumbersOfData::look_at_tensor(OpId id) {
  const Op& op = graph_.op(id);
  if (op.kind == OpKind::query || is_of_all(op)) return;
  if (picks(op)) return join(id, {axis_bit(0), id});
  const bool settled = does(op.type, Does::broadcasts) && has_settled_operand(id);
  for (const auto& [from, operand] : data_operands(graph_, id)) {
    join(id, {axes_after(op, sizes_[from].axes, settled), sizes_[from].source});
    if (op.type == "index" && operand > 0 && yields_truth(graph_.op(from)))
      join(id, {axis_bit(0), id});
    if (numbers_[from] != none && does(op.type, Does::takes_sizes))
      join(id, {axes_of_number(op), numbers_[from]});
  }
}

void NumbersOfData::look_at_query(OpId id) {
  const Op& op = graph_.op(id);
  if (op.kind != OpKind::query && op.kind != OpKind::control_flow) return;
  if (reads_values(graph_, id)) numbers_[id] = id;
  if (does(op.type, Does::asks_no_size)) return;
  for (const auto& [from, operand] : data_operands(graph_, id)) {
    const Sizes& sizes = sizes_[from];
    if (op.kind == OpKind::control_flow || sizes.axes == 0) {
      if (numbers_[from] != none) numbers_[id] = numbers_[from];
      continue;
    }
    if (asks_for(op, sizes.axes)) numbers_[id] = sizes.source;
    if (op.type == "size" && axis_asked(op) == nullptr) join(id, sizes); // a list of them
  }
}

OpId NumbersOfData::source_of_condition(OpId control_flow) const {
  const std::size_t count = deciding_operands(graph_.op(control_flow));
  for (const auto& edge :
       boost::make_iterator_range(boost::in_edges(control_flow, graph_.graph()))) {
    const OpId from = boost::source(edge, graph_.graph());
    if (graph_.graph()[edge].input < count && numbers_[from] != none) return numbers_[from];
  }
  return none;
}

} // namespace model_validator
