#include "connected_graph/shapes/functions.h"

#include <algorithm>
#include <cmath>

// Operators that make numbers of shapes, and shapes of numbers.

namespace model_validator::shapes::functions {
namespace {

constexpr std::int64_t max_listed = 64;

} // namespace

void shape_of(Inference& at) {
  const Shape* shape = at.shape(0);
  if (shape == nullptr) {
    at.set(0, Shape{Size{}});
    return;
  }
  const auto rank = static_cast<std::int64_t>(shape->size());
  const auto place = [&](const char* name, std::int64_t otherwise) {
    const std::int64_t given = at.integer(name, otherwise);
    return std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
  };
  const std::int64_t start = place("start", 0);
  const std::int64_t end = std::max(start, place("end", rank));
  Shape elements(shape->begin() + start, shape->begin() + end);
  at.set(0, Shape{Size::of(end - start)});
  at.set_elements(0, std::move(elements), false);
}

void size_of(Inference& at) {
  at.set(0, Shape{});
  if (const Shape* shape = at.shape(0)) at.set_elements(0, {at.sizes.product(*shape)}, false);
}

void range(Inference& at) {
  for (const std::size_t input : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
    at.must_be_one_number(input, Fails::when_run);
  const Size start = at.element(0);
  const Size limit = at.element(1);
  const Size step = at.element(2);
  Size count;
  const std::int64_t by = step.number().value_or(0);
  if (by != 0) {
    const Size sign = Size::of(by < 0 ? -1 : 1);
    const Size distance = at.sizes.product(at.sizes.difference(limit, start), sign);
    count = at.sizes.maximum(at.sizes.quotient_rounded_up(distance, at.sizes.product(step, sign)),
                             Size::of(0));
  }
  at.set(0, Shape{count});
  if (by > 0 && !at.outputs.empty()) at.outputs[0].below = limit;
  const bool real = at.given(0) && at.node.inputs[0]->real;
  if (!count.is_number() || *count.number() > max_listed) return;
  Shape elements;
  for (std::int64_t i = 0; i < *count.number(); ++i)
    elements.push_back(at.sizes.sum(start, at.sizes.product(step, Size::of(i))));
  at.set_elements(0, std::move(elements), real);
}

void constant_of_shape(Inference& at) {
  const Shape* shape = at.elements(0);
  if (shape == nullptr) {
    if (at.has_rank(0, 1))
      if (const auto rank = at.shape(0)->front().number(); rank && *rank <= max_listed)
        at.set(0, Shape(static_cast<std::size_t>(*rank)));
    return at.leave_rank_to_list(0);
  }
  at.set(0, *shape);
  const auto value = at.node.attributes->reals("value");
  const auto count = at.sizes.product(*shape).number();
  if (!value || value->size() != 1 || !count || *count < 0 || *count > max_listed) return;
  constexpr double large = 1e15;
  const double number = value->front();
  if (!(number > -large && number < large) || number != std::floor(number)) return;
  const auto whole = static_cast<std::int64_t>(number);
  at.set_elements(0, Shape(static_cast<std::size_t>(*count), Size::of(whole)), false);
}

void non_zero(Inference& at) {
  const Shape* shape = at.shape(0);
  const auto rank = shape == nullptr ? 0 : static_cast<std::int64_t>(shape->size());
  at.set(0, Shape{rank > 0 ? Size::of(rank) : Size{}, Size{}});
}

void boxes(Inference& at) {
  at.set(0, Shape{Size{}, Size::of(3)});
  if (!at.has_rank(0, 3) || !at.has_rank(1, 3)) return;
  at.same(at.axis(1, 0), at.axis(0, 0), Fails::when_run);
  at.same(at.axis(1, 2), at.axis(0, 1), Fails::when_run);
}

void random_of_shape(Inference& at) {
  if (auto shape = at.stated("shape")) at.set(0, *std::move(shape));
}

void one_hot(Inference& at) {
  const Shape* indices = at.shape(0);
  if (indices == nullptr) return;
  const std::int64_t stated = at.integer("axis", -1);
  const auto axis = axis_in(stated, indices->size() + 1);
  if (!axis)
    at.cannot_fit("no-axis",
                  "`axis` is " + std::to_string(stated) + ", and the result has " +
                      std::to_string(indices->size() + 1) + " axes",
                  {0}, Fails::at_load);
  at.must_be_one_number(1, at.noticed(1));
  if (at.has_rank(2, 1))
    at.same(at.axis(2, 0), {Size::of(2), 2, 0, "the number of its values"}, at.noticed(2));
  if (!axis) return;
  Shape result = *indices;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(*axis), at.element(1));
  at.set(0, std::move(result));
}

void multinomial(Inference& at) {
  const Size rows = at.has_rank(0, 2) ? at.shape(0)->at(0) : Size{};
  at.set(0, Shape{rows, Size::of(at.integer("sample_size", 1))});
}

void one_number(Inference& at) { at.set(0, Shape{}); }

/// Rows, columns and channels.
void decoded_image(Inference& at) { at.set(0, Shape(3)); }

void no_tensor(Inference&) {}

} // namespace model_validator::shapes::functions
