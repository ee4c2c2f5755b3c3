#include "introspection/activation_memory.h"

#include "connected_graph/operators.h"
#include "connected_graph/shapes/symbolic_shapes.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/dtype.h>

#include <algorithm>

namespace model_validator {
namespace {

using shapes::Shape;
using shapes::Size;
using shapes::Sizes;

/// A result of an op that holds elements of its own.
struct Held {
  std::optional<Shape> shape;
  std::string dtype;
  OpId made = none;
  OpId last_read = none;
};

/// What gives the elements that are there another shape, or writes into them.
bool is_view(const Op& op) {
  return op.type.ends_with('_') || does(op.type, Does::keeps | Does::reshapes);
}

bool holds_nothing(const Op& op) {
  return contains({OpKind::query, OpKind::constant, OpKind::output}, op.kind) || is_view(op);
}

/// By op: the last that reads it, or a view of it.
std::vector<OpId> last_readers(const ConnectedGraph& graph) {
  std::vector<OpId> last(graph.op_count());
  for (OpId id = graph.op_count(); id-- > 0;) {
    last[id] = id;
    const auto [begin, end] = boost::out_edges(id, graph.graph());
    for (auto edge = begin; edge != end; ++edge) {
      const OpId reader = boost::target(*edge, graph.graph());
      const bool passes_on = reader > id && is_view(graph.op(reader));
      last[id] = std::max(last[id], passes_on ? last[reader] : reader);
    }
  }
  return last;
}

/// A result whose dtype nobody states has that of what it is made from.
std::string dtype_of(const ConnectedGraph& graph, OpId id, const std::string& stated,
                     const std::vector<std::string>& of_ops) {
  if (!stated.empty()) return stated;
  const auto [begin, end] = boost::in_edges(id, graph.graph());
  for (auto edge = begin; edge != end; ++edge) {
    const OpId source = boost::source(*edge, graph.graph());
    if (source < id && !of_ops[source].empty()) return of_ops[source];
  }
  return {};
}

std::vector<Held> held_results(const ConnectedGraph& graph) {
  const std::vector<OpId> last = last_readers(graph);
  std::vector<std::string> dtypes(graph.op_count());
  std::vector<Held> all;
  for (OpId id = 0; id < graph.op_count(); ++id) {
    const Op& op = graph.op(id);
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
      const std::string dtype = dtype_of(graph, id, op.outputs[i].dtype, dtypes);
      if (i == 0) dtypes[id] = dtype;
      if (!holds_nothing(op))
        all.push_back({known_shape(graph, id, i, op.outputs[i]), dtype, id, last[id]});
    }
  }
  return all;
}

/// Bytes; unknown where the shape or the dtype is.
Size bytes_of(Sizes& sizes, const Held& held) {
  const auto dtype = dtype_named(held.dtype);
  if (!held.shape || !dtype) return {};
  Size bits = Size::of(static_cast<std::int64_t>(facts_of(*dtype).bits));
  for (const Size size : *held.shape) bits = sizes.product(bits, size);
  return sizes.quotient_rounded_up(bits, Size::of(8));
}

/// Bytes by result, with all free sizes taken for the same large number; -1 where they are unknown.
std::vector<std::int64_t> estimated_bytes(Sizes& sizes, const std::vector<Held>& all) {
  constexpr std::int64_t large = 128;
  const std::vector<std::optional<std::int64_t>> free(sizes.symbol_count(), large);
  std::vector<std::int64_t> bytes;
  for (const Held& each : all)
    bytes.push_back(sizes.value(bytes_of(sizes, each), free).value_or(-1));
  return bytes;
}

/// The op during which most is held.
OpId heaviest(const std::vector<Held>& all, const std::vector<std::int64_t>& bytes,
              std::size_t op_count) {
  std::vector<double> change(op_count + 1, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto known = static_cast<double>(std::max<std::int64_t>(bytes[i], 0));
    change[all[i].made] += known;
    change[all[i].last_read + 1] -= known;
  }
  double held = 0, most = -1;
  OpId found = none;
  for (OpId id = 0; id < op_count; ++id) {
    held += change[id];
    if (held > most) {
      most = held;
      found = id;
    }
  }
  return found;
}

} // namespace

ActivationMemory find_activation_memory(const ConnectedGraph& graph) {
  ActivationMemory result;
  Sizes sizes = graph.shapes ? graph.shapes->sizes : Sizes();
  const std::vector<Held> all = held_results(graph);
  const std::vector<std::int64_t> bytes = estimated_bytes(sizes, all);
  result.unknown = static_cast<std::size_t>(std::ranges::count(bytes, -1));
  if (result.unknown == all.size()) return result;
  result.op = heaviest(all, bytes, graph.op_count());
  Size total = Size::of(0);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (bytes[i] >= 0 && all[i].made <= result.op && result.op <= all[i].last_read)
      total = sizes.sum(total, bytes_of(sizes, all[i]));
  if (const auto number = total.number())
    result.bytes = static_cast<std::uint64_t>(*number);
  else if (total.known())
    result.for_any_size = sizes.text(total);
  return result;
}

} // namespace model_validator
