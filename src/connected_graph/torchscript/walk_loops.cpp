#include "connected_graph/torchscript/constant_evaluation.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>

namespace model_validator::torchscript {
namespace {

/// A loop whose trip count is not known can run twice: that is enough to call a module again.
constexpr std::size_t unknown_trips = 2;

/// Whether a value that the loop carries is the same on every trip.
bool is_invariant(const torch::jit::Block& body, std::size_t carried) {
  return body.outputs()[carried + 1] == body.inputs()[carried + 1];
}

} // namespace

/// From the largest number of trips, the condition to enter, and that to go on.
Walk::Trips Walk::trips_of(const torch::jit::Block& body, const Inputs& inputs) {
  const auto most = as_int(*inputs[0]);
  const auto enters = as_bool(*inputs[1]);
  const auto continues = torch::jit::toIValue(body.outputs()[0]);
  Trips trips;
  trips.never = (most && *most <= 0) || (enters && !*enters);
  trips.counted = most && enters && continues && continues->isBool() && continues->toBool();
  trips.count = trips.counted
                    ? static_cast<std::size_t>(std::clamp<std::int64_t>(*most, 0, most_trips))
                    : unknown_trips;
  return trips;
}

Abstract Walk::loop_counter(const Trips& trips) {
  Abstract counter = unknown(c10::IntType::get());
  counter->query = true;
  if (!collecting_) counter->counter_of_loop = graph_.regions().size(); // the region made next
  counter->progression = Progression{};
  if (trips.counted) counter->progression->count = static_cast<std::int64_t>(trips.count);
  return counter;
}

/// A carried value after the loop, which the op of the loop yields where it holds data.
Abstract Walk::value_after_loop(const std::vector<Abstract>& first_and_last,
                                const c10::TypePtr& type, OpId loop, std::size_t output) {
  Abstract after = any_of(first_and_last, type);
  if (loop == none || operands_of(after).empty()) return after;
  Abstract fresh = unknown(type);
  fresh->query = after->query;
  fresh->sources = {{loop, output}};
  state_.share(fresh, after);
  const StateRecord::Node source = state_.read(after);
  state_.compute(fresh, fresh->node, std::span(&source, 1));
  return fresh;
}

void Walk::walk_loop(const torch::jit::Node& node, Environment& environment) {
  const Inputs inputs = inputs_of(node, environment);
  const auto carried = std::span(inputs).subspan(2);
  const Trips trips = trips_of(*node.blocks()[0], inputs);
  if (trips.never)
    for (std::size_t i = 0; i < carried.size(); ++i) environment[node.outputs()[i]] = carried[i];
  else
    walk_loop_body(node, trips, inputs, environment);
}

void Walk::walk_loop_body(const torch::jit::Node& node, const Trips& trips, const Inputs& inputs,
                          Environment& environment) {
  const torch::jit::Block& body = *node.blocks()[0];
  const auto carried = std::span(inputs).subspan(2);
  environment[body.inputs()[0]] = loop_counter(trips);
  for (std::size_t i = 0; i < carried.size(); ++i) {
    const torch::jit::Value* value = body.inputs()[i + 1];
    environment[value] = is_invariant(body, i)
                             ? carried[i]
                             : any_of({carried[i], unknown(value->type())}, value->type());
  }
  const std::size_t number = collecting_ ? 0 : next_loop_++;
  RegionId region = none;
  const std::size_t opened = state_.open();
  const std::size_t guard =
      state_.begin_guard(state_.read(make_items({inputs[0], inputs[1]})), true);
  walk_region(Region::Kind::loop_body, number, {}, trips.count, guard, body, environment, region);
  if (!trips.counted) state_.close(opened); // it may not run at all

  std::vector<Abstract> values = {inputs[0], inputs[1]};
  values.push_back(value_of(body.outputs()[0], environment));
  state_.add_condition(guard, state_.read(values.back()));
  values.insert(values.end(), carried.begin(), carried.end());
  for (const torch::jit::Value* last : body.outputs().slice(1))
    values.push_back(value_of(last, environment));
  const OpId id = emit_control_flow(node, "loop", values);
  if (id != none) {
    graph_.regions()[region].op = id;
    graph_.op(id).outputs.resize(node.outputs().size());
  }
  const auto last = std::span(values).last(carried.size());
  for (std::size_t i = 0; i < carried.size(); ++i) {
    Abstract& after = environment[node.outputs()[i]];
    after = carried[i];
    if (is_invariant(body, i)) continue;
    const StateRecord::Node source = state_.read(last[i]);
    state_.compute(environment[body.inputs()[i + 1]], 0, std::span(&source, 1));
    after = value_after_loop({carried[i], last[i]}, node.outputs()[i]->type(), id, i);
    state_.decide_by(guard, after);
  }
  if (id != none) note(node, {id, none, {}, {}, {region}}, environment);
}

} // namespace model_validator::torchscript
