#include "verify/trace/program_recorder.h"

#include "verify/run/op_name.h"

#include <algorithm>

namespace model_validator::verify {
namespace {

/// The tensors and numbers that a node gives, as the program names them: a list by its elements.
void collect_results(const c10::IValue& value, std::vector<c10::IValue>& results) {
  if (value.isNone()) return;
  if (!value.isList() && !value.isTuple()) return results.push_back(value);
  const auto elements = value.isList() ? value.toListRef() : value.toTupleRef().elements();
  for (const c10::IValue& element : elements) collect_results(element, results);
}

void see_iterations(std::size_t rounds, std::optional<RegionOutcome>& outcome) {
  const bool first = !outcome || outcome->reached == 0;
  if (!outcome) outcome.emplace();
  outcome->fewest = first ? rounds : std::min(outcome->fewest, rounds);
  outcome->most = std::max(outcome->most, rounds);
  outcome->runs += rounds;
  ++outcome->reached;
}

} // namespace

ProgramRecorder::ProgramRecorder(const torch::jit::Module& module, const ConnectedGraph& graph)
    : inputs_(graph.inputs().begin(), graph.inputs().end()), regions_(graph.op_count()),
      runs_(graph.op_count()), outcomes_(graph.regions().size()) {
  for (OpId id = 0; id < graph.op_count(); ++id) {
    ops_.emplace(graph.op(id).name, id);
    outputs_.emplace_back(graph.op(id).outputs.size());
  }
  for (RegionId id = 0; id < graph.regions().size(); ++id)
    if (const OpId op = graph.regions()[id].op; op != none) regions_[op].push_back(id);
  find_written(*module.get_method("forward").graph()->block());
}

void ProgramRecorder::find_written(const torch::jit::Block& block) {
  for (const torch::jit::Node* node : block.nodes()) {
    if (const OpId op = op_of(*node); op != none) runs_[op] = 0;
    for (const torch::jit::Block* inner : node->blocks()) find_written(*inner);
  }
}

OpId ProgramRecorder::op_of(const torch::jit::Node& node) const {
  const auto found = ops_.find(op_name_of(node));
  return found == ops_.end() ? none : found->second;
}

void ProgramRecorder::begin(const std::vector<c10::IValue>& arguments) {
  for (std::size_t i = 0; i < inputs_.size() && i < arguments.size(); ++i)
    if (!outputs_[inputs_[i]].empty()) outputs_[inputs_[i]][0].see(arguments[i]);
}

void ProgramRecorder::before_step(const torch::jit::Node& node, const std::vector<c10::IValue>&) {
  if (const OpId op = op_of(node); op != none) last_op_ = op;
}

void ProgramRecorder::on_step(const Step& step) {
  const OpId op = op_of(step.node);
  if (op == none) return;
  ++*runs_[op];
  std::vector<c10::IValue> results;
  for (const c10::IValue& output : step.outputs) collect_results(output, results);
  for (std::size_t i = 0; i < results.size() && i < outputs_[op].size(); ++i)
    outputs_[op][i].see(results[i]);
}

void ProgramRecorder::on_branch(const torch::jit::Node& node, const std::string&, bool taken) {
  const OpId op = op_of(node);
  if (op == none) return;
  ++*runs_[op];
  for (std::size_t arm = 0; arm < regions_[op].size(); ++arm) {
    auto& outcome = outcomes_[regions_[op][arm]];
    if (!outcome) outcome.emplace();
    ++outcome->reached;
    if ((arm == 0) == taken) ++outcome->runs;
  }
}

void ProgramRecorder::on_loop(const torch::jit::Node& node, const std::string&,
                              std::int64_t count) {
  const OpId op = op_of(node);
  if (op == none) return;
  ++*runs_[op];
  for (const RegionId region : regions_[op])
    see_iterations(static_cast<std::size_t>(count), outcomes_[region]);
}

void ProgramRecorder::write(GraphBuilder& graph, Trace& trace) const {
  const bool complete = trace.ended_by.empty();
  write_output_types(outputs_, graph, trace);
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph()))) {
    Product& product = graph.product(edge);
    const OpId from = boost::source(edge, graph.graph());
    if (product.output < outputs_[from].size() && outputs_[from][product.output].seen())
      product.type = graph.op(from).outputs[product.output];
  }
  trace.runs.resize(graph.op_count());
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (runs_[id] && (complete || *runs_[id] > 0)) trace.runs[id] = runs_[id];
  trace.outcomes = outcomes_;
}

} // namespace model_validator::verify
