#pragma once

#include "connected_graph/exported_program/converter.h"
#include "verify/flat_program/program_arguments.h"

#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>

#include <memory>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What an operator of `quantized_decomposed` computes, in TorchScript: quantisers of PyTorch write
/// them (`prepare_pt2e`, `convert_pt2e`), but only Python has them.
class DecomposedOperators {
public:
  /// @param schema  `quantized_decomposed::quantize_per_tensor.tensor`
  /// @returns null for any other operator
  torch::jit::GraphFunction* find(const std::string& schema);

private:
  std::shared_ptr<torch::jit::CompilationUnit> unit_; ///< compiled when it is first asked for
};

/// Writes the nodes of a program of torch.export as nodes of a LibTorch graph: one operator each,
/// with its line of Python and, as scope, the path of its module.
class ProgramWriter {
public:
  /// @param ops  the program's graph
  /// @param results  what the program's nodes became in it
  ProgramWriter(torch::jit::Graph& graph, const ConnectedGraph& ops,
                const exported_program::NodeResults& results)
      : graph_(graph), ops_(ops), results_(results) {}

  /// @throws Error (`not-runnable`, `unknown-operator`, `damaged-exported-program`)
  void write_nodes(const exported_program::Json& graph, ProgramScope& scope);

private:
  using Json = exported_program::Json;
  using Value = torch::jit::Value;
  using Values = std::vector<Value*>;
  /// The branch or loop that a node of a higher order became, and what that node gives.
  struct Control {
    torch::jit::Node* node = nullptr; ///< null for code that merely runs
    Values results;
  };

  void write_node(const Json& node, ProgramScope& scope);
  void write_operator(const std::string& target, const Json& node, ProgramScope& scope);
  void write_decomposed(torch::jit::GraphFunction& function, const Json& node, ProgramScope& scope);
  Values arguments_of(const Json& node, const c10::FunctionSchema& schema,
                      const ProgramScope& scope);
  void write_python_operator(const std::string& target, const Json& node, ProgramScope& scope);
  void write_assertion(const Json& node, const ProgramScope& scope);
  void name_result(const Json& node, std::size_t number, Value& holder);
  void bind_outputs(const Json& node, const Values& results, ProgramScope& scope);
  Value* as_declared(const std::string& kind, Value* value);
  Value* as_condition(Value* value);
  Value* insert(const char* name, const Values& arguments);

  // program_control.cpp
  void write_higher_order(const std::string& target, const Json& node, ProgramScope& scope);
  void name_control(const Json& node, torch::jit::Node& control);
  void bind_each(const Json& node, const Values& results, ProgramScope& scope);
  Values call(const Json& graph, const Values& arguments);
  Control write_condition(const Json& inputs, const ProgramScope& scope);
  Control write_while(const Json& inputs, const ProgramScope& scope);
  Control write_map(const Json& inputs, const ProgramScope& scope);
  Control write_scan(const Json& inputs, const ProgramScope& scope);
  Values write_region(const Json& inputs, const ProgramScope& scope);
  Control iterate(const Json& body, const Values& carried, const Values& sliced,
                  const Values& same);
  Values operands_from(const Json& inputs, std::size_t first, const ProgramScope& scope);

  torch::jit::Graph& graph_;
  const ConnectedGraph& ops_;
  const exported_program::NodeResults& results_;
  DecomposedOperators decomposed_;
  std::size_t depth_ = 0;      ///< of graphs within graphs
  std::size_t conditions_ = 0; ///< of loops that are being written
};

} // namespace model_validator::verify
