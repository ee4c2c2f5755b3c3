#pragma once

#include "connected_graph/torchscript/code/node_map.h"
#include "verify/trace/run_contexts.h"

#include <model_validator/graph_builder.h>
#include <model_validator/trace.h>
#include <model_validator/verify/interpreter.h>

#include <ATen/core/ivalue.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// The merged shapes and dtypes of the tensors that were seen in one place of a graph.
class SeenType {
public:
  void see(const at::Tensor& tensor);
  /// Every tensor in a list, tuple or dict; none in a number.
  void see(const c10::IValue& value);

  bool seen() const noexcept { return seen_; }
  /// A size that differed is -1; a number of dimensions or a dtype that differed is unknown.
  TensorType type() const;
  /// Of every dimension, where a size differed; else empty.
  SizeRanges ranges() const;

private:
  bool seen_ = false;
  bool ranks_differ_ = false;
  std::optional<c10::ScalarType> dtype_; ///< none: it differed
  SizeRanges sizes_;
};

/// Watches a model run and enters what it sees into the model's graph: the shape and dtype of every
/// product, how often every op ran, and what became of every region.
class TraceRecorder final : public RunObserver {
public:
  /// @param map  of the code that will run: from the walk that made the graph, or of a program
  TraceRecorder(const torchscript::NodeMap& map, const ConnectedGraph& graph);

  /// A run begins with these arguments, without the module itself.
  void begin(const std::vector<c10::IValue>& arguments);
  /// A run has returned this.
  void end(const c10::IValue& result);
  /// The op that was running last; `none` where it is not in the graph.
  OpId last_op() const noexcept { return last_op_; }
  /// Enters the types into the graph, and the rest into the trace. If the run completed, ops that
  /// were not seen are known not to run.
  void write(GraphBuilder& graph, Trace& trace) const;
  /// What a recording would keep.
  const std::set<std::pair<OpId, std::string>>& recorded() const noexcept { return recorded_; }

  void before_step(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) override;
  void on_step(const Step& step) override;
  void on_enter(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) override;
  void on_leave(const torch::jit::Node& node) override;
  void on_branch(const torch::jit::Node& node, bool taken) override;
  void on_loop(const torch::jit::Node& node, std::int64_t count) override;

private:
  void see_inputs(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs);
  void see_operands(const torchscript::NodeRecord& record, const std::vector<c10::IValue>& values);
  void see_outputs(const torchscript::NodeRecord& record, const std::vector<c10::IValue>& values);
  void see_body_dtypes(const torchscript::NodeRecord& record,
                       const std::vector<c10::IValue>& inputs);
  void write_output_types(GraphBuilder& graph, Trace& trace) const;
  void write_product_types(GraphBuilder& graph) const;
  void write_outcomes(Trace& trace) const;
  void write_body_dtypes(GraphBuilder& graph) const;

  const torchscript::NodeMap& map_;
  RunContexts contexts_;
  std::vector<std::vector<SeenType>> outputs_;                     ///< by op and output
  std::vector<std::map<std::size_t, SeenType>> inputs_;            ///< by op and operand
  std::vector<std::map<std::size_t, std::vector<SeenType>>> body_; ///< by op and body operator
  std::vector<std::optional<std::size_t>> runs_;       ///< by op; none where no code is its
  std::vector<std::optional<RegionOutcome>> outcomes_; ///< by region; likewise
  std::set<std::pair<OpId, std::string>> recorded_;
  OpId last_op_ = none;
};

} // namespace model_validator::verify
