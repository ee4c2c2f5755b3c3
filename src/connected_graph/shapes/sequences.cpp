#include "connected_graph/shapes/functions.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace model_validator::shapes::functions {
namespace {

using Held = std::vector<std::shared_ptr<const Shape>>;

constexpr std::size_t max_held = 1024;

const Held* held(const Inference& at) {
  return at.given(0) ? at.node.inputs[0]->held.get() : nullptr;
}

void yield(Inference& at, Held all) {
  if (!at.outputs.empty() && all.size() <= max_held)
    at.outputs[0].held = std::make_shared<const Held>(std::move(all));
}

/// A place in a sequence that an input tells, or else the last; nothing where it is not known, or
/// not there, which is said.
/// @param places  how many there are
std::optional<std::size_t> place(Inference& at, std::size_t input, std::size_t places) {
  const auto count = static_cast<std::int64_t>(places);
  const auto told = at.given(input) ? at.element(input).number() : std::optional(count - 1);
  if (!told) return std::nullopt;
  if (*told < -count || *told >= count || places == 0) {
    at.cannot_fit("position",
                  at.name_of(0) + " has " + std::to_string(held(at)->size()) +
                      " elements, and none at position " + std::to_string(*told),
                  {0}, Fails::when_run);
    return std::nullopt;
  }
  return static_cast<std::size_t>(*told < 0 ? *told + count : *told);
}

/// The lengths of the parts that a sequence is made of; nothing where they are not known.
std::optional<std::vector<std::int64_t>> parts_of(Inference& at, std::int64_t whole) {
  if (!at.given(1)) return std::vector<std::int64_t>(static_cast<std::size_t>(whole), 1);
  auto parts = at.numbers(1);
  if (!parts || parts->empty() || !at.has_rank(1, 0)) return parts;
  const std::int64_t length = parts->front();
  if (length <= 0) return std::nullopt;
  parts->assign(static_cast<std::size_t>(whole / length), length);
  if (whole % length != 0) parts->push_back(whole % length);
  return parts;
}

/// How long all are together; unknown where they have not that axis.
Size along(std::size_t axis, const Held& all, Sizes& sizes) {
  Size total = Size::of(0);
  for (const auto& each : all)
    total = axis < each->size() ? sizes.sum(total, each->at(axis)) : Size{};
  return total;
}

} // namespace

void make_sequence(Inference& at) {
  Held all;
  for (std::size_t i = 0; i < at.node.inputs.size(); ++i)
    all.push_back(at.given(i) ? at.node.inputs[i]->shape : nullptr);
  yield(at, std::move(all));
}

void insert_into_sequence(Inference& at) {
  if (held(at) == nullptr || !at.given(1)) return;
  const auto where = place(at, 2, held(at)->size() + 1);
  if (!where) return;
  Held all = *held(at);
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(*where), at.node.inputs[1]->shape);
  yield(at, std::move(all));
}

void erase_from_sequence(Inference& at) {
  if (held(at) == nullptr) return;
  const auto where = place(at, 1, held(at)->size());
  if (!where) return;
  Held all = *held(at);
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(*where));
  yield(at, std::move(all));
}

void take_from_sequence(Inference& at) {
  if (held(at) == nullptr) return;
  if (const auto where = place(at, 1, held(at)->size())) at.set(0, held(at)->at(*where));
}

void length_of_sequence(Inference& at) {
  at.set(0, Shape{});
  if (held(at) != nullptr)
    at.set_elements(0, {Size::of(static_cast<std::int64_t>(held(at)->size()))}, false);
}

void split_to_sequence(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  const auto axis = at.own_axis(at.integer("axis", 0), Fails::at_load);
  const auto whole = axis ? data->at(*axis).number() : std::nullopt;
  if (!whole || *whole > static_cast<std::int64_t>(max_held)) return;
  const auto parts = parts_of(at, *whole);
  if (!parts) return;
  Size sum = Size::of(0);
  for (const std::int64_t part : *parts) sum = at.sizes.sum(sum, Size::of(part));
  const auto total = sum.number();
  if (total != whole)
    return at.cannot_fit("the sum of the parts",
                         at.said(at.axis(0, *axis)) + ", but the sum of the parts is " +
                             (total ? std::to_string(*total) : "beyond 64 bits"),
                         {0, 1}, at.noticed(1));
  const bool keeps = at.given(1) || at.integer("keepdims", 1) != 0;
  Held all;
  for (const std::int64_t part : *parts) {
    Shape shape = *data;
    shape[*axis] = Size::of(part);
    if (!keeps) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*axis));
    all.push_back(shared(std::move(shape)));
  }
  yield(at, std::move(all));
}

/// All have one rank. Along a new axis each is one element long.
void concat_sequence(Inference& at) {
  if (held(at) == nullptr || held(at)->empty()) return;
  const auto known = [](const auto& each) { return each != nullptr; };
  if (!std::ranges::all_of(*held(at), known)) return;
  const bool stacks = at.flag("new_axis");
  Shape result = *held(at)->front();
  const std::int64_t told = at.integer("axis", 0);
  const auto axis = axis_in(told, result.size() + (stacks ? 1 : 0));
  if (!axis)
    return at.cannot_fit("no-axis",
                         "what " + at.name_of(0) + " holds has no axis " + std::to_string(told),
                         {0}, Fails::when_run);
  const auto where = result.begin() + static_cast<std::ptrdiff_t>(*axis);
  if (stacks)
    result.insert(where, Size::of(static_cast<std::int64_t>(held(at)->size())));
  else
    result[*axis] = along(*axis, *held(at), at.sizes);
  at.set(0, std::move(result));
}

} // namespace model_validator::shapes::functions
