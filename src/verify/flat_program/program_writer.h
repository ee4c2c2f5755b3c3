#pragma once

#include "verify/flat_program/program_arguments.h"

#include <torch/csrc/jit/ir/ir.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// Writes the nodes of a program of torch.export as nodes of a LibTorch graph: one operator each,
/// with its line of Python and, as scope, the path of its module.
class ProgramWriter {
public:
  /// @param op_names  of the ops that make values in the model's graph, by the value
  ProgramWriter(torch::jit::Graph& graph, std::unordered_map<std::string, std::string> op_names)
      : graph_(graph), op_names_(std::move(op_names)) {}

  /// @throws Error (`not-runnable`, `unknown-operator`, `damaged-exported-program`)
  void write_nodes(const exported_program::Json& graph, ProgramScope& scope);

private:
  using Json = exported_program::Json;
  using Value = torch::jit::Value;
  using Values = std::vector<Value*>;

  void write_node(const Json& node, ProgramScope& scope);
  void write_operator(const std::string& target, const Json& node, ProgramScope& scope);
  void write_python_operator(const std::string& target, const Json& node, ProgramScope& scope);
  void write_assertion(const Json& node, const ProgramScope& scope);
  void bind_outputs(const Json& node, const Values& results, ProgramScope& scope);
  Value* as_declared(const std::string& kind, Value* value);
  Value* as_condition(Value* value);
  Value* insert(const char* name, const Values& arguments);

  // program_control.cpp
  void write_higher_order(const std::string& target, const Json& node, ProgramScope& scope);
  void name_control(torch::jit::Node& last, const std::string& name);
  Values call(const Json& graph, const Values& arguments);
  Values write_condition(const Json& inputs, const ProgramScope& scope);
  Values write_while(const Json& inputs, const ProgramScope& scope);
  Values write_map(const Json& inputs, const ProgramScope& scope);
  Values write_scan(const Json& inputs, const ProgramScope& scope);
  Values write_region(const Json& inputs, const ProgramScope& scope);
  Values iterate(const Json& body, const Values& carried, const Values& sliced, const Values& same);
  Values operands_from(const Json& inputs, std::size_t first, const ProgramScope& scope);

  torch::jit::Graph& graph_;
  std::unordered_map<std::string, std::string> op_names_;
  std::size_t depth_ = 0;      ///< of graphs within graphs
  std::size_t conditions_ = 0; ///< of loops that are being written
};

} // namespace model_validator::verify
