#include "verify/trace/trace_recorder.h"

#include "connected_graph/torchscript/code/operator_description.h"
#include "connected_graph/torchscript/file/tensor_type.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

using torchscript::every;
using torchscript::NodeRecord;
using torchscript::PathStep;
using torchscript::Place;

std::optional<c10::IValue> step_into(const c10::IValue& value, const PathStep& step) {
  if (const auto* name = std::get_if<std::string>(&step)) {
    if (!value.isObject() || !value.toObjectRef().type()->findAttributeSlot(*name))
      return std::nullopt;
    return value.toObjectRef().getAttr(*name);
  }
  const std::size_t index = std::get<std::size_t>(step);
  if (value.isTuple()) {
    const auto& elements = value.toTupleRef().elements();
    return index < elements.size() ? std::optional(elements[index]) : std::nullopt;
  }
  if (value.isList()) {
    const auto elements = value.toListRef();
    return index < elements.size() ? std::optional(elements[index]) : std::nullopt;
  }
  if (value.isGenericDict()) {
    const auto dict = value.toGenericDict();
    std::size_t position = 0;
    for (const auto& entry : dict)
      if (position++ == index) return entry.value();
  }
  return std::nullopt;
}

/// The value at a place; where the walk could not distinguish elements, the container of them all.
std::optional<c10::IValue> value_at(const std::vector<c10::IValue>& values, const Place& place) {
  if (place.value >= values.size()) return std::nullopt;
  std::optional<c10::IValue> value = values[place.value];
  for (const PathStep& step : place.path) {
    if (const auto* index = std::get_if<std::size_t>(&step); index && *index == every) break;
    value = step_into(*value, step);
    if (!value) break;
  }
  return value;
}

/// What the tracer records: operators of the dispatcher that yield tensors. Operators of the
/// language, on lists and on plain numbers, are not recorded.
bool leaves_a_trace(const Step& step) {
  const torch::jit::Operator* op = step.node.maybeOperator();
  return op != nullptr && op->isC10Op() && std::ranges::any_of(step.outputs, holds_tensor);
}

} // namespace

void SeenType::see(const at::Tensor& tensor) {
  const auto sizes = tensor.sizes();
  if (!seen_) {
    seen_ = true;
    dtype_ = tensor.scalar_type();
    for (const std::int64_t size : sizes) sizes_.emplace_back(size, size);
    return;
  }
  if (dtype_ != tensor.scalar_type()) dtype_.reset();
  ranks_differ_ = ranks_differ_ || sizes.size() != sizes_.size();
  for (std::size_t i = 0; !ranks_differ_ && i < sizes.size(); ++i)
    sizes_[i] = {std::min(sizes_[i].first, sizes[i]), std::max(sizes_[i].second, sizes[i])};
}

void SeenType::see(const c10::IValue& value) {
  for_each_tensor(value, [this](const at::Tensor& tensor) { see(tensor); });
}

TensorType SeenType::type() const {
  TensorType type;
  if (!seen_) return type;
  if (dtype_) type.dtype = torchscript::dtype_name(*dtype_);
  if (ranks_differ_) return type;
  type.shape.emplace();
  for (const auto& [least, greatest] : sizes_)
    type.shape->push_back(least == greatest ? least : -1);
  return type;
}

SizeRanges SeenType::ranges() const {
  const bool varies =
      std::ranges::any_of(sizes_, [](const auto& size) { return size.first != size.second; });
  return varies && !ranks_differ_ ? sizes_ : SizeRanges();
}

TraceRecorder::TraceRecorder(const torchscript::NodeMap& map, const ConnectedGraph& graph)
    : map_(map), contexts_(map), inputs_(graph.op_count()), body_(graph.op_count()),
      runs_(graph.op_count()), outcomes_(graph.regions().size()) {
  for (OpId id = 0; id < graph.op_count(); ++id) outputs_.emplace_back(graph.op(id).outputs.size());
  map.for_each([this](const NodeRecord& record) {
    runs_[record.op] = 0;
    for (const RegionId region : record.regions) outcomes_[region].emplace();
  });
}

void TraceRecorder::see_operands(const NodeRecord& record, const std::vector<c10::IValue>& values) {
  // Of a branch or loop, that is counted.
  if (record.regions.empty() && !record.continues) ++*runs_[record.op];
  for (const Place& place : record.inputs)
    if (const auto value = value_at(values, place)) inputs_[record.op][place.position].see(*value);
}

void TraceRecorder::begin(const std::vector<c10::IValue>& arguments) {
  contexts_.begin();
  std::vector<c10::IValue> values = arguments;
  values.insert(values.begin(), c10::IValue()); // the module itself
  for (const NodeRecord& record : map_.model_inputs) {
    ++*runs_[record.op];
    see_outputs(record, values);
  }
  if (map_.root_leaf) see_operands(*map_.root_leaf, values);
}

void TraceRecorder::end(const c10::IValue& result) {
  if (map_.root_leaf) see_outputs(*map_.root_leaf, {result});
  for (const auto& [op, place] : map_.model_outputs) {
    ++*runs_[op];
    if (const auto value = value_at({result}, place)) inputs_[op][0].see(*value);
  }
}

void TraceRecorder::see_inputs(const torch::jit::Node& node,
                               const std::vector<c10::IValue>& inputs) {
  for (const NodeRecord& record : contexts_.records(node)) {
    last_op_ = record.op;
    if (record.body != none) {
      see_body_dtypes(record, inputs);
      continue;
    }
    see_operands(record, inputs);
  }
}

void TraceRecorder::see_body_dtypes(const NodeRecord& record,
                                    const std::vector<c10::IValue>& inputs) {
  auto& seen = body_[record.op][record.body];
  std::size_t argument = 0;
  for (const c10::IValue& input : inputs)
    for_each_tensor(input, [&](const at::Tensor& tensor) {
      if (argument == seen.size()) seen.emplace_back();
      seen[argument++].see(tensor);
    });
}

void TraceRecorder::see_outputs(const NodeRecord& record, const std::vector<c10::IValue>& values) {
  auto& outputs = outputs_[record.op];
  for (const Place& place : record.outputs) {
    const auto value = value_at(values, place);
    if (!value || place.position >= outputs.size()) continue;
    if (!place.elements || !value->isList() || outputs.size() == 1) {
      outputs[place.position].see(*value);
      continue;
    }
    const auto elements = value->toListRef();
    for (std::size_t i = 0; i < elements.size() && i < outputs.size(); ++i)
      outputs[i].see(elements[i]);
  }
}

void TraceRecorder::before_step(const torch::jit::Node& node,
                                const std::vector<c10::IValue>& inputs) {
  see_inputs(node, inputs);
}

void TraceRecorder::on_step(const Step& step) {
  const bool recorded = leaves_a_trace(step);
  for (const NodeRecord& record : contexts_.records(step.node)) {
    if (record.body == none) see_outputs(record, step.outputs);
    if (recorded) recorded_.emplace(record.op, torchscript::schema_of(step.node));
  }
}

void TraceRecorder::on_enter(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) {
  see_inputs(node, inputs);
  contexts_.enter(node, inputs);
}

void TraceRecorder::on_leave(const torch::jit::Node&) { contexts_.leave(); }

void TraceRecorder::on_branch(const torch::jit::Node& node, bool taken) {
  for (const NodeRecord& record : contexts_.records(node)) {
    ++*runs_[record.op];
    for (std::size_t arm = 0; arm < record.regions.size(); ++arm) {
      RegionOutcome& outcome = *outcomes_[record.regions[arm]];
      ++outcome.reached;
      if ((arm == 0) == taken) ++outcome.runs;
    }
  }
}

void TraceRecorder::on_loop(const torch::jit::Node& node, std::int64_t count) {
  const auto rounds = static_cast<std::size_t>(count);
  for (const NodeRecord& record : contexts_.records(node)) {
    ++*runs_[record.op];
    for (const RegionId region : record.regions) {
      RegionOutcome& outcome = *outcomes_[region];
      outcome.fewest = outcome.reached == 0 ? rounds : std::min(outcome.fewest, rounds);
      outcome.most = std::max(outcome.most, rounds);
      outcome.runs += rounds;
      ++outcome.reached;
    }
  }
}

void TraceRecorder::write(GraphBuilder& graph, Trace& trace) const {
  graph.shapes = nullptr; // sizes that were seen say more than the names that the file has for them
  write_output_types(graph, trace);
  write_product_types(graph);
  write_body_dtypes(graph);
  write_outcomes(trace);
}

void TraceRecorder::write_output_types(GraphBuilder& graph, Trace& trace) const {
  for (OpId id = 0; id < graph.op_count(); ++id)
    for (std::size_t i = 0; i < outputs_[id].size(); ++i) {
      const SeenType& seen = outputs_[id][i];
      if (!seen.seen()) continue;
      graph.op(id).outputs[i] = seen.type();
      if (auto ranges = seen.ranges(); !ranges.empty()) trace.ranges[{id, i}] = std::move(ranges);
    }
}

/// What the consumer was given; for the rest, what the producer yields, unless that is only a part
/// of what it writes into.
void TraceRecorder::write_product_types(GraphBuilder& graph) const {
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph()))) {
    const OpId from = boost::source(edge, graph.graph());
    const OpId to = boost::target(edge, graph.graph());
    Product& product = graph.product(edge);
    const auto given = inputs_[to].find(product.input);
    if (given != inputs_[to].end() && given->second.seen())
      product.type = given->second.type();
    else if (product.output < outputs_[from].size() && outputs_[from][product.output].seen() &&
             !map_.wrote_view(from))
      product.type = outputs_[from][product.output].type();
  }
}

void TraceRecorder::write_body_dtypes(GraphBuilder& graph) const {
  for (OpId id = 0; id < graph.op_count(); ++id) {
    if (body_[id].empty() || !graph.op(id).body) continue;
    auto body = std::make_shared<std::vector<Operator>>(*graph.op(id).body);
    for (const auto& [index, seen] : body_[id]) {
      if (index >= body->size()) continue;
      for (const SeenType& type : seen) (*body)[index].dtypes.push_back(type.type().dtype);
    }
    graph.op(id).body = std::move(body);
  }
}

void TraceRecorder::write_outcomes(Trace& trace) const {
  const bool complete = trace.ended_by.empty();
  trace.runs.resize(runs_.size());
  for (OpId id = 0; id < runs_.size(); ++id)
    if (complete || runs_[id].value_or(0) > 0) trace.runs[id] = runs_[id];
  trace.outcomes.resize(outcomes_.size());
  for (RegionId id = 0; id < outcomes_.size(); ++id)
    if (complete || (outcomes_[id] && outcomes_[id]->reached > 0))
      trace.outcomes[id] = outcomes_[id];
}

} // namespace model_validator::verify
