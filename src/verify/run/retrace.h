#pragma once

#include <model_validator/verify/interpreter.h>

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A model as one static graph without modules, branches and loops: what ran for these inputs.
/// Its inputs and outputs are the tensors of the model's, in order; weights, and numbers among the
/// inputs, are constants. Every node keeps its line of Python, and as scope the path of its module.
struct FlatGraph {
  std::shared_ptr<torch::jit::Graph> graph;
  c10::IValue result; ///< of the run that was recorded, as the model gave it
};

/// Sees a run while it is recorded.
class RecordingWatcher : public RunObserver {
public:
  /// A step of the run was recorded, as these nodes.
  virtual void on_recorded(const Step& step, const std::vector<torch::jit::Node*>& nodes) = 0;
};

/// Runs a copy of the module and records it, with buffers as they were before the run. The module's
/// parameters stop requiring gradients.
/// @throws Error (`cannot-flatten`) where the recording does not give what the run gave
FlatGraph retrace(const torch::jit::Module& module, const std::vector<c10::IValue>& inputs);
/// The same with a copy from `fresh_copy`, whose run is watched.
FlatGraph retrace(const torch::jit::Module& module, const torch::jit::Module& copy,
                  const std::vector<c10::IValue>& inputs, RecordingWatcher& watcher);

/// The path of the module a recorded node belongs to.
std::string module_path_of(torch::jit::Node& node);

/// The tensors of a nested result in order, numbers as scalar tensors: what a flat graph returns.
std::vector<at::Tensor> flat_tensors(const c10::IValue& result);

} // namespace model_validator::verify
