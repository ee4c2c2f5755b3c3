#pragma once

#include "connected_graph/exported_program/program_file.h"

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator::exported_program {

/// Notes what a program says beside its graph that decides what it computes, or what a caller gets.
/// It takes the text of every argument and type, so it notes nothing unless it is asked to.
class ProgramStatements {
public:
  explicit ProgramStatements(bool asked) : asked_(asked) {}
  /// What a program says of a tensor but its sizes: strides that are numbers, the device, the
  /// layout, whether it has gradients.
  void note_type(const Json& tensor);
  /// Whether a graph within a node, and a node with such graphs, yields a tensor or a list of one.
  void note_results(const Json& graph);
  /// @param in_graph  whether the graph holds all of the argument
  void note_argument(const Json& input, bool in_graph);
  /// An op lists a parameter once, however many of its arguments are that parameter.
  void note_parameter(std::size_t argument, ParameterId parameter);
  /// @param input_sizes  of the inputs, in order
  std::vector<Statement> of(const ProgramFile& source, const std::vector<Json>& input_sizes) &&;

private:
  bool asked_;
  std::string argument_names_; ///< of all nodes: torch calls operators by them
  std::string rest_of_types_;  ///< of tensors, inputs and outputs
  std::string unconverted_;    ///< arguments that are neither in the graph nor tensors
};

} // namespace model_validator::exported_program
