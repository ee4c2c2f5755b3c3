#include "connected_graph/shapes/functions.h"

#include <algorithm>

namespace model_validator::shapes::functions {
namespace {

std::optional<Shape> wanted_shape(const Inference& at) {
  constexpr int first_with_input = 5;
  return at.node.opset >= first_with_input ? at.listed(1) : at.stated("shape");
}

/// What is on both sides says nothing of the rest.
void remove_common(Shape& a, Shape& b) {
  std::erase_if(a, [&](Size size) {
    const auto other = std::find(b.begin(), b.end(), size);
    if (!size.known() || size.is(0) || other == b.end()) return false;
    b.erase(other);
    return true;
  });
}

/// Replaces zeros by what they copy. What is copied is on both sides, and in neither list after.
void copy_axes(const Shape* data, Shape& wanted, Shape& rest_of_data, Shape& rest_of_wanted) {
  if (data != nullptr) rest_of_data = *data;
  std::vector<bool> copied(data == nullptr ? 0 : data->size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].is(0) && i < copied.size()) {
      wanted[i] = data->at(i);
      copied[i] = true;
      continue;
    }
    if (wanted[i].is(0)) wanted[i] = {};
    if (!wanted[i].is(-1)) rest_of_wanted.push_back(wanted[i]);
  }
  for (std::size_t i = copied.size(); i-- > 0;)
    if (copied[i]) rest_of_data.erase(rest_of_data.begin() + static_cast<std::ptrdiff_t>(i));
}

/// The size that is left open, of what the others leave.
Size left_over(Inference& at, Size data, Size others) {
  if (others.is(0)) return {};
  const auto all = data.number(), rest = others.number();
  if (all && rest && *all % *rest != 0) {
    at.cannot_fit("element-count",
                  "of " + std::to_string(*all) + " elements no shape with " +
                      std::to_string(*rest) + " for each index of the open axis can be made",
                  {0, 1}, at.noticed(1));
    return {};
  }
  return at.sizes.quotient(data, others);
}

/// At most one size is left open, and none beside a 0 that copies nothing.
void check_wanted(Inference& at, Shape& wanted, bool zeros_copy) {
  const auto negative = [](Size size) { return size.is_number() && *size.number() < 0; };
  const bool other = std::any_of(wanted.begin(), wanted.end(),
                                 [&](Size size) { return negative(size) && !size.is(-1); });
  const auto open = std::count(wanted.begin(), wanted.end(), Size::of(-1));
  const bool empty = !zeros_copy && std::count(wanted.begin(), wanted.end(), Size::of(0)) > 0;
  if (!other && open <= (empty ? 0 : 1)) return;
  at.cannot_fit("negative", "the new shape " + at.text(wanted) + " is none", {0}, at.noticed(1));
  std::replace_if(wanted.begin(), wanted.end(), negative, Size{});
}

/// What is copied must be there.
void check_copied(Inference& at, const Shape& wanted) {
  const Shape& data = *at.shape(0);
  for (std::size_t i = data.size(); i < wanted.size(); ++i)
    if (wanted[i].is(0))
      return at.cannot_fit("copied-axis",
                           "the new shape copies axis " + std::to_string(i) + " of " +
                               at.name_of(0) + ", which has " + std::to_string(data.size()) +
                               " axes",
                           {0}, at.noticed(1));
}

void fill_in(Inference& at, Shape& wanted, bool zeros_copy) {
  const Shape* data = at.shape(0);
  if (data != nullptr && zeros_copy) check_copied(at, wanted);
  Shape rest_of_data, rest_of_wanted;
  if (zeros_copy) {
    copy_axes(data, wanted, rest_of_data, rest_of_wanted);
  } else {
    if (data != nullptr) rest_of_data = *data;
    std::copy_if(wanted.begin(), wanted.end(), std::back_inserter(rest_of_wanted),
                 [](Size size) { return !size.is(-1); });
  }
  if (data == nullptr) rest_of_data = {Size{}};
  Size of_data = at.sizes.product(rest_of_data);
  Size of_wanted = at.sizes.product(rest_of_wanted);
  if (!of_data.known() || !of_wanted.known()) {
    remove_common(rest_of_data, rest_of_wanted);
    of_data = at.sizes.product(rest_of_data);
    of_wanted = at.sizes.product(rest_of_wanted);
  }
  const auto open = std::find(wanted.begin(), wanted.end(), Size::of(-1));
  if (open != wanted.end()) {
    *open = left_over(at, of_data, of_wanted);
    return;
  }
  at.same({of_data, 0, 0, "the number of elements that it is given"},
          {of_wanted, 1, 0, "the number of elements of the new shape"}, Fails::when_run);
}

/// The numbers of a matrix, column by column: PyTorch orders paddings with one.
void turn_elements(Inference& at) {
  const Shape* elements = at.elements(0);
  if (elements == nullptr || !at.has_rank(0, 2)) return;
  const auto rows = at.shape(0)->at(0).number(), columns = at.shape(0)->at(1).number();
  if (!rows || !columns || *rows * *columns != static_cast<std::int64_t>(elements->size())) return;
  Shape turned;
  for (std::int64_t column = 0; column < *columns; ++column)
    for (std::int64_t row = 0; row < *rows; ++row)
      turned.push_back(elements->at(static_cast<std::size_t>(row * *columns + column)));
  at.set_elements(0, std::move(turned), at.node.inputs[0]->real);
}

/// Axes by attribute, or since opset 13 by the second input.
std::optional<std::vector<std::int64_t>> stated_axes(const Inference& at) {
  return at.given(1) ? at.numbers(1) : at.integers("axes");
}

} // namespace

void reshape(Inference& at) {
  auto wanted = wanted_shape(at);
  at.must_be_list(1, Fails::when_run);
  at.keep_numbers();
  if (!wanted) return at.leave_rank_to_list(1);
  const bool zeros_copy = !at.flag("allowzero");
  check_wanted(at, *wanted, zeros_copy);
  fill_in(at, *wanted, zeros_copy);
  at.set(0, std::move(*wanted));
}

void flatten(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr) {
    at.set(0, Shape(2));
    return;
  }
  const std::int64_t given = at.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(data->size());
  const std::int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis > rank)
    return at.cannot_fit("no-axis", at.name_of(0) + " has no axis " + std::to_string(given), {0},
                         Fails::at_load);
  at.set(0, Shape{at.sizes.product(Shape(data->begin(), data->begin() + axis)),
                  at.sizes.product(Shape(data->begin() + axis, data->end()))});
}

using LeftOut = std::optional<std::vector<bool>>; // by axis

/// All axes of size 1; nothing where only the run decides whether one is.
static LeftOut axes_of_one(Inference& at) {
  const Shape& data = *at.shape(0);
  std::vector<bool> left_out;
  for (const Size size : data) {
    const bool is_longer = at.sizes.not_negative(at.sizes.sum(size, Size::of(-2)));
    if (!is_longer && !size.is_number()) {
      if (size.known())
        at.leave_rank_open("squeeze-open-rank",
                           "`Squeeze` leaves out all axes of size 1, and which of " +
                               at.text(data) + " those are only the run decides");
      return std::nullopt;
    }
    left_out.push_back(size.is(1));
  }
  return left_out;
}

static LeftOut axes_listed(Inference& at, const std::vector<std::int64_t>& axes) {
  std::vector<bool> left_out(at.shape(0)->size());
  for (const std::int64_t each : axes) {
    const auto axis = at.own_axis(each, Fails::at_load);
    if (!axis) return std::nullopt;
    at.same(at.axis(0, *axis), {Size::of(1), 0, 0, "the size that can be left out"},
            Fails::at_load);
    left_out[*axis] = true;
  }
  return left_out;
}

void squeeze(Inference& at) {
  at.keep_numbers();
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  if (at.given(1)) at.must_be_list(1, Fails::when_run);
  const bool all = !at.given(1) && !at.integers("axes");
  const auto axes = stated_axes(at);
  // An empty list means all axes of size 1 to some runtimes, and none to others.
  if (!all && (!axes || axes->empty())) return;
  const LeftOut left_out = all ? axes_of_one(at) : axes_listed(at, *axes);
  if (!left_out) return;
  Shape result;
  for (std::size_t i = 0; i < data->size(); ++i)
    if (!(*left_out)[i]) result.push_back(data->at(i));
  at.set(0, std::move(result));
}

void unsqueeze(Inference& at) {
  at.keep_numbers();
  const Shape* data = at.shape(0);
  const auto axes = stated_axes(at);
  if (at.shape(1) != nullptr && at.shape(1)->size() > 1) at.must_be_list(1, Fails::when_run);
  if (data == nullptr || !axes) return;
  const std::size_t rank = data->size() + axes->size();
  std::vector<bool> added(rank);
  for (const std::int64_t each : *axes) {
    const auto axis = axis_in(each, rank);
    if (!axis || added[*axis])
      return at.cannot_fit("no-axis",
                           "no axis " + std::to_string(each) + " can be added to " + at.name_of(0),
                           {0}, Fails::at_load);
    added[*axis] = true;
  }
  Shape result;
  auto next = data->begin();
  for (std::size_t i = 0; i < rank; ++i) result.push_back(added[i] ? Size::of(1) : *next++);
  at.set(0, std::move(result));
}

void transpose(Inference& at) {
  const Shape* data = at.shape(0);
  const auto order = at.integers("perm");
  if (data == nullptr && order) at.set(0, Shape(order->size()));
  if (data == nullptr) return;
  if (!order) {
    at.set(0, Shape(data->rbegin(), data->rend()));
    turn_elements(at);
    return;
  }
  if (order->size() != data->size())
    return at.cannot_fit("perm-count",
                         "attribute `perm` has " + std::to_string(order->size()) +
                             " numbers, and " + at.name_of(0) + " " + std::to_string(data->size()) +
                             " axes",
                         {0}, Fails::when_run);
  Shape result;
  std::vector<bool> used(data->size());
  for (const std::int64_t each : *order) {
    const auto axis = axis_in(each, data->size());
    if (!axis || used[*axis])
      return at.cannot_fit("perm",
                           "attribute `perm` does not name each axis of " + at.name_of(0) + " once",
                           {0}, Fails::at_load);
    used[*axis] = true;
    result.push_back(data->at(*axis));
  }
  at.set(0, std::move(result));
  if (*order == std::vector<std::int64_t>{1, 0}) turn_elements(at);
}

/// Of a stored list, ONNX Runtime reads the numbers alone, however many axes it has.
static void check_computed_list(Inference& at, std::size_t input) {
  if (at.given(input) && at.node.inputs[input]->source != Source::stored)
    at.must_be_list(input, Fails::at_load);
}

void expand(Inference& at) {
  const auto wanted = at.listed(1);
  check_computed_list(at, 1);
  if (at.given(0) && !at.outputs.empty()) at.outputs[0].below = at.node.inputs[0]->below;
  if (!wanted) return at.leave_rank_to_list(1);
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  Shape result = *wanted;
  if (data->size() > result.size())
    result.insert(result.begin(), data->size() - result.size(), Size::of(1));
  const std::size_t more = result.size() - data->size();
  for (std::size_t i = 0; i < data->size(); ++i) {
    Size& size = result[more + i];
    if (size.is(-1) || size.is(0)) return at.set(0, Shape(result.size()));
    size =
        at.broadcast(at.axis(0, i), {size, 1, i, "the size that it is expanded to"}, at.noticed(1));
  }
  at.set(0, std::move(result));
  const Shape* elements = at.elements(0);
  const auto count = at.sizes.product(*at.outputs.at(0).shape).number();
  if (elements != nullptr && elements->size() == 1 && count && *count >= 0 && *count <= 64)
    at.set_elements(0, Shape(static_cast<std::size_t>(*count), elements->front()),
                    at.node.inputs[0]->real);
}

void tile(Inference& at) {
  const Shape* data = at.shape(0);
  const auto repeats = at.listed(1);
  at.must_be_list(1, Fails::at_load);
  if (data == nullptr || !repeats || at.node.opset < 6) return;
  if (repeats->size() != data->size())
    return at.cannot_fit("repeat-count",
                         at.name_of(1) + " has " + std::to_string(repeats->size()) +
                             " numbers, and " + at.name_of(0) + " " + std::to_string(data->size()) +
                             " axes",
                         {0, 1}, at.noticed(1));
  Shape result;
  for (std::size_t i = 0; i < data->size(); ++i)
    result.push_back(at.sizes.product(data->at(i), repeats->at(i)));
  at.set(0, std::move(result));
}

namespace {

void must_be_divisible(Inference& at, std::size_t axis, Size by) {
  const Size size = at.shape(0)->at(axis);
  if (size.is_number() && by.is_number() && *by.number() > 0 &&
      !at.sizes.exact_quotient(size, by).known())
    at.cannot_fit("divisor",
                  "axis " + std::to_string(axis) + " of " + at.name_of(0) + " is " +
                      at.sizes.text(size) + ", which cannot be divided by " + at.sizes.text(by),
                  {0}, Fails::when_run);
}

} // namespace

void depth_to_space(Inference& at) {
  const Shape* data = at.shape(0);
  const Size block = Size::of(at.integer("blocksize", 1));
  if (data == nullptr || data->size() != 4) return;
  must_be_divisible(at, 1, at.sizes.product(block, block));
  const Size channels = at.sizes.quotient(data->at(1), at.sizes.product(block, block));
  at.set(0, Shape{data->at(0), channels, at.sizes.product(data->at(2), block),
                  at.sizes.product(data->at(3), block)});
}

void space_to_depth(Inference& at) {
  const Shape* data = at.shape(0);
  const Size block = Size::of(at.integer("blocksize", 1));
  if (data == nullptr || data->size() != 4) return;
  must_be_divisible(at, 2, block);
  must_be_divisible(at, 3, block);
  const Size channels = at.sizes.product(data->at(1), at.sizes.product(block, block));
  at.set(0, Shape{data->at(0), channels, at.sizes.quotient(data->at(2), block),
                  at.sizes.quotient(data->at(3), block)});
}

} // namespace model_validator::shapes::functions
