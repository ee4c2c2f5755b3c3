#include "connected_graph/shapes/functions.h"

namespace model_validator::shapes::functions {
namespace {

/// Inputs that hold a number for each index of an axis of the first.
void one_for_each(Inference& at, const std::vector<std::size_t>& inputs, std::size_t axis,
                  Fails fails) {
  for (const std::size_t input : inputs) {
    if (at.shape(input) == nullptr || !at.must_have_rank(input, 1, fails)) continue;
    at.same(at.axis(input, 0), at.axis(0, axis), fails);
  }
}

} // namespace

void batch_norm(Inference& at) {
  constexpr int first_with_training_mode = 14;
  same_as_first(at);
  const std::size_t results = at.flag("training_mode") ? 3 : 1;
  if (at.node.opset >= first_with_training_mode && at.outputs.size() != results)
    at.cannot_fit(at.outputs.size() < results ? "outputs-fewer" : "outputs-more",
                  "it has " + std::to_string(at.outputs.size()) + " outputs, and must have " +
                      std::to_string(results),
                  {}, Fails::at_load);
  const Shape* data = at.shape(0);
  if (data == nullptr || data->size() < 2) return;
  const bool spatial = at.node.opset >= 9 || at.integer("spatial", 1) != 0;
  if (!spatial) return;
  one_for_each(at, {1, 2, 3, 4}, 1, Fails::at_load);
  for (std::size_t i = 1; i < at.outputs.size(); ++i) at.set(i, Shape{data->at(1)});
}

void instance_norm(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  if (data != nullptr && data->size() > 1) one_for_each(at, {1, 2}, 1, Fails::when_run);
}

/// A number for each channel; until opset 20, for each group.
void group_norm(Inference& at) {
  constexpr int first_by_channel = 21;
  same_as_first(at);
  const Shape* data = at.shape(0);
  if (data == nullptr || data->size() < 2) return;
  const std::int64_t groups_wanted = at.integer("num_groups", 1);
  const auto channels = data->at(1).number();
  if (groups_wanted <= 0 || (channels && *channels % groups_wanted != 0))
    return at.cannot_fit("groups",
                         "the channels of " + at.name_of(0) + " cannot be divided into " +
                             std::to_string(groups_wanted) + " groups",
                         {0}, Fails::when_run);
  if (at.node.opset >= first_by_channel) return one_for_each(at, {1, 2}, 1, Fails::at_load);
  const Size groups = Size::of(groups_wanted);
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}})
    if (at.has_rank(input, 1))
      at.same(at.axis(input, 0), {groups, 0, 0, "attribute `num_groups`"}, Fails::when_run);
}

void layer_norm(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}}) // as far as they have axes
    at.broadcast_into(input, 0, Fails::when_run);
  const auto axis = at.own_axis(at.integer("axis", -1), Fails::at_load);
  if (!axis) return;
  Shape statistics(data->begin(), data->begin() + static_cast<std::ptrdiff_t>(*axis));
  statistics.resize(data->size(), Size::of(1));
  for (std::size_t i = 1; i < at.outputs.size(); ++i) at.set(i, statistics);
}

/// Input and what is added to it, then the scale and what else has a number for each column.
void skip_layer_norm(Inference& at) {
  same_as_first(at);
  const Shape* data = at.shape(0);
  if (data == nullptr || data->empty()) return;
  one_for_each(at, {2, 3, 4}, data->size() - 1, Fails::when_run);
  constexpr std::size_t sum = 3;
  at.set(sum, *data);
}

void embed_layer_norm(Inference& at) {
  const Shape* tokens = at.shape(0);
  const Shape* table = at.shape(2);
  if (tokens == nullptr || table == nullptr || tokens->size() != 2 || table->size() != 2) return;
  at.set(0, Shape{tokens->at(0), tokens->at(1), table->at(1)});
  at.set(1, Shape{tokens->at(0)});
  at.set(2, Shape{tokens->at(0), tokens->at(1), table->at(1)});
}

} // namespace model_validator::shapes::functions
