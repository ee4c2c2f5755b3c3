#pragma once

#include "connected_graph/torchscript/values.h"

#include <model_validator/graph_builder.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace model_validator::torchscript {

/// Records which node becomes which op, so that a run of the same code finds the ops again.
class NodeNotes {
public:
  /// @param map  receives the notes; may be null
  NodeNotes(const WalkContext& context, NodeMap* map) : context_(context), map_(map) {}

  bool wanted() const noexcept { return map_ != nullptr; }
  /// The context inside a call. @param object  whose method is called; null for a function
  NodeMap::Context enter(const Node& call, const void* object = nullptr) const;

  void add(const Node& node, NodeRecord record, const Inputs& outputs);
  void add(const Node& node, NodeRecord record, const Environment& environment);
  /// A node inside a leaf: the next op added represents the leaf.
  void add_body(const Node& node);
  void add_root_leaf(NodeRecord record, const Abstract& returned);
  void add_model_input(std::size_t argument, OpId op, const Abstract& value);
  void add_model_output(OpId op, const Place& place);
  /// The op wrote into a view.
  void add_written_view(OpId op);

private:
  const WalkContext& context_;
  NodeMap* map_;
};

/// The data that an op consumes and, if a map is made, its places among the inputs.
struct Gathered {
  std::vector<Operand> operands;
  std::vector<Place> places;
};

/// Adds ops and the products between them to the graph.
class OpWriter {
public:
  OpWriter(WalkContext& context, NodeNotes& notes)
      : graph_(context.graph), scope_(context.scope), notes_(notes) {}

  /// `conv2d_3`: the next free name of a type.
  std::string unique_name(const std::string& type);
  /// The name, or if it is taken, one that begins with it.
  std::string claim_name(const std::string& name);

  enum class Gather { everything, only_products };
  Gathered gather(const Inputs& inputs, Gather what = Gather::everything) const;
  OpId emit(Op op, const std::vector<Operand>& operands);

  /// From now on the written value is the writing op's result, and so is what it is a view of.
  void redirect_in_place(const Node& node, const Inputs& inputs, OpId op);
  /// For a leaf: its body is walked first, to find what it writes, and its op comes after.
  void begin_leaf() { written_.clear(); }
  void note_written(const Node& node, const Inputs& inputs);
  void redirect_written(const Inputs& inputs, OpId op);

private:
  void redirect(const Abstract& value, OpId op);

  GraphBuilder& graph_;
  Scope& scope_;
  NodeNotes& notes_;
  std::map<std::string, std::size_t> name_counters_;
  std::set<std::string> taken_names_;
  std::set<const AbstractValue*> written_; ///< values that a leaf has changed in place
};

} // namespace model_validator::torchscript
