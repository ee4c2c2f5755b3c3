#include "connected_graph/shapes/inference.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <numeric>

namespace model_validator::shapes {
namespace {

/// More integers than a shape has are not followed.
constexpr std::size_t max_elements = 64;
/// What one file can say of itself before it is enough.
constexpr std::size_t max_facts = 10'000;

/// Of two sizes that are not equal: what one of them is, where it is no axis, and of two axes which
/// is 1, as some runtimes broadcast where ONNX does not.
std::string reason_of(const Place& a, const Place& b) {
  if (a.words != nullptr) return a.words;
  if (b.words != nullptr) return b.words;
  if (!a.size.is(1) && !b.size.is(1)) return "unequal";
  return "unequal: one at " + std::to_string(a.size.is(1) ? a.input : b.input);
}

} // namespace

std::optional<std::size_t> axis_in(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

std::optional<Shape> Inference::listed(std::size_t input) const {
  if (elements(input) != nullptr) return *elements(input);
  if (!has_rank(input, 1)) return std::nullopt;
  const auto count = shape(input)->front().number();
  if (!count || *count < 0 || *count > static_cast<std::int64_t>(max_elements)) return std::nullopt;
  return Shape(static_cast<std::size_t>(*count));
}

std::optional<std::vector<std::int64_t>> Inference::numbers(std::size_t input) const {
  const Shape* all = elements(input);
  if (all == nullptr) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Size size : *all) {
    if (!size.is_number()) return std::nullopt;
    numbers.push_back(*size.number());
  }
  return numbers;
}

std::optional<Shape> Inference::stated(std::string_view name) const {
  const auto numbers = integers(name);
  if (!numbers) return std::nullopt;
  Shape shape;
  for (const std::int64_t each : *numbers) shape.push_back(Size::of(each));
  return shape;
}

std::vector<std::size_t> Inference::all_inputs() const {
  std::vector<std::size_t> inputs(node.inputs.size());
  std::iota(inputs.begin(), inputs.end(), std::size_t{0});
  return inputs;
}

void Inference::keep_numbers() {
  if (!given(0) || outputs.empty()) return;
  outputs[0].elements = node.inputs[0]->elements;
  outputs[0].below = node.inputs[0]->below;
  outputs[0].real = node.inputs[0]->real;
}

void Inference::set(std::size_t output, Shape shape) { set(output, shared(std::move(shape))); }

void Inference::set(std::size_t output, std::shared_ptr<const Shape> shape) {
  if (output < outputs.size()) outputs[output].shape = std::move(shape);
}

void Inference::set_elements(std::size_t output, Shape elements, bool real) {
  if (output >= outputs.size() || elements.size() > max_elements) return;
  outputs[output].elements = shared(std::move(elements));
  outputs[output].real = real;
}

void Inference::leave_rank_open(std::string kind, std::string sentence) {
  if (facts_.open_ranks.size() < max_facts)
    facts_.open_ranks.push_back({node.number, std::move(kind), std::move(sentence)});
}

void Inference::leave_rank_to_list(std::size_t input) {
  if (!has_rank(input, 1) || shape(input)->front().is_number() ||
      node.inputs[input]->source != Source::input)
    return;
  leave_rank_open("list-open-rank", "`" + std::string(node.type) + "` makes as many axes as " +
                                        name_of(input) +
                                        " has numbers, which only the run decides");
}

std::string Inference::name_of(std::size_t input) const {
  if (given(input) && node.inputs[input]->name != nullptr && !node.inputs[input]->name->empty())
    return "`" + *node.inputs[input]->name + "`";
  return "input " + std::to_string(input);
}

std::string Inference::text(const Shape& shape) const {
  std::string words;
  for (const Size size : shape) words += (words.empty() ? "" : ", ") + sizes.text(size);
  return "[" + words + "]";
}

std::string Inference::said(const Place& place) const {
  const std::string where =
      place.words != nullptr ? std::string(place.words)
                             : "axis " + std::to_string(place.axis) + " of " + name_of(place.input);
  return where + " is " + sizes.text(place.size);
}

std::string Inference::origin_of(std::size_t input) const {
  const Value& value = *node.inputs[input];
  std::string words = name_of(input);
  if (value.shape) words += " has the shape " + text(*value.shape);
  switch (value.source) {
  case Source::stored: return words + " and is stored in the file";
  case Source::input: return words + " and is declared so, as an input";
  case Source::node: return words + " and is computed";
  case Source::unknown: break;
  }
  return words;
}

void Inference::cannot_fit(std::string reason, std::string sentence,
                           const std::vector<std::size_t>& inputs, Fails fails) {
  if (facts_.mismatches.size() >= max_facts) return;
  Mismatch mismatch{.node = node.number,
                    .name = std::string(node.name),
                    .sentence = std::move(sentence),
                    .reason = std::move(reason),
                    .origins = {},
                    .fails = fails,
                    .conditional = node.conditional && !node.by_data,
                    .schema = (node.domain.empty() ? "onnx" : std::string(node.domain)) +
                              "::" + std::string(node.type)};
  for (const std::size_t input : inputs)
    if (given(input) && node.inputs[input]->shape) {
      if (std::string origin = origin_of(input); !contains(mismatch.origins, origin)) {
        mismatch.origins.push_back(std::move(origin));
        mismatch.inputs.push_back(input);
      }
    }
  facts_.mismatches.push_back(std::move(mismatch));
}

bool Inference::must_have_rank(std::size_t input, std::size_t rank, Fails fails) {
  if (shape(input) == nullptr || has_rank(input, rank)) return true;
  cannot_fit(shape(input)->size() < rank ? "fewer-axes" : "more-axes",
             name_of(input) + " has " + std::to_string(shape(input)->size()) + " axes instead of " +
                 std::to_string(rank),
             {input}, fails);
  return false;
}

void Inference::limit(Size size, std::int64_t most) {
  if (facts_.limits.size() < max_facts) facts_.limits.push_back({node.number, size, most});
}

void Inference::must_be_list(std::size_t input, Fails fails) {
  if (shape(input) != nullptr && shape(input)->size() != 1)
    cannot_fit(shape(input)->empty() ? "fewer-axes" : "more-axes",
               name_of(input) + " is no list: it has " + std::to_string(shape(input)->size()) +
                   " axes",
               {input}, fails);
}

void Inference::must_be_one_number(std::size_t input, Fails fails) {
  const Shape* own = shape(input);
  if (own == nullptr) return;
  const bool more =
      own->size() > 1 || (own->size() == 1 && own->front().is_number() && !own->front().is(1));
  if (more) cannot_fit("number", name_of(input) + " is not one number", {input}, fails);
}

std::optional<std::size_t> Inference::own_axis(std::int64_t axis, Fails fails) {
  const auto found = axis_in(axis, shape(0)->size());
  if (!found)
    cannot_fit("no-axis", name_of(0) + " has no axis " + std::to_string(axis), {0}, fails);
  return found;
}

void Inference::demand(const Place& a, const Place& b, Sizes::Solution solution, bool or_one) {
  if (node.conditional || facts_.demands.size() >= max_facts) return;
  facts_.demands.push_back({node.number, std::move(solution), std::string(node.name),
                            said(a) + " and " + said(b), or_one, a.size, b.size});
}

Size Inference::same(const Place& a, const Place& b, Fails fails) {
  if (a.size == b.size || !b.size.known()) return a.size;
  if (!a.size.known()) return b.size;
  using Kind = Sizes::Solution::Kind;
  Sizes::Solution solution = sizes.solve(a.size, b.size);
  switch (solution.kind) {
  case Kind::never:
    cannot_fit(reason_of(a, b), said(a) + ", but " + said(b), {a.input, b.input}, fails);
    return {};
  case Kind::always:
    for (const Size size : {a.size, b.size})
      for (const auto& [limited, most] : sizes.limits_in(size)) limit(limited, most);
    return sizes.without_limits(a.size);
  case Kind::open: break;
  default: demand(a, b, std::move(solution), false);
  }
  return b.size.is_number() ? b.size : a.size;
}

/// Of two sizes that are never equal, one must be 1: few sizes of an axis do that, or none.
Size Inference::broadcast_unequal(const Place& a, const Place& b, Fails fails) {
  using Kind = Sizes::Solution::Kind;
  Sizes::Solution a_is_one = sizes.solve(a.size, Size::of(1));
  Sizes::Solution b_is_one = sizes.solve(b.size, Size::of(1));
  const bool a_may = a_is_one.kind != Kind::never, b_may = b_is_one.kind != Kind::never;
  if (!a_may && !b_may) {
    cannot_fit(reason_of(a, b), said(a) + ", but " + said(b), {a.input, b.input}, fails);
    return {};
  }
  const bool of_a = !b_may && a_is_one.kind == Kind::number;
  const bool of_b = !a_may && b_is_one.kind == Kind::number;
  if (of_a || of_b) demand(a, b, std::move(of_a ? a_is_one : b_is_one), false);
  if (a_is_one.kind == Kind::number && b_is_one.kind == Kind::number)
    demand(a, b, {Kind::few, std::move(a_is_one.symbols), 0}, false);
  return sizes.broadcast(a.size, b.size);
}

Size Inference::broadcast(const Place& a, const Place& b, Fails fails) {
  if (a.size == b.size || b.size.is(1)) return a.size;
  if (a.size.is(1)) return b.size;
  // What is not 1 is what comes of it.
  if (!a.size.known() || !b.size.known()) {
    const Size known = a.size.known() ? a.size : b.size;
    return known.is_number() ? known : Size{};
  }
  using Kind = Sizes::Solution::Kind;
  Sizes::Solution solution = sizes.solve(a.size, b.size);
  if (solution.kind == Kind::always) return same(a, b, fails);
  if (solution.kind == Kind::never) return broadcast_unequal(a, b, fails);
  const auto may_be_one = [&](Size size) {
    return sizes.solve(size, Size::of(1)).kind != Kind::never;
  };
  const bool number = a.size.is_number() || b.size.is_number();
  const bool forced = solution.kind == Kind::number || solution.kind == Kind::few;
  if (number && forced) demand(a, b, std::move(solution), may_be_one(a.size) || may_be_one(b.size));
  return sizes.broadcast(a.size, b.size);
}

std::optional<Shape> Inference::broadcast(const std::vector<std::size_t>& inputs, Fails fails,
                                          std::size_t left_out) {
  Shape result;
  std::vector<Place> made_by;
  for (const std::size_t input : inputs) {
    const Shape* each = shape(input);
    if (each == nullptr || each->size() < left_out) return std::nullopt;
    const std::size_t rank = each->size() - left_out;
    if (rank > result.size()) {
      const std::size_t more = rank - result.size();
      result.insert(result.begin(), more, Size::of(1));
      made_by.insert(made_by.begin(), more, Place{Size::of(1), input, 0, nullptr});
    }
    for (std::size_t i = 0; i < rank; ++i) {
      const std::size_t at = result.size() - rank + i;
      const Place own = axis(input, i);
      Place before = made_by[at];
      before.size = result[at];
      result[at] = broadcast(before, own, fails);
      if (!own.size.is(1)) made_by[at] = own;
    }
  }
  return result;
}

void Inference::broadcast_into(std::size_t from, std::size_t to, Fails fails) {
  const Shape* small = shape(from);
  const Shape* large = shape(to);
  if (small == nullptr || large == nullptr) return;
  if (small->size() > large->size()) {
    cannot_fit("more-axes", name_of(from) + " has more axes than " + name_of(to), {from, to},
               fails);
    return;
  }
  const std::size_t more = large->size() - small->size();
  for (std::size_t i = 0; i < small->size(); ++i)
    if (!small->at(i).is(1)) same(axis(from, i), axis(to, more + i), fails);
}

} // namespace model_validator::shapes
