#pragma once

#include "verify/run/execution.h"

#include <model_validator/verify/interpreter.h>

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace model_validator::verify {

using torch::jit::Block;
using torch::jit::Graph;
using torch::jit::Node;

/// The values of a graph that nothing needs any more once a node has run.
class DeadValues {
public:
  /// Looks at a graph, once; later calls for the same graph cost nothing.
  void analyse(Graph& graph) {
    if (analysed_.insert(&graph).second) analyse(*graph.block());
  }
  const std::vector<const torch::jit::Value*>& after(const Node* node) const;

private:
  void analyse(Block& block);
  void note_last_use(torch::jit::Value& value, const Block& block);

  std::unordered_set<const Graph*> analysed_;
  std::unordered_map<const Node*, std::vector<const torch::jit::Value*>> dead_;
};

/// The values of one running method.
struct RunFrame {
  std::unordered_map<const torch::jit::Value*, c10::IValue> values;
  std::unordered_map<const torch::jit::Value*, std::string>
      object_paths; ///< module paths of object values
  std::string path; ///< of the module running

  const c10::IValue& value(const torch::jit::Value* value) const { return values.at(value); }
  const c10::IValue& input(const Node& node, std::size_t i) const {
    return values.at(node.inputs()[i]);
  }
  std::vector<c10::IValue> inputs(const Node& node, std::size_t first = 0) const;
  void set(const Node& node, c10::IValue value) { values[node.output()] = std::move(value); }
  void forget(const std::vector<const torch::jit::Value*>& dead);
};

class Interpreter::Implementation {
public:
  Implementation(torch::jit::Module module, std::unique_ptr<Execution> execution,
                 std::size_t max_steps = 0)
      : module_(std::move(module)), execution_(std::move(execution)), max_steps_(max_steps) {}

  c10::IValue run(std::vector<c10::IValue> inputs, RunObserver* observer,
                  const std::string& method);

private:
  c10::IValue run_graph(Graph& graph, std::vector<c10::IValue> inputs, const std::string& path);
  void run_block(RunFrame& frame, Block& block);
  void run_node(RunFrame& frame, Node& node);
  void count_step();
  bool run_special(RunFrame& frame, Node& node);
  void run_operator(RunFrame& frame, Node& node);
  Callable& callable(Node& node);
  void observe(const RunFrame& frame, Node& node, const std::vector<c10::IValue>& inputs);

  // interpreter_calls.cpp
  bool run_call(RunFrame& frame, Node& node);
  bool run_control(RunFrame& frame, Node& node);
  void call_method(RunFrame& frame, Node& node, const std::string& method);
  void call_function(RunFrame& frame, Node& node);
  void call(RunFrame& frame, Node& node, Graph& graph, std::vector<c10::IValue> inputs,
            const std::string& path);
  c10::IValue enter(Node& node, Graph& graph, std::vector<c10::IValue> inputs,
                    const std::string& path);
  void fork(RunFrame& frame, Node& node);
  void branch(RunFrame& frame, Node& node);
  void loop(RunFrame& frame, Node& node);

  torch::jit::Module module_;
  std::unique_ptr<Execution> execution_;
  std::size_t max_steps_; ///< 0: any number
  std::size_t steps_ = 0;
  RunObserver* observer_ = nullptr;
  std::vector<const Node*> callers_; ///< outermost first
  DeadValues dead_values_;
  std::unordered_map<const Node*, Callable> callables_;
};

/// Nodes that only build, unpack or pass on values. @return false when the node is none of them.
bool run_container(RunFrame& frame, const Node& node);

} // namespace model_validator::verify
