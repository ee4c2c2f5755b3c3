#include "connected_graph/shapes/functions.h"

#include <numeric>

namespace model_validator::shapes::functions {
namespace {

/// Takes axes out, or leaves 1 of them.
void reduce(Inference& at, const std::vector<std::int64_t>& axes, bool keeps) {
  const Shape& data = *at.shape(0);
  std::vector<bool> gone(data.size(), false);
  for (const std::int64_t each : axes) {
    const auto axis = at.own_axis(each, Fails::at_load);
    if (!axis) return;
    gone[*axis] = true;
  }
  Shape result;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!gone[i]) result.push_back(data[i]);
    if (gone[i] && keeps) result.push_back(Size::of(1));
  }
  at.set(0, std::move(result));
}

void reduce_elements(Inference& at) {
  const Shape* all = at.elements(0);
  if (all == nullptr || all->empty() || !at.has_rank(0, 1)) return;
  Size result = all->front();
  for (std::size_t i = 1; i < all->size(); ++i) {
    if (at.node.type == "ReduceProd")
      result = at.sizes.product(result, all->at(i));
    else if (at.node.type == "ReduceSum")
      result = at.sizes.sum(result, all->at(i));
    else if (at.node.type == "ReduceMax")
      result = at.sizes.maximum(result, all->at(i));
    else if (at.node.type == "ReduceMin")
      result = at.sizes.minimum(result, all->at(i));
    else
      return;
  }
  at.set_elements(0, {result}, at.node.inputs[0]->real);
}

} // namespace

void reduction(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  if (at.given(1)) at.must_be_list(1, Fails::when_run);
  const bool keeps = at.integer("keepdims", 1) == 1;
  const auto stated = at.given(1) ? at.numbers(1) : at.integers("axes");
  if (at.given(1) && !stated) {
    if (keeps) at.set(0, Shape(data->size()));
    return;
  }
  std::vector<std::int64_t> axes = stated.value_or(std::vector<std::int64_t>{});
  if (axes.empty() && at.flag("noop_with_empty_axes")) return at.set(0, *data);
  if (axes.empty()) {
    axes.resize(data->size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  reduce(at, axes, keeps);
  reduce_elements(at);
}

void arg_reduction(Inference& at) {
  if (at.shape(0) != nullptr) reduce(at, {at.integer("axis", 0)}, at.integer("keepdims", 1) == 1);
}

/// Along one axis, whose number is an input.
void cumulative(Inference& at) {
  same_as_first(at);
  at.must_be_one_number(1, Fails::when_run);
  const auto axis = at.numbers(1);
  if (at.shape(0) != nullptr && axis && axis->size() == 1)
    at.own_axis(axis->front(), Fails::when_run);
}

/// A number for each label, or one for all.
void loss(Inference& at) {
  if (at.given(0)) at.set(1, at.node.inputs[0]->shape);
  if (at.node.attributes->text("reduction") != "none") return at.set(0, Shape{});
  if (at.given(1)) at.set(0, at.node.inputs[1]->shape);
}

} // namespace model_validator::shapes::functions
