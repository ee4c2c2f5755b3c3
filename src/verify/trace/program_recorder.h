#pragma once

#include "verify/trace/graph_recorder.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace torch::jit {
struct Block;
} // namespace torch::jit

namespace model_validator::verify {

/// Watches a program of torch.export run: its nodes have the names of the ops in its graph.
class ProgramRecorder final : public GraphRecorder {
public:
  ProgramRecorder(const torch::jit::Module& module, const ConnectedGraph& graph);

  void begin(const std::vector<c10::IValue>& arguments) override;
  void end(const c10::IValue&) override {}
  OpId last_op() const noexcept override { return last_op_; }
  void write(GraphBuilder& graph, Trace& trace) const override;

  void before_step(const torch::jit::Node& node, const std::vector<c10::IValue>& inputs) override;
  void on_step(const Step& step) override;
  void on_branch(const torch::jit::Node& node, const std::string& path, bool taken) override;
  void on_loop(const torch::jit::Node& node, const std::string& path, std::int64_t count) override;

private:
  void find_written(const torch::jit::Block& block);
  OpId op_of(const torch::jit::Node& node) const;

  std::vector<OpId> inputs_;
  std::unordered_map<std::string, OpId> ops_;
  std::vector<std::vector<RegionId>> regions_;         ///< by op
  std::vector<std::vector<SeenType>> outputs_;         ///< by op and output
  std::vector<std::optional<std::size_t>> runs_;       ///< by op; none where no node has its name
  std::vector<std::optional<RegionOutcome>> outcomes_; ///< by region
  OpId last_op_ = none;
};

} // namespace model_validator::verify
