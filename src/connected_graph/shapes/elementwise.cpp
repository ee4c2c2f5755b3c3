#include "connected_graph/shapes/functions.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace model_validator::shapes::functions {
namespace {

Size truth(bool value) { return Size::of(value ? 1 : 0); }

/// Whether one integer is greater than another; unknown where it depends.
Size greater(Sizes& sizes, Size a, Size b) {
  const Size distance = sizes.difference(a, b);
  if (sizes.not_negative(sizes.difference(distance, Size::of(1)))) return truth(true);
  if (sizes.not_negative(sizes.product(distance, Size::of(-1)))) return truth(false);
  return {};
}

Size equal(Sizes& sizes, Size a, Size b) {
  if (a.known() && a == b) return truth(true);
  if (greater(sizes, a, b).is(1) || greater(sizes, b, a).is(1)) return truth(false);
  return {};
}

Size negated(Size truth_value) { return truth_value.known() ? truth(truth_value.is(0)) : Size{}; }

/// The remainder has the sign of the divisor.
Size modulo(Sizes& sizes, Size a, Size b) {
  return sizes.difference(a, sizes.product(b, sizes.quotient(a, b)));
}

Size divided(Sizes& sizes, Size a, Size b, bool real) {
  return real ? sizes.exact_quotient(a, b) : sizes.truncated_quotient(a, b);
}

/// To a small whole number, as the number of places of a square image is.
Size power(Sizes& sizes, Size base, Size exponent) {
  constexpr std::int64_t largest = 4;
  if (!exponent.is_number() || *exponent.number() < 0 || *exponent.number() > largest) return {};
  Size result = Size::of(1);
  for (std::int64_t i = 0; i < *exponent.number(); ++i) result = sizes.product(result, base);
  return result;
}

Size both(Size a, Size b) {
  if (a.is(0) || b.is(0)) return truth(false);
  return a.is(1) && b.is(1) ? truth(true) : Size{};
}

Size either(Size a, Size b) {
  if (a.is(1) || b.is(1)) return truth(true);
  return a.is(0) && b.is(0) ? truth(false) : Size{};
}

/// What an operator says of two integers; unknown where it depends, or is not followed.
Size compared(Sizes& sizes, std::string_view type, Size a, Size b) {
  if (!a.known() || !b.known()) return {};
  if (type == "Equal") return equal(sizes, a, b);
  if (type == "Greater") return greater(sizes, a, b);
  if (type == "Less") return greater(sizes, b, a);
  if (type == "GreaterOrEqual") return negated(greater(sizes, b, a));
  if (type == "LessOrEqual") return negated(greater(sizes, a, b));
  return {};
}

/// What an operator computes of two integers; unknown for one that is not followed.
Size computed(Sizes& sizes, std::string_view type, Size a, Size b, bool real) {
  if (type == "Add" || type == "Sum") return sizes.sum(a, b);
  if (type == "Sub") return sizes.difference(a, b);
  if (type == "Mul") return sizes.product(a, b);
  if (type == "Div") return divided(sizes, a, b, real);
  if (type == "Pow") return power(sizes, a, b);
  if (type == "Mod") return real ? Size{} : modulo(sizes, a, b);
  if (type == "Min") return sizes.minimum(a, b);
  if (type == "Max") return sizes.maximum(a, b);
  if (type == "And") return both(a, b);
  if (type == "Or") return either(a, b);
  return compared(sizes, type, a, b);
}

bool is_list(const Inference& at, std::size_t input) {
  return at.elements(input) != nullptr && at.shape(input) != nullptr &&
         at.shape(input)->size() <= 1;
}

/// How many elements come of lists that broadcast; nothing where they do not, or are no lists.
std::optional<std::size_t> common_count(const Inference& at) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < at.node.inputs.size(); ++i) {
    if (!is_list(at, i)) return std::nullopt;
    const std::size_t own = at.elements(i)->size();
    if (own != 1 && count != 1 && own != count) return std::nullopt;
    count = own == 1 ? count : own;
  }
  return count;
}

Size element(const Inference& at, std::size_t input, std::size_t number) {
  const Shape& all = *at.elements(input);
  return all.size() == 1 ? all[0] : all.at(number);
}

bool any_real(const Inference& at) {
  return std::any_of(at.node.inputs.begin(), at.node.inputs.end(),
                     [](const Value* value) { return value != nullptr && value->real; });
}

void compute_elements(Inference& at) {
  const auto count = common_count(at);
  if (!count || at.node.inputs.empty()) return;
  const bool real = any_real(at);
  Shape result;
  for (std::size_t i = 0; i < *count; ++i) {
    Size value = element(at, 0, i);
    for (std::size_t input = 1; input < at.node.inputs.size(); ++input)
      value = computed(at.sizes, at.node.type, value, element(at, input, i), real);
    result.push_back(value);
  }
  at.set_elements(0, std::move(result), real);
}

void set_broadcast(Inference& at, const std::vector<std::size_t>& inputs) {
  if (auto shape = at.broadcast(inputs, Fails::at_load)) at.set(0, std::move(*shape));
}

/// Whole floats that the file stores; integers are followed from where they are stored on.
void follow_stored_floats(Inference& at) {
  constexpr double large = 1e15;
  const auto stored = at.node.attributes->stored_numbers(0);
  if (!stored) return;
  Shape whole;
  for (const double each : *stored)
    if (std::trunc(each) == each && std::abs(each) < large)
      whole.push_back(Size::of(static_cast<std::int64_t>(each)));
  if (whole.size() == stored->size()) at.set_elements(0, std::move(whole), true);
}

} // namespace

void same_as_first(Inference& at) {
  if (at.given(0)) at.set(0, at.node.inputs[0]->shape);
}

void along_axis(Inference& at) {
  same_as_first(at);
  const bool noticed_late = at.node.type == "LpNormalization";
  if (at.shape(0) != nullptr && !at.shape(0)->empty())
    at.own_axis(at.integer("axis", -1), noticed_late ? Fails::when_run : Fails::at_load);
}

void clip(Inference& at) {
  same_as_first(at);
  if (at.given(1)) at.must_be_one_number(1, Fails::when_run);
  if (at.given(2)) at.must_be_one_number(2, Fails::when_run);
  constexpr int first_with_inputs = 11;
  if (at.node.opset < first_with_inputs || at.elements(0) == nullptr) return;
  Shape result;
  for (Size each : *at.elements(0)) {
    if (at.given(1)) each = at.sizes.maximum(each, at.element(1));
    if (at.given(2)) each = at.sizes.minimum(each, at.element(2));
    result.push_back(each);
  }
  at.set_elements(0, std::move(result), at.node.inputs[0]->real);
}

void dropout(Inference& at) {
  same_as_first(at);
  if (at.given(0)) at.set(1, at.node.inputs[0]->shape);
}

void identity(Inference& at) {
  same_as_first(at);
  at.keep_numbers();
}

void cast(Inference& at) {
  constexpr std::array<std::int64_t, 4> floats{1, 10, 11, 16};
  identity(at);
  if (at.outputs.empty()) return;
  if (!at.outputs[0].elements && at.given(0) && at.node.inputs[0]->source == Source::stored)
    follow_stored_floats(at);
  const auto text = at.node.attributes->text("to"); // until opset 6
  if (!text || text->empty())
    at.outputs[0].real = contains(floats, at.integer("to", 0));
  else
    at.outputs[0].elements.reset();
}

void negation(Inference& at) {
  identity(at);
  if (at.outputs.empty() || at.elements(0) == nullptr) return;
  Shape result;
  for (const Size each : *at.elements(0))
    result.push_back(at.node.type == "Not" ? negated(each) : at.sizes.product(each, Size::of(-1)));
  at.set_elements(0, std::move(result), at.node.inputs[0]->real);
}

void broadcasting(Inference& at) {
  constexpr int first_with_numpy_rules = 7;
  const bool variadic = contains({"Sum", "Max", "Min", "Mean"}, at.node.type);
  if (at.node.opset < first_with_numpy_rules + (variadic ? 1 : 0) && at.node.domain.empty())
    return same_as_first(at);
  if (at.node.inputs.size() == 1) return identity(at);
  set_broadcast(at, at.all_inputs());
  compute_elements(at);
}

void where(Inference& at) {
  set_broadcast(at, at.all_inputs());
  const auto count = common_count(at);
  if (!count || at.node.inputs.size() != 3) return;
  Shape result;
  for (std::size_t i = 0; i < *count; ++i) {
    const Size condition = element(at, 0, i);
    const Size yes = element(at, 1, i);
    const Size no = element(at, 2, i);
    if (condition.known())
      result.push_back(condition.is(0) ? no : yes);
    else
      result.push_back(yes == no ? yes : Size{});
  }
  at.set_elements(0, std::move(result), at.node.inputs[1]->real);
}

/// A slope for each channel, which does not broadcast: some runtimes read it so.
static bool is_by_channel(const Shape& data, const Shape& slope) {
  return slope.size() == 1 && data.size() > 2 && slope.front() == data[1] &&
         slope.front().is_number() && data.back().is_number() && slope.front() != data.back() &&
         !slope.front().is(1) && !data.back().is(1);
}

void parametric_relu(Inference& at) {
  constexpr int first_with_numpy_rules = 7;
  same_as_first(at);
  if (at.node.opset < first_with_numpy_rules) return;
  const Shape *data = at.shape(0), *slope = at.shape(1);
  if (data == nullptr || slope == nullptr || !is_by_channel(*data, *slope)) {
    at.broadcast({0, 1}, Fails::when_run);
    return;
  }
  at.cannot_fit("channels",
                at.name_of(1) + " has a slope for each channel of " + at.name_of(0) +
                    ", and needs axes of size 1 behind",
                {0, 1}, Fails::when_run);
}

void dynamic_quantize(Inference& at) {
  same_as_first(at);
  at.set(1, Shape{});
  at.set(2, Shape{});
}

/// A scale for each block along an axis, and for each index of the others.
static void scales_of_blocks(Inference& at, std::int64_t block) {
  const Shape& data = *at.shape(0);
  const auto axis = axis_in(at.integer("axis", 1), data.size());
  if (!axis || block < 0 || !at.must_have_rank(1, data.size(), Fails::when_run)) return;
  for (std::size_t i = 0; i < data.size(); ++i) {
    Place wanted = at.axis(0, i);
    if (i == *axis)
      wanted = {at.sizes.quotient_rounded_up(data[i], Size::of(block)), 0, i,
                "the number of blocks"};
    at.same(at.axis(1, i), wanted, Fails::when_run);
  }
}

/// One scale for all, or one for each index of an axis; with a block size, as many axes. The zero
/// point is like it.
void quantise(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  const Shape* scale = at.shape(1);
  if (data == nullptr || scale == nullptr) return;
  if (const std::int64_t block = at.integer("block_size", 0); block != 0)
    return scales_of_blocks(at, block);
  const bool one = scale->empty() || (scale->size() == 1 && scale->front().is(1));
  if (one) {
    if (at.given(2)) at.must_be_one_number(2, Fails::when_run);
    return;
  }
  if (scale->size() > 1) return at.must_be_list(1, Fails::when_run);
  const std::int64_t given = at.integer("axis", 1);
  const auto axis = axis_in(given, data->size());
  if (!axis)
    return at.cannot_fit("no-axis",
                         "axis " + std::to_string(given) + " has the scales, and " + at.name_of(0) +
                             " has " + std::to_string(data->size()) + " axes",
                         {0, 1}, Fails::when_run);
  at.same(at.axis(1, 0), at.axis(0, *axis), Fails::when_run);
  at.must_be_list(2, Fails::when_run);
  if (at.has_rank(2, 1)) at.same(at.axis(2, 0), at.axis(1, 0), Fails::when_run);
}

/// Each operand is followed by its scale and zero point.
void quantised_pair(Inference& at) { set_broadcast(at, {0, 3}); }

void quantised_where(Inference& at) { set_broadcast(at, {0, 1, 4}); }

void biased(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  if (data != nullptr && !data->empty() && at.has_rank(1, 1))
    at.same(at.axis(1, 0), at.axis(0, data->size() - 1), Fails::when_run);
}

} // namespace model_validator::shapes::functions
