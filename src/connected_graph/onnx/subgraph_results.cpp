#include "connected_graph/onnx/subgraph_results.h"

#include "connected_graph/onnx/body_forms.h"
#include "connected_graph/onnx/domain.h"

#include <algorithm>

namespace model_validator::onnx_format {
namespace {

using shapes::Shape;
using shapes::Size;

/// A size that two values agree on.
std::shared_ptr<const Shape> common(const std::shared_ptr<const Shape>& a,
                                    const std::shared_ptr<const Shape>& b) {
  if (a == b) return a;
  if (!a || !b || a->size() != b->size()) return nullptr;
  Shape agreed = *a;
  for (std::size_t i = 0; i < agreed.size(); ++i)
    if (agreed[i] != (*b)[i]) agreed[i] = {};
  return shapes::shared(std::move(agreed));
}

SubgraphResult either(const Binding& a, const Binding& b) {
  const auto &first = a.sizes.shape, &second = b.sizes.shape;
  const bool differ = first && second && first->size() != second->size();
  return {a.type.dtype.empty() ? b.type : a.type,
          {.shape = common(first, second), .open = a.sizes.open || b.sizes.open || differ}};
}

/// A value for each time that a body ran, one beside the other along an axis.
SubgraphResult stacked(const Binding& each, Size times, std::size_t axis) {
  if (!each.sizes.shape) return {each.type, {.open = each.sizes.open}};
  Shape shape = *each.sizes.shape;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), times);
  return {each.type, {.shape = shapes::shared(std::move(shape))}};
}

Size element(const Binding* value) {
  const Shape* all = value == nullptr ? nullptr : value->sizes.elements.get();
  return all != nullptr && all->size() == 1 ? all->front() : Size{};
}

/// The arm that an `if` takes, where that is known.
std::optional<std::size_t> chosen_arm(const SubgraphValues& given) {
  const Binding* condition = given.inputs.empty() ? nullptr : given.inputs[0];
  const Size holds = element(condition);
  return holds.is_number() ? std::optional<std::size_t>(holds.is(0) ? 1 : 0) : std::nullopt;
}

/// Whether a runtime may know the condition before it runs the model: then it looks at one arm
/// alone.
bool may_know_condition(const SubgraphValues& given) {
  const Binding* condition = given.inputs.empty() ? nullptr : given.inputs[0];
  return condition == nullptr || condition->tensor != nullptr || condition->constant() ||
         (condition->query && !given.sizes_are_open);
}

/// The value of an `If`.
SubgraphResult of_arms(const SubgraphValues& given, std::size_t output) {
  const auto& arms = given.results;
  if (arms.size() != 2 || output >= arms[0].size() || output >= arms[1].size()) return {};
  SubgraphResult value = either(arms[0][output], arms[1][output]);
  if (const auto chosen = chosen_arm(given))
    value.sizes = arms[*chosen][output].sizes;
  else
    value.sizes.open = value.sizes.open && !may_know_condition(given);
  return value;
}

/// How often a `Loop` runs whose condition holds from first to last.
Size turns(const SubgraphValues& given) {
  const bool begins = given.inputs[1] == nullptr || element(given.inputs[1]).is(1);
  const bool goes_on = element(&given.results[0][0]).is(1);
  const Size trips = element(given.inputs[0]);
  const bool is_negative = trips.is_number() && *trips.number() < 0;
  return begins && goes_on && !is_negative ? trips : Size{};
}

/// The value of a `Loop`. Trip count and condition come before what it carries, and its body yields
/// the condition first.
SubgraphResult of_loop(const SubgraphValues& given, std::size_t output) {
  constexpr std::size_t before_carried = 2;
  if (given.results.size() != 1 || output + 1 >= given.results[0].size()) return {};
  if (given.inputs.size() < before_carried) return {};
  const Binding& yielded = given.results[0][output + 1];
  const std::size_t carried = output + before_carried;
  if (carried >= given.inputs.size()) return stacked(yielded, turns(given), 0);
  const Binding* first = given.inputs[carried];
  if (first == nullptr) return {};
  SubgraphResult value = either(*first, yielded);
  if (first->type.has_other_kind(yielded.type)) value.type = yielded.type;
  return value;
}

/// Before opset 9 a `Scan` is told lengths besides.
bool has_plain_scan(const ::onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [&](const auto& each) {
    return each.name() == "body" && each.g().input_size() == node.input_size();
  });
}

/// The value of a `Scan` that goes over no batches: a state, or slices put together, of as many as
/// an input is cut into.
SubgraphResult of_scan(const ::onnx::NodeProto& node, const SubgraphValues& given,
                       std::size_t output) {
  const ScanAxes scan(node);
  const Binding& yielded = given.results[0][output];
  const std::size_t first = scan.first_sliced();
  if (first >= given.inputs.size() || !has_plain_scan(node)) return {yielded.type, {}};
  if (output < first)
    return given.inputs[output] == nullptr ? SubgraphResult{yielded.type, {}}
                                           : either(*given.inputs[output], yielded);
  const Shape* sliced =
      given.inputs[first] == nullptr ? nullptr : given.inputs[first]->sizes.shape.get();
  const auto cut = sliced == nullptr ? std::nullopt : scan.cut(first, sliced->size());
  const std::size_t rank = yielded.sizes.shape ? yielded.sizes.shape->size() + 1 : 0;
  const auto axis = scan.written(output, rank);
  if (!axis) return {yielded.type, {.open = yielded.sizes.open}};
  return stacked(yielded, cut ? sliced->at(*cut) : Size{}, *axis);
}

SubgraphResult result_of(const ::onnx::NodeProto& node, const SubgraphValues& values,
                         std::size_t output) {
  if (!is_default_domain(node.domain())) return {};
  if (node.op_type() == "If") return of_arms(values, output);
  if (node.op_type() == "Loop") return of_loop(values, output);
  if (values.results.size() != 1 || output >= values.results[0].size()) return {};
  if (node.op_type() == "Scan") return of_scan(node, values, output);
  const KnownType& yielded = values.results[0][output].type;
  return {node.op_type() == "SequenceMap" ? sequence_of(yielded) : yielded, {}};
}

} // namespace

std::vector<SubgraphResult> subgraph_results(const ::onnx::NodeProto& node,
                                             const SubgraphValues& values) {
  std::vector<SubgraphResult> results;
  for (int i = 0; i < node.output_size(); ++i)
    results.push_back(result_of(node, values, static_cast<std::size_t>(i)));
  return results;
}

} // namespace model_validator::onnx_format
