#include "connected_graph/shapes/functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

// Operators that join tensors, cut them, or change their sizes.

namespace model_validator::shapes::functions {
namespace {

/// The elements of lists, one after the other, those of a list of unknown ones being unknown.
void join_elements(Inference& at, const std::vector<std::size_t>& inputs) {
  Shape joined;
  bool known = false;
  for (const std::size_t input : inputs) {
    if (!at.has_rank(input, 1)) return;
    const auto count = at.shape(input)->front().number();
    if (!count || *count > 64) return;
    const Shape* own = at.elements(input);
    known = known || own != nullptr;
    if (own != nullptr)
      joined.insert(joined.end(), own->begin(), own->end());
    else
      joined.resize(joined.size() + static_cast<std::size_t>(*count));
  }
  if (known) at.set_elements(0, std::move(joined), at.node.inputs[inputs[0]]->real);
}

void join(Inference& at, const std::vector<std::size_t>& inputs, std::int64_t stated_axis) {
  const auto first = std::find_if(inputs.begin(), inputs.end(),
                                  [&](std::size_t input) { return at.shape(input) != nullptr; });
  if (first == inputs.end()) return;
  const std::size_t rank = at.shape(*first)->size();
  const auto axis = axis_in(stated_axis, rank);
  if (!axis)
    return at.cannot_fit("no-axis",
                         at.name_of(*first) + " has no axis " + std::to_string(stated_axis),
                         {*first}, Fails::at_load);
  std::vector<Place> places;
  for (std::size_t i = 0; i < rank; ++i) places.push_back(at.axis(*first, i));
  Size total = Size::of(0);
  for (const std::size_t input : inputs) {
    if (at.shape(input) == nullptr) {
      total = {};
      continue;
    }
    if (!at.must_have_rank(input, rank, Fails::at_load)) return;
    total = at.sizes.sum(total, at.shape(input)->at(*axis));
    for (std::size_t i = 0; i < rank; ++i)
      if (i != *axis) places[i].size = at.same(places[i], at.axis(input, i), Fails::at_load);
  }
  places[*axis].size = total;
  Shape result;
  for (const Place& place : places) result.push_back(place.size);
  at.set(0, std::move(result));
  join_elements(at, inputs);
}

/// How a slice cuts one axis; nothing where that depends on what is not known.
struct Cut {
  Size start, end;
  std::int64_t step = 1;
};

/// Where a slice of an axis of known size begins, and how many elements it takes.
struct Taken {
  std::int64_t first = 0, count = 0;
};

Taken taken(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  if (size <= 0 || step == 0) return {};
  const bool back = step < 0;
  const auto inside = [&](std::int64_t place, std::int64_t least) {
    return std::clamp<std::int64_t>(place < 0 ? place + size : place, least,
                                    back ? size - 1 : size);
  };
  const std::int64_t first = inside(start, 0);
  const std::int64_t distance = back ? first - inside(end, -1) : inside(end, 0) - first;
  if (distance <= 0) return {first, 0};
  const std::int64_t by = std::min(back ? -std::max(step, -size) : step, size);
  return {first, (distance + by - 1) / by};
}

/// Where a slice begins or ends, counted from the beginning and inside of the axis.
Size place_in(Sizes& sizes, Size place, Size axis) {
  if (place.is_number()) {
    const std::int64_t number = *place.number();
    constexpr std::int64_t far = std::numeric_limits<std::int32_t>::max();
    if (number >= far) return axis;
    if (number <= -far) return Size::of(0);
    if (number < 0) return sizes.sum(axis, place);
    return number == 0 ? place : sizes.minimum(place, axis);
  }
  return sizes.not_negative(place) ? sizes.minimum(place, axis) : Size{};
}

/// Where a slice begins that is wanted of the last elements: of all, where there are fewer.
Size start_in(Sizes& sizes, Size place, Size axis) {
  const Size start = place_in(sizes, place, axis);
  const bool may_be_outside =
      place.is_number() && *place.number() < -1 && !start.is(0) && !sizes.not_negative(start);
  if (!may_be_outside) return start;
  return sizes.difference(axis, sizes.minimum(axis, sizes.product(place, Size::of(-1))));
}

/// Whether it goes from the last element back to the first.
bool goes_all_the_way_back(const Cut& cut) {
  constexpr std::int64_t far = 1'000'000'000;
  const auto first = cut.start.number(), last = cut.end.number();
  return first && last && (*first == -1 || *first > far) && *last < -far;
}

Size length(Sizes& sizes, const Cut& cut, Size axis) {
  if (!axis.known()) return {};
  const auto first = cut.start.number(), last = cut.end.number(), size = axis.number();
  if (first && last && size) return Size::of(taken(*first, *last, cut.step, *size).count);
  if (cut.step < 0) {
    const Size step = sizes.product(Size::of(cut.step), Size::of(-1));
    return goes_all_the_way_back(cut) ? sizes.quotient_rounded_up(axis, step) : Size{};
  }
  Size start = start_in(sizes, cut.start, axis);
  const Size end = place_in(sizes, cut.end, axis);
  // A start beyond the end of an axis of open size leaves nothing; otherwise it is inside.
  if (first && *first > 0 && !size && end == axis) start = cut.start;
  const Size distance = sizes.difference(end, start);
  if (distance.is_number() && *distance.number() < 0) return Size::of(0);
  return cut.step == 1 ? distance : sizes.quotient_rounded_up(distance, Size::of(cut.step));
}

std::optional<Shape> listed_numbers(const Inference& at, const char* attribute, std::size_t input) {
  const bool as_input = at.node.opset >= 10 || !at.node.domain.empty();
  return as_input ? at.listed(input) : at.stated(attribute);
}

struct Slices {
  Shape starts, ends;
  std::vector<std::int64_t> axes, steps;
};

std::vector<std::int64_t> all_axes(std::size_t rank) {
  std::vector<std::int64_t> axes;
  for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  return axes;
}

/// Along which axes a slice cuts: the first ones where none are given.
std::optional<std::vector<std::int64_t>> axes_of_slice(Inference& at, bool as_inputs,
                                                       std::size_t count) {
  if (as_inputs && at.given(3)) return at.numbers(3);
  const auto stated = as_inputs ? std::nullopt : at.integers("axes");
  return stated ? *stated : all_axes(count);
}

std::optional<std::vector<std::int64_t>> steps_of_slice(Inference& at, bool as_inputs,
                                                        std::size_t count) {
  if (as_inputs && at.given(4)) return at.numbers(4);
  return std::vector<std::int64_t>(count, 1);
}

/// What a slice cuts; nothing where its axes or steps are not known.
std::optional<Slices> read_slices(Inference& at) {
  const auto starts = listed_numbers(at, "starts", 1);
  const auto ends = listed_numbers(at, "ends", 2);
  if (!starts || !ends) return std::nullopt;
  const std::size_t count = starts->size();
  const bool as_inputs = at.node.opset >= 10;
  auto axes = axes_of_slice(at, as_inputs, count);
  auto steps = steps_of_slice(at, as_inputs, count);
  if (!axes || !steps) return std::nullopt;
  Slices slices{*starts, *ends, *std::move(axes), *std::move(steps)};
  if (ends->size() == count && slices.axes.size() == count && slices.steps.size() == count)
    return slices;
  at.cannot_fit("counts", "starts, ends, axes and steps are not equally many", {1, 2, 3, 4},
                at.noticed(1));
  return std::nullopt;
}

/// How many places there are in axes, if their sizes are numbers.
std::optional<std::int64_t> places_of(Shape::const_iterator begin, Shape::const_iterator end) {
  std::int64_t count = 1;
  for (auto size = begin; size != end; ++size) {
    if (!size->is_number() || *size->number() < 0 || *size->number() > 64) return std::nullopt;
    count = std::min<std::int64_t>(count * *size->number(), 1'000);
  }
  return count;
}

/// Numbers that are cut along one axis.
void slice_elements(Inference& at, const Slices& slices) {
  const Shape* all = at.elements(0);
  const Shape& shape = *at.shape(0);
  if (all == nullptr || slices.starts.size() != 1) return;
  const auto start = slices.starts[0].number(), end = slices.ends[0].number();
  const auto axis = axis_in(slices.axes[0], shape.size());
  if (!axis || !start || !end) return;
  const auto place = shape.begin() + static_cast<std::ptrdiff_t>(*axis);
  const auto outer = places_of(shape.begin(), place), size = places_of(place, place + 1);
  const auto inner = places_of(place + 1, shape.end());
  if (!outer || !size || !inner ||
      *outer * *size * *inner != static_cast<std::int64_t>(all->size()))
    return;
  const Taken part = taken(*start, *end, slices.steps[0], *size);
  Shape result;
  for (std::int64_t row = 0; row < *outer; ++row)
    for (std::int64_t i = 0; i < part.count; ++i) {
      const std::int64_t from = (row * *size + part.first + i * slices.steps[0]) * *inner;
      const auto first = all->begin() + static_cast<std::ptrdiff_t>(from);
      result.insert(result.end(), first, first + static_cast<std::ptrdiff_t>(*inner));
    }
  at.set_elements(0, std::move(result), at.node.inputs[0]->real);
}

/// A size times a factor that is no whole number.
Size scaled(Sizes& sizes, Size size, double factor) {
  const double inverse = factor > 0 ? 1 / factor : 0;
  if (factor >= 1 && factor == std::floor(factor) && factor < 1e6)
    return sizes.product(size, Size::of(static_cast<std::int64_t>(factor)));
  if (factor > 0 && inverse == std::floor(inverse) && inverse < 1e6)
    return sizes.quotient(size, Size::of(static_cast<std::int64_t>(inverse)));
  const auto number = size.number();
  if (!number || factor <= 0) return {};
  const float exact = static_cast<float>(*number) * static_cast<float>(factor);
  return Size::of(static_cast<std::int64_t>(std::floor(exact)));
}

/// A count that is not what it should be, as profiles call it: `size-count: more`.
std::string counted(const char* what, std::size_t given, std::size_t wanted) {
  return std::string(what) + (given < wanted ? ": fewer" : ": more");
}

void scale_axes(Inference& at, const std::optional<std::vector<double>>& factors,
                const std::vector<std::int64_t>& axes) {
  const Shape& data = *at.shape(0);
  Shape result(data.size());
  if (factors && std::ranges::any_of(*factors, [](double factor) { return factor <= 0; }))
    return at.cannot_fit("scale", "a scale is not greater than 0", {0}, Fails::when_run);
  if (factors && factors->size() == axes.size()) {
    result = data;
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (const auto axis = axis_in(axes[i], data.size()))
        result[*axis] = scaled(at.sizes, data[*axis], (*factors)[i]);
  } else if (factors && !factors->empty()) {
    at.cannot_fit(counted("scale-count", factors->size(), axes.size()),
                  "there are " + std::to_string(factors->size()) + " scales for " +
                      std::to_string(axes.size()) + " axes",
                  {0}, Fails::when_run);
  }
  at.set(0, std::move(result));
}

/// The parts of an axis that is split, where no list says them.
void split_evenly(Inference& at, Size size, std::vector<Size>& parts) {
  constexpr int first_uneven = 18;
  const auto made = static_cast<std::int64_t>(parts.size());
  const std::int64_t wanted = at.integer("num_outputs", made);
  if (wanted != made)
    return at.cannot_fit("num_outputs",
                         "`num_outputs` is " + std::to_string(wanted) + " for " +
                             std::to_string(made) + " outputs",
                         {0}, wanted < made ? Fails::at_load : Fails::when_run);
  const Size count = Size::of(made);
  if (at.node.opset < first_uneven) {
    if (size.is_number() && *size.number() % *count.number() != 0)
      at.cannot_fit("equal-parts",
                    at.name_of(0) + " cannot be split into " + std::to_string(parts.size()) +
                        " equal parts: its axis is " + at.sizes.text(size),
                    {0}, Fails::at_load);
    std::fill(parts.begin(), parts.end(), at.sizes.quotient(size, count));
    return;
  }
  const Size part = at.sizes.quotient_rounded_up(size, count);
  const Size before = at.sizes.product(part, at.sizes.difference(count, Size::of(1)));
  std::fill(parts.begin(), parts.end(), part);
  parts.back() = at.sizes.difference(size, before);
  if (parts.back().is_number() && *parts.back().number() < 0)
    at.cannot_fit("parts",
                  "an axis of " + at.sizes.text(size) + " cannot be split into " +
                      std::to_string(parts.size()) + " parts of " + at.sizes.text(part),
                  {0}, Fails::when_run);
}

/// The sizes of axes that are scaled by one factor, so that they are within what is wanted, or it
/// within them.
Shape with_aspect_kept(const Shape& data, const std::vector<std::int64_t>& axes,
                       const std::optional<std::vector<std::int64_t>>& wanted,
                       std::string_view policy) {
  Shape unknown(axes.size());
  std::vector<float> given;
  std::optional<float> factor;
  for (std::size_t i = 0; wanted && i < axes.size(); ++i) {
    const auto axis = axis_in(axes[i], data.size());
    const auto size = axis ? data[*axis].number() : std::nullopt;
    if (!size || *size <= 0) return unknown;
    given.push_back(static_cast<float>(*size));
    const float own = static_cast<float>((*wanted)[i]) / given.back();
    const bool smaller = policy == "not_larger";
    if (!factor || (smaller ? own < *factor : own > *factor)) factor = own;
  }
  if (!factor) return unknown;
  Shape result;
  for (const float size : given)
    result.push_back(Size::of(static_cast<std::int64_t>(std::round(*factor * size))));
  return result;
}

/// A region that is cut out begins and ends on every axis.
bool region_fits(Inference& at, std::size_t axes) {
  const auto region = at.listed(1);
  if (!region || region->size() == 2 * axes) return true;
  at.cannot_fit("region-count",
                "there are " + std::to_string(region->size()) + " ends of the region for " +
                    std::to_string(axes) + " axes",
                {0, 1}, Fails::when_run);
  return false;
}

/// Whether a node that changes sizes says to which, or by what.
bool says_sizes(Inference& at) {
  if (at.given(2) || at.given(3)) return true;
  at.cannot_fit("sizes-missing", "it is given neither scales nor sizes", {2, 3}, Fails::at_load);
  return false;
}

/// The parts that a list says.
std::optional<Shape> stated_parts(const Inference& at) {
  return at.given(1) ? at.listed(1) : at.stated("split");
}

/// Factors that the file states, or whole ones that nodes make: float16 copies cast theirs.
std::optional<std::vector<double>> factors_of(const Inference& at, std::size_t input) {
  if (auto stored = at.node.attributes->stored_numbers(input)) return stored;
  const auto followed = at.numbers(input);
  if (!followed) return std::nullopt;
  return std::vector<double>(followed->begin(), followed->end());
}

} // namespace

void concat(Inference& at) { join(at, at.all_inputs(), at.integer("axis", 1)); }

/// Scale and zero point of the result come first, and after each operand its own.
void quantised_concat(Inference& at) {
  std::vector<std::size_t> inputs;
  for (std::size_t i = 2; i < at.node.inputs.size(); i += 3) inputs.push_back(i);
  join(at, inputs, at.integer("axis", 1));
}

/// How large each part is, as it is stated or else of even size.
std::vector<Size> sizes_of_parts(Inference& at, std::size_t axis) {
  std::vector<Size> parts(at.outputs.size());
  const auto stated = stated_parts(at);
  const Fails fails = at.given(1) ? at.noticed(1) : Fails::at_load;
  if (!stated) {
    if (!at.given(1)) split_evenly(at, at.shape(0)->at(axis), parts);
  } else if (stated->size() == parts.size()) {
    parts = *stated;
    Size total = Size::of(0);
    for (const Size part : parts) total = at.sizes.sum(total, part);
    at.same(at.axis(0, axis), {total, 1, 0, "the sum of the parts"}, fails);
  } else {
    at.cannot_fit("part-count",
                  "there are " + std::to_string(stated->size()) + " parts for " +
                      std::to_string(parts.size()) + " outputs",
                  {0, 1}, fails);
  }
  return parts;
}

void split_elements(Inference& at, const std::vector<Size>& parts) {
  const Shape* elements = at.elements(0);
  if (elements == nullptr) return;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto count = parts[i].number();
    if (!count || *count < 0 || begin + static_cast<std::size_t>(*count) > elements->size()) return;
    const auto first = elements->begin() + static_cast<std::ptrdiff_t>(begin);
    at.set_elements(i, Shape(first, first + *count), at.node.inputs[0]->real);
    begin += static_cast<std::size_t>(*count);
  }
}

void split(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr || at.outputs.empty()) return;
  const auto axis = at.own_axis(at.integer("axis", 0), Fails::at_load);
  if (!axis) return;
  if (at.given(1)) at.must_be_list(1, Fails::when_run);
  const std::vector<Size> parts = sizes_of_parts(at, *axis);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Shape part = *data;
    part[*axis] = parts[i];
    at.set(i, std::move(part));
  }
  if (data->size() == 1) split_elements(at, parts);
}

void slice(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  for (std::size_t input = 1; input < at.node.inputs.size(); ++input)
    at.must_be_list(input, Fails::when_run);
  const auto slices = read_slices(at);
  if (!slices) {
    at.set(0, Shape(data->size()));
    return;
  }
  Shape result = *data;
  std::vector<bool> cut(data->size(), false);
  for (std::size_t i = 0; i < slices->axes.size(); ++i) {
    const auto axis = at.own_axis(slices->axes[i], Fails::at_load);
    if (!axis) return;
    if (cut[*axis])
      return at.cannot_fit("cut-twice", "axis " + std::to_string(*axis) + " is cut twice", {3},
                           at.noticed(3));
    if (slices->steps[i] == 0) return at.cannot_fit("step", "a step is 0", {4}, at.noticed(3));
    cut[*axis] = true;
    result[*axis] =
        length(at.sizes, {slices->starts[i], slices->ends[i], slices->steps[i]}, data->at(*axis));
  }
  at.set(0, std::move(result));
  slice_elements(at, *slices);
}

/// Whether an axis has what is cut off it, and enough elements to be mirrored.
static bool padding_fits(Inference& at, std::size_t axis, Size before, Size after) {
  const auto size = at.shape(0)->at(axis).number();
  if (!size || !before.is_number() || !after.is_number()) return true;
  const std::int64_t left = *size + *before.number() + *after.number();
  const bool mirrored = at.node.attributes->text("mode") == "reflect";
  const std::int64_t most = std::max(*before.number(), *after.number());
  if (left >= 0 && !(mirrored && most >= *size && most > 0)) return true;
  const std::string said = "axis " + std::to_string(axis) + " of " + at.name_of(0) + " is " +
                           std::to_string(*size) + ", of which ";
  at.cannot_fit(left < 0 ? "padding" : "mirrored",
                said + (left < 0 ? "more is cut off"
                                 : std::to_string(most) + " elements beside the edge are mirrored"),
                {0, 1}, Fails::when_run);
  return false;
}

void pad(Inference& at) {
  constexpr int first_with_inputs = 11;
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  const auto pads = at.node.opset >= first_with_inputs
                        ? at.listed(1)
                        : at.stated(at.node.opset < 2 ? "paddings" : "pads");
  const auto axes = at.given(3) ? at.numbers(3) : std::optional(all_axes(data->size()));
  if (!pads || !axes) {
    at.set(0, Shape(data->size()));
    return;
  }
  if (pads->size() != 2 * axes->size())
    return at.cannot_fit("pad-count",
                         "there are " + std::to_string(pads->size()) + " paddings for " +
                             std::to_string(axes->size()) + " axes",
                         {0, 1}, at.noticed(1));
  if (at.node.opset >= first_with_inputs) at.must_be_list(1, Fails::at_load);
  Shape result = *data;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = axis_in((*axes)[i], data->size());
    if (!axis) continue;
    const Size before = pads->at(i), after = pads->at(i + axes->size());
    if (!padding_fits(at, *axis, before, after)) return;
    result[*axis] = at.sizes.sum(at.sizes.sum(data->at(*axis), before), after);
  }
  at.set(0, std::move(result));
}

/// The result has these sizes, or the nearest to them that keep the aspect ratio.
static void give_wanted_sizes(Inference& at, const Shape& data,
                              const std::vector<std::int64_t>& axes,
                              const std::optional<Shape>& wanted) {
  const std::string policy =
      at.node.attributes->text("keep_aspect_ratio_policy").value_or("stretch");
  const Shape found = policy == "stretch" ? wanted.value_or(Shape(axes.size()))
                                          : with_aspect_kept(data, axes, at.numbers(3), policy);
  Shape result = data;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (const auto axis = axis_in(axes[i], data.size())) result[*axis] = found[i];
  at.set(0, std::move(result));
}

void resize(Inference& at) {
  constexpr int first_with_sizes = 11, first_with_axes = 18;
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  const auto axes = at.integers("axes").value_or(all_axes(data->size()));
  if (at.node.opset < first_with_sizes) return scale_axes(at, factors_of(at, 1), axes);
  const bool crops =
      at.node.attributes->text("coordinate_transformation_mode") == "tf_crop_and_resize";
  if (crops && !region_fits(at, axes.size())) return;
  if (crops && !at.given(3)) return at.set(0, Shape(data->size()));
  if (!says_sizes(at)) return;
  if (!at.given(3)) return scale_axes(at, factors_of(at, 2), axes);
  const auto wanted = at.listed(3);
  if (wanted && wanted->size() != axes.size())
    return at.cannot_fit(counted("size-count", wanted->size(), axes.size()),
                         "there are " + std::to_string(wanted->size()) + " sizes for " +
                             std::to_string(axes.size()) + " axes",
                         {0, 3},
                         at.node.opset >= first_with_axes ? at.noticed(3) : Fails::when_run);
  give_wanted_sizes(at, *data, axes, wanted);
}

void upsample(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  const auto factors = at.given(1) ? factors_of(at, 1) : at.node.attributes->reals("scales");
  scale_axes(at, factors, all_axes(data->size()));
}

/// Each of some axes gets a size that is wanted of it.
void center_crop_pad(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  Shape result = *data;
  const auto wanted = at.listed(1);
  const auto axes = at.integers("axes");
  for (std::size_t i = 0; i < (axes ? axes->size() : data->size()); ++i) {
    const auto axis = at.own_axis(axes ? (*axes)[i] : static_cast<std::int64_t>(i), Fails::at_load);
    if (!axis) return;
    result[*axis] = wanted && i < wanted->size() ? (*wanted)[i] : Size{};
  }
  at.set(0, std::move(result));
}

} // namespace model_validator::shapes::functions
