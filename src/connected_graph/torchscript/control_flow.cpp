#include "connected_graph/torchscript/control_flow.h"

#include "connected_graph/torchscript/code/items.h"
#include "connected_graph/torchscript/code/static_types.h"
#include "connected_graph/torchscript/ir/nested_nodes.h"
#include "connected_graph/torchscript/ir/operator_effects.h"

#include <torch/csrc/jit/ir/constants.h>

#include <algorithm>
#include <limits>

namespace model_validator::torchscript {
namespace {

constexpr std::size_t max_trips = 1U << 20; ///< larger counts are capped
/// A loop with an unknown trip count can run twice: that is enough to call a module again.
constexpr std::size_t unknown_trips = 2;
constexpr std::int64_t max_followed_trips = 64; ///< what is computed from the counter is known

/// Whether a value that the loop carries is the same on every trip.
bool is_invariant(const Block& body, std::size_t carried) {
  return body.outputs()[carried + 1] == body.inputs()[carried + 1];
}

/// Used while a loop body is walked, once for all iterations: the lists and dicts that it writes
/// into by name may differ in each iteration, so nothing is known about them.
class ChangedInLoop {
public:
  ChangedInLoop(const Block& body, const Environment& environment) {
    for_each_node(body, [&](const Node& node) {
      for (std::size_t i = 0; i < node.inputs().size(); ++i)
        if (writes(node, i))
          if (const auto changed = environment.find(node.input(i)); changed != environment.end())
            begin(changed->second);
    });
  }
  ~ChangedInLoop() {
    for (const Abstract& value : changed_) value->items()->mutated_in_loop = false;
  }
  ChangedInLoop(const ChangedInLoop&) = delete;
  ChangedInLoop& operator=(const ChangedInLoop&) = delete;

private:
  void begin(const Abstract& value) {
    if (!value) return;
    invalidate_aliases(value);
    if (!value->items() || value->items()->mutated_in_loop) return;
    value->items()->exact = false;
    value->items()->mutated_in_loop = true;
    changed_.push_back(value);
  }

  std::vector<Abstract> changed_;
};

} // namespace

/// A part of the code and where it runs.
struct ControlFlow::Part {
  const Block& block;
  Region::Kind kind;
  std::size_t number; ///< of the `if` or loop
  std::size_t guard;
  PathCondition path;    ///< what must have been decided
  std::size_t times = 1; ///< how often it runs each time
};

/// A walked branch of an `if`.
struct ControlFlow::Arm {
  RegionId region = none;
  bool falls_through = true;
  Inputs values; ///< its results
};

struct ControlFlow::Trips {
  bool never = false;
  bool counted = false;  ///< the file determines the count
  std::size_t count = 0; ///< otherwise, enough to call a module again
};

ControlFlow::ControlFlow(WalkContext& context, Values& values, Decisions& decisions,
                         OpWriter& writer, NodeNotes& notes, WalkBlock walk_block)
    : context_(context), scope_(context.scope), state_(context.state), values_(values),
      decisions_(decisions), writer_(writer), notes_(notes), walk_block_(std::move(walk_block)) {}

bool ControlFlow::walk_part(const Part& part, Environment& environment, RegionId& region) {
  const bool loop = part.kind == Region::Kind::loop_body;
  region = scope_.collecting
               ? scope_.region
               : context_.graph.add_region({part.kind, part.number, scope_.region, none});
  PathCondition path = scope_.path;
  append(path, part.path);
  const Within in_region(scope_.region, region);
  const Within under(scope_.path, std::move(path));
  const Within repeated(scope_.times, std::min(scope_.times * part.times, max_trips));
  const Within in_loops(scope_.open_loops, scope_.open_loops + (loop ? 1 : 0));
  if (loop && !scope_.collecting) scope_.trips[region] = part.times;
  state_.enter_arm(part.guard);
  const bool falls_through = walk_block_(part.block, environment);
  state_.leave_arm();
  if (loop && !scope_.collecting) scope_.trips.erase(region);
  return falls_through;
}

/// The op where the values of branches or iterations join; `none` inside a leaf.
OpId ControlFlow::emit(const Node& node, const std::string& type,
                       const std::vector<Abstract>& values) {
  const std::string schema = node.kind().toQualString();
  if (scope_.collecting) {
    scope_.collecting->push_back({schema, {}, {}, {}});
    return none;
  }
  Op op;
  op.kind = OpKind::control_flow;
  op.type = type;
  op.schema = schema;
  op.name = writer_.unique_name(op.type);
  op.frame = context_.frame_of(node);
  // What decides comes first: the condition; for a loop, the trip count and both conditions.
  const std::size_t deciding = type == "loop" ? 3 : 1;
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const Operand& operand : operands_of(values[i])) operands.push_back(operand);
    if (i + 1 == deciding)
      op.attributes = {{"condition_operands", static_cast<std::int64_t>(operands.size())}};
  }
  return writer_.emit(std::move(op), operands);
}

// `if`

bool ControlFlow::walk_if(const Node& node, Environment& environment) {
  const Abstract condition = values_.of(node.input(), environment);
  Decision decision = decisions_.decide(condition);
  if (!decision.known) {
    decision.guard = state_.begin_guard(state_.read(condition), false);
    return walk_undecided(node, decision, condition, environment);
  }
  const Block& arm = *node.blocks()[*decision.known ? 0 : 1];
  const bool falls_through = walk_block_(arm, environment);
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    environment[node.outputs()[i]] = values_.of(arm.outputs()[i], environment);
  return falls_through;
}

bool ControlFlow::walk_undecided(const Node& node, const Decision& decision,
                                 const Abstract& condition, Environment& environment) {
  const std::size_t number = scope_.collecting ? 0 : next_if_++;
  const std::size_t opened = state_.replaced().open();
  const auto walk_arm = [&](std::size_t which, Region::Kind kind, const PathCondition& path) {
    // The condition may hold in only one iteration of a loop.
    const bool once = condition->negated == (which == 1);
    const Within times(scope_.times,
                       once ? scope_.times_once_in(condition->once_in_loop) : scope_.times);
    Arm arm;
    arm.falls_through = walk_part({*node.blocks()[which], kind, number, decision.guard, path},
                                  environment, arm.region);
    return arm;
  };
  Arm then_arm = walk_arm(0, Region::Kind::then_arm, decision.then_path);
  const auto set_in_then = state_.replaced().close(opened);
  Arm else_arm = walk_arm(1, Region::Kind::else_arm, decision.else_path);
  const auto set_in_else = state_.replaced().close(opened);
  state_.replaced().add_common(then_arm.falls_through ? set_in_then : set_in_else,
                               else_arm.falls_through ? set_in_else : set_in_then);
  for (const Value* value : node.blocks()[0]->outputs())
    then_arm.values.push_back(values_.of(value, environment));
  for (const Value* value : node.blocks()[1]->outputs())
    else_arm.values.push_back(values_.of(value, environment));
  bind_joined(node, decision, condition, then_arm, else_arm, environment);
  return then_arm.falls_through || else_arm.falls_through;
}

void ControlFlow::bind_joined(const Node& node, const Decision& decision, const Abstract& condition,
                              const Arm& then_arm, const Arm& else_arm, Environment& environment) {
  std::vector<Abstract> all = {condition};
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    all.insert(all.end(), {then_arm.values[i], else_arm.values[i]});
  const OpId id = emit(node, "if", all);
  const Inputs& a = then_arm.falls_through ? then_arm.values : else_arm.values;
  const Inputs& b = else_arm.falls_through ? else_arm.values : a;
  std::size_t output = 0;
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    environment[node.outputs()[i]] = decisions_.join(a[i], b[i], decision, id, output);
  if (id == none) return;
  context_.graph.regions()[then_arm.region].op = id;
  context_.graph.regions()[else_arm.region].op = id;
  context_.graph.op(id).outputs.resize(output);
  notes_.add(node, {id, none, {}, {}, {then_arm.region, else_arm.region}}, environment);
}

// Loops

/// From the maximum trip count, the entry condition and the continuation condition.
ControlFlow::Trips ControlFlow::trips_of(const Block& body, const Inputs& inputs) {
  const auto most = as_int(*inputs[0]);
  const auto enters = as_bool(*inputs[1]);
  const auto continues = torch::jit::toIValue(body.outputs()[0]);
  Trips trips;
  trips.never = (most && *most <= 0) || (enters && !*enters);
  trips.counted = most && enters && continues && continues->isBool() && continues->toBool();
  trips.count = trips.counted
                    ? static_cast<std::size_t>(std::clamp<std::int64_t>(*most, 0, max_trips))
                    : unknown_trips;
  return trips;
}

Abstract ControlFlow::loop_counter(const Trips& trips) {
  Abstract counter = values_.unknown(c10::IntType::get());
  counter->query = true;
  if (!scope_.collecting)
    counter->counter_of_loop = context_.graph.regions().size(); // the next region to be created
  const bool exact = trips.counted && trips.count < max_trips;
  const std::int64_t end =
      exact ? static_cast<std::int64_t>(trips.count) : std::numeric_limits<std::int64_t>::max();
  counter->only_bounds = end > max_followed_trips;
  if (counter->only_bounds) counter->in_iterations = {std::int64_t{0}, end - 1};
  for (std::int64_t i = 0; i < end && !counter->only_bounds; ++i)
    counter->in_iterations.emplace_back(i);
  return counter;
}

void ControlFlow::walk_loop(const Node& node, Environment& environment) {
  const Inputs inputs = values_.inputs_of(node, environment);
  const Trips trips = trips_of(*node.blocks()[0], inputs);
  if (!trips.never) return walk_loop_body(node, trips, inputs, environment);
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    environment[node.outputs()[i]] = inputs[i + 2];
}

void ControlFlow::begin_loop(const Block& body, const Trips& trips, const Inputs& inputs,
                             Environment& environment) {
  environment[body.inputs()[0]] = loop_counter(trips);
  for (std::size_t i = 0; i + 2 < inputs.size(); ++i) {
    const Value* value = body.inputs()[i + 1];
    const Abstract& first = inputs[i + 2];
    environment[value] = is_invariant(body, i)
                             ? first
                             : values_.either(first, values_.unknown(value->type()), value->type());
  }
}

void ControlFlow::walk_loop_body(const Node& node, const Trips& trips, const Inputs& inputs,
                                 Environment& environment) {
  const Block& body = *node.blocks()[0];
  begin_loop(body, trips, inputs, environment);
  const std::size_t number = scope_.collecting ? 0 : next_loop_++;
  RegionId region = none;
  const std::size_t opened = state_.replaced().open();
  const std::size_t guard =
      state_.begin_guard(state_.read(make_items({inputs[0], inputs[1]})), true);
  {
    const ChangedInLoop changed(body, environment);
    walk_part({body, Region::Kind::loop_body, number, guard, {}, trips.count}, environment, region);
  }
  if (!trips.counted) state_.replaced().close(opened); // it may not run at all

  const Abstract continues = values_.of(body.outputs()[0], environment);
  state_.add_condition(guard, state_.read(continues));
  const Inputs first(inputs.begin() + 2, inputs.end());
  Inputs last;
  for (const Value* value : body.outputs().slice(1)) last.push_back(values_.of(value, environment));
  std::vector<Abstract> values = {inputs[0], inputs[1], continues};
  values.insert(values.end(), first.begin(), first.end());
  values.insert(values.end(), last.begin(), last.end());
  const OpId id = emit(node, "loop", values);
  bind_after_loop(node, first, last, id, guard, environment);
  if (id == none) return;
  context_.graph.regions()[region].op = id;
  context_.graph.op(id).outputs.resize(node.outputs().size());
  notes_.add(node, {id, none, {}, {}, {region}}, environment);
}

void ControlFlow::bind_after_loop(const Node& node, const Inputs& first, const Inputs& last,
                                  OpId loop, std::size_t guard, Environment& environment) {
  const Block& body = *node.blocks()[0];
  for (std::size_t i = 0; i < first.size(); ++i) {
    Abstract& after = environment[node.outputs()[i]];
    after = first[i];
    if (is_invariant(body, i)) continue;
    const StateRecord::Node source = state_.read(last[i]);
    state_.compute(environment[body.inputs()[i + 1]], 0, std::span(&source, 1));
    // The next iteration writes into what this one leaves.
    if (environment[body.inputs()[i + 1]]->written) {
      invalidate_aliases(last[i]);
      if (last[i]->items()) forget(*last[i]->items());
    }
    after = value_after_loop(first[i], last[i], node.outputs()[i]->type(), loop, i);
    state_.decide_by(guard, after);
  }
}

/// A loop-carried value after the loop; the loop's op yields it if it holds data.
Abstract ControlFlow::value_after_loop(const Abstract& first, const Abstract& last,
                                       const c10::TypePtr& type, OpId loop, std::size_t output) {
  Abstract after = values_.either(first, last, type);
  if (loop == none || operands_of(after).empty()) return after;
  Abstract fresh = values_.unknown(type);
  if (holds_collections(type)) fresh->may_alias = {after};
  fresh->query = after->query;
  fresh->sources = {{loop, output}};
  state_.share(fresh, after);
  const StateRecord::Node source = state_.read(after);
  state_.compute(fresh, fresh->node, std::span(&source, 1));
  return fresh;
}

} // namespace model_validator::torchscript
