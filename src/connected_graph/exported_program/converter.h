#pragma once

#include "connected_graph/exported_program/arguments.h"
#include "connected_graph/exported_program/program_file.h"
#include "connected_graph/exported_program/program_sizes.h"
#include "connected_graph/exported_program/program_statements.h"
#include "connected_graph/graph_assembler.h"
#include "connected_graph/module_aliases.h"
#include "connected_graph/module_depth.h"
#include "connected_graph/module_hierarchy.h"
#include "connected_graph/python_trace.h"

#include <model_validator/graph_builder.h>
#include <model_validator/graph_reader.h>

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace model_validator::exported_program {

/// What the results of each node became, in order, by where the program holds the node: graphs in
/// graphs use a name again.
using NodeResults = std::unordered_map<const Json*, std::vector<GraphAssembler::Producer>>;

/// Builds a ConnectedGraph from an exported program.
class Converter {
public:
  Converter(const ProgramFile& source, const ReadOptions& options);
  /// @param results  is filled; may be null
  /// @throws Error (`damaged-exported-program`, `too-large`)
  GraphBuilder convert(NodeResults* results = nullptr);

private:
  /// What each name stands for; `none` of what is no tensor or number.
  using Scope = std::unordered_map<std::string, ValueId>;
  /// Where a node is.
  struct Place {
    std::vector<ModuleCall> stack;
    FrameId frame = none;
    RegionId region = none;
  };

  void read_header();
  void read_modules();
  void read_inputs(const Json& graph, Scope& scope);
  /// Values that nodes write into, themselves or through views.
  static std::set<std::string> names_written(const Json& graph);
  void add_user_input(const Json& argument, const Json& graph, Scope& scope);
  void add_tensor(const std::string& kind, const Json& spec, const Json& graph, Scope& scope);
  void add_constant(const std::string& name, const Json& graph, Scope& scope);
  void read_outputs(const Json& graph, const Scope& scope);
  void read_declared_writes(const Json& graph, const Scope& scope);
  void note_declared_writes(const std::vector<ParameterId>& written,
                            const std::unordered_map<ValueId, std::size_t>& writes,
                            std::unordered_set<ValueId> results);
  void read_writes_of_nodes();
  void add_state_write(const std::string& path, ParameterId written);

  void convert_nodes(const Json& graph, Scope& scope, const Place& around);
  void convert_node(const Json& node, const Json& graph, Scope& scope, const Place& around);
  void require_distinct_arguments(const Json& node) const;
  void enter(const Json& node, ProgramNode flat);
  NodeResults results_of_nodes() const;
  Place place_of(const Json& node, const Place& around);
  void add_arguments(const Json& node, const Scope& scope, ProgramNode& to);
  void require_graph_of_signature(const Json& program) const;
  TensorType type_of(const Json& meta);
  ValueId add_value(const std::string& name, const Json& graph);
  bool bind_outputs(const Json& node, const Json& graph, Scope& scope, ProgramNode& to);
  void bind_output(const std::string& name, ValueId value, Scope& scope, ProgramNode& to);

  bool convert_subgraphs(const Json& node, const Json& graph, Scope& scope, const Place& place,
                         ProgramNode& to);
  std::vector<ValueId> convert_subgraph(const Json& node, const Json& subgraph,
                                        const std::vector<ValueId>& operands, const Place& place);
  void bind_inlined(const Json& node, const Json& graph, Scope& scope,
                    const std::vector<ValueId>& results);
  std::vector<ValueId> operands_of(const Json& node, const Scope& scope) const;

  ValueId find(const Json& node, const std::string& name, const Scope& scope) const;
  ModuleId module_at(std::string_view path, std::string_view class_name = {});
  std::size_t call_number(const std::string& key);
  std::uint64_t storage_of(const std::string& tensor, bool with_offset);
  [[noreturn]] void fail(const std::string& what) const;

  const ProgramFile& source_;
  GraphBuilder graph_;
  GraphAssembler assembler_;
  ModuleHierarchy hierarchy_;
  FrameTable frames_;
  std::vector<OwnedTensor> owned_;
  std::unordered_map<std::string, std::size_t> calls_;
  std::unordered_map<std::string, std::uint64_t> storages_;
  std::vector<ModuleCall> last_stack_;
  std::vector<Json> input_sizes_;                        ///< of the inputs, in order
  std::unordered_map<const Json*, std::size_t> entered_; ///< where the assembler has each node
  std::size_t regions_ = 0;
  ProgramStatements statements_;
  ProgramSizes sizes_;
  int depth_ = 0;
  bool notes_nodes_ = false; ///< in `entered_`
};

} // namespace model_validator::exported_program
