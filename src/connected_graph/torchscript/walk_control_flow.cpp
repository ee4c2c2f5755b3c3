#include "connected_graph/torchscript/constant_evaluation.h"
#include "connected_graph/torchscript/walk.h"

#include <algorithm>
#include <limits>

namespace model_validator::torchscript {
namespace {

bool same(const Abstract& a, const Abstract& b) {
  if (a == b) return true;
  if (a->object && a->object == b->object) return true;
  if (!a->known || !b->known) return false;
  const c10::IValue& x = *a->known;
  const c10::IValue& y = *b->known;
  if (x.isNone() || y.isNone()) return x.isNone() && y.isNone();
  if (x.isBool() && y.isBool()) return x.toBool() == y.toBool();
  if (x.isInt() && y.isInt()) return x.toInt() == y.toInt();
  if (x.isString() && y.isString()) return x.toStringRef() == y.toStringRef();
  return false;
}

bool is_tuple(const Abstract& value) {
  return value->items && value->items->exact && !value->items->dict;
}

void append(PathCondition& path, const PathCondition& more) {
  for (const Literal& literal : more)
    if (std::find(path.begin(), path.end(), literal) == path.end()) path.push_back(literal);
}

} // namespace

/// What is known of a condition, and what each arm would decide.
Walk::Decision Walk::decide(const Abstract& condition) {
  Decision decision;
  if ((decision.known = as_bool(*condition))) return decision;
  PathCondition only_true;
  PathCondition only_false;
  std::size_t can_be_true = 0;
  std::size_t can_be_false = 0;
  for (const auto& [literal, value] : condition->alternatives) {
    if (value->unreachable || !compatible({literal}, path_)) continue;
    const auto known = as_bool(*value);
    if (!known || *known) {
      ++can_be_true;
      only_true = {literal};
    }
    if (!known || !*known) {
      ++can_be_false;
      only_false = {literal};
    }
  }
  if (!condition->alternatives.empty() && can_be_true == 0) decision.known = false;
  if (!condition->alternatives.empty() && can_be_false == 0) decision.known = true;
  if (decision.known) return decision;
  const std::uint64_t number = condition->number != 0 ? condition->number : next_number_++;
  const std::size_t id = decisions_.try_emplace(number, decisions_.size()).first->second;
  for (const Literal& literal : path_)
    if (literal.decision == id) decision.known = literal.then != condition->negated;
  decision.then_path = {{id, !condition->negated}};
  decision.else_path = {{id, condition->negated}};
  if (can_be_true == 1) append(decision.then_path, only_true);
  if (can_be_false == 1) append(decision.else_path, only_false);
  return decision;
}

void Walk::walk_if(const torch::jit::Node& node, Environment& environment, bool& falls_through) {
  const Abstract condition = value_of(node.input(), environment);
  Decision decision = decide(condition);
  if (!decision.known) {
    decision.guard = state_.begin_guard(state_.read(condition), false);
    return walk_undecided_if(node, decision, environment, falls_through);
  }
  const torch::jit::Block& arm = *node.blocks()[*decision.known ? 0 : 1];
  falls_through = walk_block(arm, environment);
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    environment[node.outputs()[i]] = value_of(arm.outputs()[i], environment);
}

bool Walk::walk_region(Region::Kind kind, std::size_t number, const PathCondition& path,
                       std::size_t times, std::size_t guard, const torch::jit::Block& block,
                       Environment& environment, RegionId& region) {
  const RegionId outer_region = region_;
  const PathCondition outer_path = path_;
  const std::size_t outer_times = times_;
  if (!collecting_) region_ = graph_.add_region({kind, number, outer_region, none});
  region = region_;
  append(path_, path);
  times_ = std::min(times_ * times, most_trips);
  const bool loop = kind == Region::Kind::loop_body;
  if (loop) ++open_loops_;
  if (loop && !collecting_) trips_[region_] = times;
  state_.enter_arm(guard, kind == Region::Kind::else_arm);
  const bool falls_through = walk_block(block, environment);
  state_.leave_arm();
  if (loop && !collecting_) trips_.erase(region_);
  if (loop) --open_loops_;
  region_ = outer_region;
  path_ = outer_path;
  times_ = outer_times;
  return falls_through;
}

/// The op where the values of arms or iterations join; `none` inside a leaf.
OpId Walk::emit_control_flow(const torch::jit::Node& node, const std::string& type,
                             const std::vector<Abstract>& values) {
  const std::string schema = node.kind().toQualString();
  if (collecting_) {
    collecting_->push_back({schema, {}, {}, {}});
    return none;
  }
  Op op;
  op.kind = OpKind::control_flow;
  op.type = type;
  op.schema = schema;
  op.name = unique_name(op.type);
  op.frame = frames_.frame_of(node, *call_);
  // What decides comes first: the condition; of a loop the trip count and both conditions.
  const std::size_t deciding = type == "loop" ? 3 : 1;
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const Operand& operand : operands_of(values[i])) operands.push_back(operand);
    if (i + 1 == deciding)
      op.attributes = {{"condition_operands", static_cast<std::int64_t>(operands.size())}};
  }
  return emit(std::move(op), operands);
}

/// How often an arm runs whose condition may hold in one iteration of a loop only.
std::size_t Walk::times_of_arm(const AbstractValue& condition) const {
  const auto loop = trips_.find(condition.once_in_loop);
  if (condition.once_in_loop == none || loop == trips_.end()) return times_;
  return std::max<std::size_t>(times_ / std::max<std::size_t>(loop->second, 1), 1);
}

void Walk::walk_undecided_if(const torch::jit::Node& node, const Decision& decision,
                             Environment& environment, bool& falls_through) {
  const torch::jit::Block& then_arm = *node.blocks()[0];
  const torch::jit::Block& else_arm = *node.blocks()[1];
  const std::size_t number = collecting_ ? 0 : next_if_++;
  RegionId then_region = none;
  RegionId else_region = none;
  const Abstract condition = value_of(node.input(), environment);
  const std::size_t all_times = times_;
  const std::size_t opened = state_.open();
  times_ = condition->negated ? all_times : times_of_arm(*condition);
  const bool after_then = walk_region(Region::Kind::then_arm, number, decision.then_path, 1,
                                      decision.guard, then_arm, environment, then_region);
  const auto set_in_then = state_.close(opened);
  times_ = condition->negated ? times_of_arm(*condition) : all_times;
  const bool after_else = walk_region(Region::Kind::else_arm, number, decision.else_path, 1,
                                      decision.guard, else_arm, environment, else_region);
  const auto set_in_else = state_.close(opened);
  state_.replace(after_then ? set_in_then : set_in_else, after_else ? set_in_else : set_in_then);
  times_ = all_times;
  falls_through = after_then || after_else;
  std::vector<Abstract> then_values;
  std::vector<Abstract> else_values;
  std::vector<Abstract> all = {condition};
  for (std::size_t i = 0; i < node.outputs().size(); ++i) {
    then_values.push_back(value_of(then_arm.outputs()[i], environment));
    else_values.push_back(value_of(else_arm.outputs()[i], environment));
    all.insert(all.end(), {then_values.back(), else_values.back()});
    if (!after_then) then_values.back() = else_values.back();
    if (!after_else) else_values.back() = then_values.back();
  }
  const OpId id = emit_control_flow(node, "if", all);
  if (id != none) {
    graph_.regions()[then_region].op = id;
    graph_.regions()[else_region].op = id;
  }
  std::size_t output = 0;
  for (std::size_t i = 0; i < node.outputs().size(); ++i)
    environment[node.outputs()[i]] = join(then_values[i], else_values[i], decision, id, output);
  if (id == none) return;
  graph_.op(id).outputs.resize(output);
  note(node, {id, none, {}, {}, {then_region, else_region}}, environment);
}

/// The value after an `if` whose arms yield `a` and `b`.
Abstract Walk::join(const Abstract& a, const Abstract& b, const Decision& decision, OpId op,
                    std::size_t& output) {
  if (same(a, b) || b->unreachable) return a;
  if (a->unreachable) return b;
  if (is_tuple(a) && is_tuple(b) && a->items->values.size() == b->items->values.size()) {
    std::vector<Abstract> joined;
    for (std::size_t i = 0; i < a->items->values.size(); ++i)
      joined.push_back(join(a->items->values[i], b->items->values[i], decision, op, output));
    return make_items(std::move(joined));
  }
  auto choice = std::make_shared<AbstractValue>();
  choice->number = next_number_++;
  choice->node = state_.add();
  choice->alternatives = {{decision.then_path[0], a}, {decision.else_path[0], b}};
  state_.choose(decision.guard, choice, a, b);
  const auto a_none = is_none(*a);
  const auto b_none = is_none(*b);
  choice->never_none = a_none && b_none && !*a_none && !*b_none;
  std::vector<Operand> operands = operands_of(a);
  for (const Operand& operand : operands_of(b)) operands.push_back(operand);
  choice->query = only_queries(operands);
  if (operands.empty()) return choice;
  if (op != none)
    choice->sources = {{op, output++}};
  else
    for (const Operand& operand : operands) {
      if (operand.source) choice->sources.push_back(*operand.source);
      if (operand.parameter) choice->parameters.push_back(*operand.parameter);
    }
  return choice;
}

} // namespace model_validator::torchscript
