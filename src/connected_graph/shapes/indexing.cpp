#include "connected_graph/shapes/functions.h"

#include <algorithm>

namespace model_validator::shapes::functions {
namespace {

/// A table ends, and positions with it.
void check_bound(Inference& at, std::size_t axis) {
  const Size below = at.node.inputs[1]->below;
  const auto entries = at.shape(0)->at(axis).number();
  if (!entries || !below.known() || at.node.inputs[0]->source != Source::stored) return;
  if (!below.is_number()) return at.limit(below, *entries);
  if (*below.number() > *entries)
    at.cannot_fit("positions",
                  "positions up to " + at.sizes.text(below) + " are looked up in the " +
                      std::to_string(*entries) + " entries of " + at.name_of(0),
                  {0}, Fails::when_run);
}

/// Along all axes but one, an index is for an element in the same place.
void places_are_there(Inference& at, std::size_t axis) {
  const Shape& data = *at.shape(0);
  const Shape& indices = *at.shape(1);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto wanted = indices[i].number(), there = data[i].number();
    if (i != axis && wanted && there && *wanted > *there)
      return at.cannot_fit("longer", at.said(at.axis(1, i)) + ", and " + at.said(at.axis(0, i)),
                           {0, 1}, Fails::when_run);
  }
}

/// Indices that the file states must be there: in each so many for axes of the data, beginning with
/// one of them.
void check_places(Inference& at, std::size_t first, std::size_t depth) {
  const auto indices = at.numbers(1);
  if (!indices || depth == 0) return;
  for (std::size_t i = 0; i < indices->size(); ++i) {
    const std::size_t axis = first + i % depth;
    const auto size = at.shape(0)->at(axis).number();
    const std::int64_t index = indices->at(i);
    if (size && (index < -*size || index >= *size))
      return at.cannot_fit("index",
                           "index " + std::to_string(index) + " is outside of axis " +
                               std::to_string(axis) + " of " + at.name_of(0) + ", which is " +
                               std::to_string(*size),
                           {0}, Fails::when_run);
  }
}

void gather_listed(Inference& at) {
  const Shape* all = at.elements(0);
  const auto indices = at.numbers(1);
  if (all == nullptr || !indices || !at.has_rank(0, 1)) return;
  const auto count = static_cast<std::int64_t>(all->size());
  Shape result;
  for (const std::int64_t index : *indices) {
    if (index < -count || index >= count) return;
    result.push_back(all->at(static_cast<std::size_t>(index < 0 ? index + count : index)));
  }
  at.set_elements(0, std::move(result), at.node.inputs[0]->real);
}

} // namespace

void gather(Inference& at) {
  const Shape* data = at.shape(0);
  const Shape* indices = at.shape(1);
  if (data == nullptr || indices == nullptr) return;
  const auto axis = at.own_axis(at.integer("axis", at.integer("gather_axis", 0)), Fails::at_load);
  if (!axis) return;
  const auto place = static_cast<std::ptrdiff_t>(*axis);
  Shape result(data->begin(), data->begin() + place);
  result.insert(result.end(), indices->begin(), indices->end());
  result.insert(result.end(), data->begin() + place + 1, data->end());
  // Of packed numbers, more come out than go in.
  const bool packed = at.node.type == "GatherBlockQuantized";
  if (packed && !result.empty()) result.back() = {};
  at.set(0, std::move(result));
  if (packed) return;
  check_places(at, *axis, 1);
  check_bound(at, *axis);
  gather_listed(at);
}

void gather_elements(Inference& at) {
  const Shape* data = at.shape(0);
  const Shape* indices = at.shape(1);
  if (indices != nullptr) at.set(0, *indices);
  if (indices == nullptr || data == nullptr) return;
  const bool of_one_rank = at.must_have_rank(1, data->size(), Fails::when_run);
  const auto axis = at.own_axis(at.integer("axis", 0), Fails::when_run);
  if (!of_one_rank || !axis) return;
  places_are_there(at, *axis);
  check_places(at, *axis, 1);
}

/// Indices and updates have a number for each of the same places.
void scatter_elements(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  const auto axis = at.own_axis(at.integer("axis", 0), Fails::when_run);
  if (at.shape(1) == nullptr || !at.must_have_rank(1, data->size(), Fails::when_run)) return;
  if (at.shape(2) == nullptr || !at.must_have_rank(2, data->size(), Fails::when_run)) return;
  for (std::size_t i = 0; i < data->size(); ++i)
    at.same(at.axis(2, i), at.axis(1, i), Fails::when_run);
  if (!axis) return;
  places_are_there(at, *axis);
  check_places(at, *axis, 1);
}

void gather_nd(Inference& at) {
  const Shape* data = at.shape(0);
  const Shape* indices = at.shape(1);
  if (data == nullptr || indices == nullptr || indices->empty()) return;
  const auto depth = indices->back().number();
  constexpr std::int64_t max_rank = 64;
  const std::int64_t batch_axes = at.integer("batch_dims", 0);
  if (batch_axes < 0)
    return at.cannot_fit("batch_dims", "`batch_dims` is " + std::to_string(batch_axes), {0},
                         Fails::at_load);
  if (!depth || *depth < 0 || *depth > max_rank || batch_axes > max_rank) return;
  const std::int64_t used = batch_axes + *depth;
  if (used > static_cast<std::int64_t>(data->size()))
    return at.cannot_fit("depth",
                         "the last axis of " + at.name_of(1) + " is for more axes than " +
                             at.name_of(0) + " has",
                         {0, 1}, Fails::at_load);
  Shape result(indices->begin(), indices->end() - 1);
  result.insert(result.end(), data->begin() + used, data->end());
  at.set(0, std::move(result));
  check_places(at, static_cast<std::size_t>(batch_axes), static_cast<std::size_t>(*depth));
}

/// Updates are for what the last axis of the indices leaves of the data.
void scatter_nd(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  const Shape* indices = at.shape(1);
  const Shape* updates = at.shape(2);
  if (data == nullptr || indices == nullptr || indices->empty() || updates == nullptr) return;
  const auto depth = indices->back().number();
  if (!depth || *depth < 0 || *depth > static_cast<std::int64_t>(data->size())) return;
  const auto used = static_cast<std::size_t>(*depth);
  const std::size_t before = indices->size() - 1;
  if (!at.must_have_rank(2, before + data->size() - used, Fails::when_run)) return;
  for (std::size_t i = 0; i < updates->size(); ++i)
    at.same(at.axis(2, i), i < before ? at.axis(1, i) : at.axis(0, i - before + used),
            Fails::when_run);
  check_places(at, 0, used);
}

void compress(Inference& at) {
  const auto stated = at.node.attributes->integer("axis");
  const Shape* data = at.shape(0);
  if (!stated) return at.set(0, Shape{Size{}});
  const auto axis = data == nullptr ? std::nullopt : at.own_axis(*stated, Fails::at_load);
  if (!axis) return;
  Shape result = *data;
  result[*axis] = {};
  at.set(0, std::move(result));
}

void top_k(Inference& at) {
  constexpr int first_with_input = 10;
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  const auto axis = at.own_axis(at.integer("axis", -1), Fails::at_load);
  if (!axis) return;
  if (at.node.opset >= first_with_input) {
    at.must_be_list(1, Fails::at_load);
    at.must_be_one_number(1, Fails::at_load);
  }
  const Size count =
      at.node.opset < first_with_input ? Size::of(at.integer("k", 0)) : at.element(1);
  const auto wanted = count.number(), there = data->at(*axis).number();
  if (wanted && there && *wanted > *there)
    return at.cannot_fit("largest",
                         "the " + std::to_string(*wanted) + " largest of " +
                             std::to_string(*there) + " are wanted",
                         {0}, at.noticed(1));
  Shape result = *data;
  result[*axis] = count;
  at.set(1, result);
  at.set(0, std::move(result));
}

/// A length for each sequence of a batch.
void reverse_sequence(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  if (data == nullptr || !at.has_rank(1, 1)) return;
  if (const auto batch = axis_in(at.integer("batch_axis", 1), data->size()))
    at.same(at.axis(1, 0), at.axis(0, *batch), Fails::when_run);
}

/// How many there are, only the values tell.
void unique(Inference& at) {
  compress(at);
  for (std::size_t i = 1; i < at.outputs.size(); ++i) at.set(i, Shape{Size{}});
}

} // namespace model_validator::shapes::functions
