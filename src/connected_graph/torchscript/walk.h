#pragma once

#include "connected_graph/path_condition.h"
#include "connected_graph/torchscript/abstract_value.h"
#include "connected_graph/torchscript/module_table.h"
#include "connected_graph/torchscript/source_frames.h"
#include "connected_graph/torchscript/state_record.h"

#include <model_validator/connected_graph.h>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>

#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// Walks a TorchScript module from a method, value by value, and enters what it meets into a graph.
///
/// An abstract interpreter over the method graphs as they are, not inlined: every call is walked
/// anew with its own arguments, so that modules which travel as arguments, in lists or through
/// interfaces are known for what they are. What can be evaluated is: arms that cannot run are not
/// entered. What cannot is walked in both arms, each in its region. Loop bodies are walked once.
/// Nothing of the model is run.
class Walk {
public:
  /// @param max_nodes  how many nodes may be walked before the model is refused as too large
  /// @param map        is told which node becomes which op; null where nobody wants to know
  Walk(const torch::jit::Module& root, ConnectedGraph& graph, std::size_t max_nodes,
       NodeMap* map = nullptr);

  /// Walks one method and enters its inputs and outputs.
  /// @throws Error (`too-large`, `too-deep`)
  void run(const std::string& method);

  /// How often each module can be called on one path, and from where, by module.
  struct Calls {
    std::vector<WeightedCondition> conditions;
    std::vector<CallSite> sites;
    std::vector<std::size_t> order; ///< of each site, over all modules
  };
  const std::map<ModuleId, Calls>& calls() const noexcept { return calls_; }
  bool traced() const noexcept { return frames_.traced(); }

private:
  using Environment = std::unordered_map<const torch::jit::Value*, Abstract>;
  using Inputs = std::vector<Abstract>;
  /// The data that an op consumes, and, where a map is made, where among its inputs it is.
  struct Gathered {
    std::vector<Operand> operands;
    std::vector<Place> places;
  };

  // walk.cpp: values and blocks
  Abstract value_of(const torch::jit::Value* value, const Environment& environment) const;
  Inputs inputs_of(const torch::jit::Node& node, const Environment& environment) const;
  Abstract refined(Abstract value) const;
  bool walk_block(const torch::jit::Block& block, Environment& environment);
  bool walk_node(const torch::jit::Node& node, Environment& environment);
  bool walk_structure(const torch::jit::Node& node, const Inputs& inputs, Environment& environment);
  Abstract unknown(const c10::TypePtr& type);
  Abstract constant(const torch::jit::Node& node);

  // walk_calls.cpp
  Abstract walk_function(const torch::jit::Graph& graph, const Inputs& arguments, Call& call);
  Abstract call_method(const torch::jit::Node& node, const Inputs& inputs);
  Abstract call_one(const torch::jit::Node& node, const Abstract& self, const Inputs& inputs);
  Abstract call_any(const torch::jit::Node& node, const std::vector<Abstract>& candidates,
                    const Inputs& inputs);
  Abstract call_each(const torch::jit::Node& node, const Abstract& container, const Inputs& inputs);
  Abstract call_leaf(const torch::jit::Node& node, const torch::jit::Graph& body, ModuleId module,
                     const Inputs& inputs, Call& call, std::size_t site);
  Abstract call_root_leaf(const torch::jit::Graph& body, const Inputs& inputs, Call& call,
                          std::size_t site);
  struct Leaf {
    OpId op = none;
    Gathered data;
    Abstract returned; ///< by its body
  };
  Leaf emit_leaf(const torch::jit::Graph& body, ModuleId module, const Inputs& inputs, Call& call);
  std::shared_ptr<const std::vector<Operator>>
  collect(const torch::jit::Graph& body, const Inputs& arguments, Call& call, Abstract& returned);
  Abstract yield_of(const torch::jit::Node& node, NodeRecord record, bool query,
                    const Abstract& computed);
  Abstract call_function(const torch::jit::Node& node, const Inputs& inputs);
  Abstract walk_fork(const torch::jit::Node& node, const Inputs& inputs);
  std::size_t record_call(ModuleId module, const std::string& method);

  // walk_control_flow.cpp
  struct Decision {
    std::optional<bool> known;
    PathCondition then_path;
    PathCondition else_path;
    std::size_t guard = StateFacts::outside; ///< where it is not known
  };
  Decision decide(const Abstract& condition);
  void walk_if(const torch::jit::Node& node, Environment& environment, bool& falls_through);
  void walk_undecided_if(const torch::jit::Node& node, const Decision& decision,
                         Environment& environment, bool& falls_through);
  OpId emit_control_flow(const torch::jit::Node& node, const std::string& type,
                         const std::vector<Abstract>& values);
  std::size_t times_of_arm(const AbstractValue& condition) const;
  Abstract join(const Abstract& a, const Abstract& b, const Decision& decision, OpId op,
                std::size_t& output);
  bool walk_region(Region::Kind kind, std::size_t number, const PathCondition& path,
                   std::size_t times, std::size_t guard, const torch::jit::Block& block,
                   Environment& environment, RegionId& region);

  // walk_loops.cpp
  static constexpr std::size_t most_trips = 1U << 20; ///< more are taken for as many
  struct Trips {
    bool never = false;
    bool counted = false;  ///< the count is that of the file
    std::size_t count = 0; ///< where it is not, enough to call a module again
  };
  static Trips trips_of(const torch::jit::Block& body, const Inputs& inputs);
  Abstract loop_counter(const Trips& trips);
  Abstract value_after_loop(const std::vector<Abstract>& first_and_last, const c10::TypePtr& type,
                            OpId loop, std::size_t output);
  void walk_loop(const torch::jit::Node& node, Environment& environment);
  void walk_loop_body(const torch::jit::Node& node, const Trips& trips, const Inputs& inputs,
                      Environment& environment);

  // walk_values.cpp: attributes, elements, children of containers
  Abstract get_attribute(const torch::jit::Node& node, const Abstract& self);
  void set_attribute(const torch::jit::Node& node, const Inputs& inputs);
  Abstract from_ivalue(const c10::IValue& value, const c10::ivalue::Object* owner,
                       const std::string& name);
  bool unpack(const torch::jit::Node& node, const Abstract& value, Environment& environment);
  Abstract element(const Abstract& list, const Abstract& index, const c10::TypePtr& type);
  Abstract child_of(const torch::jit::Node& node, const Inputs& inputs);
  Abstract any_of(const std::vector<Abstract>& values, const c10::TypePtr& type);

  // walk_collections.cpp: lists and dicts
  std::optional<Abstract> collection_operator(const torch::jit::Node& node, const Inputs& inputs);
  std::optional<Abstract> items_operator(const std::string& kind, const torch::jit::Node& node,
                                         const Inputs& inputs);
  Abstract made(std::vector<Abstract> values, bool exact) const;
  void changed(Items& items) const;
  Abstract make_dict(const Inputs& inputs) const;
  std::optional<Abstract> is_instance(const torch::jit::Node& node, const Abstract& value) const;
  Abstract appended(const Abstract& list, const std::vector<Abstract>& more, bool exact) const;
  Abstract set_item(const Abstract& collection, const Abstract& key, const Abstract& value) const;
  Abstract inserted(const Abstract& list, const Abstract& index, const Abstract& value) const;
  std::optional<Abstract> dict_of(const Inputs& inputs) const;
  Abstract popped(const Abstract& list, const Abstract& index, const c10::TypePtr& type);
  Abstract get_item(const Inputs& inputs, const c10::TypePtr& type);
  Abstract dict_view(const Items& dict, const std::string& view) const;

  // walk_operators.cpp
  void walk_operator(const torch::jit::Node& node, const Inputs& inputs, Environment& environment);
  Op describe(const torch::jit::Node& node, const Inputs& inputs);
  enum class Gather { everything, only_products };
  Gathered gather(const Inputs& inputs, Gather what = Gather::everything) const;
  OpId emit(Op op, const std::vector<Operand>& operands);
  OpKind kind_of(const torch::jit::Node& node, const Inputs& inputs) const;
  bool is_scalar_constant(const Operand& operand) const;
  void bind_outputs(const torch::jit::Node& node, const Inputs& inputs, OpId op, bool query,
                    Environment& environment);
  Abstract result(const c10::TypePtr& type, OpId op, std::size_t& output, bool query);
  static void note_counter(const torch::jit::Node& node, const Inputs& inputs,
                           AbstractValue& result);
  bool begin_expanded(const torch::jit::Node& node, const Inputs& inputs, Environment& environment);
  void finish_expanded(const torch::jit::Node& node, const Inputs& inputs, Op& op);
  void negate(const torch::jit::Node& node, const Inputs& inputs, AbstractValue& result);
  void redirect(const Abstract& value, OpId op);
  void redirect_in_place(const torch::jit::Node& node, const Inputs& inputs, OpId op);
  void note_written(const torch::jit::Node& node, const Inputs& inputs);
  void redirect_written(const Inputs& inputs, OpId op);

  // walk_state.cpp: what is kept from one call to the next
  std::vector<StateRecord::Node> read_by(const torch::jit::Node& node, const Inputs& inputs);
  void note_state(const torch::jit::Node& node, const Inputs& inputs,
                  const std::vector<StateRecord::Node>& read);
  void note_shared_state(const torch::jit::Node& node, const Inputs& inputs,
                         const Environment& environment);
  void note_computed(const torch::jit::Node& node, StateRecord::Node begin,
                     const std::vector<StateRecord::Node>& read, const Environment& environment);
  void note_assignment(const torch::jit::Node& node, const Abstract& self, const Abstract& value);
  StateWrite state_write(const torch::jit::Node& node);
  ModuleId module_of(const c10::ivalue::Object& object) const;

  // walk_node_map.cpp: what becomes of which node
  NodeMap::Context context_of(const torch::jit::Node& call, const void* object = nullptr);
  void note(const torch::jit::Node& node, NodeRecord record, const Inputs& outputs);
  void note(const torch::jit::Node& node, NodeRecord record, const Environment& environment);
  void note_body(const torch::jit::Node& node);
  void note_root_leaf(NodeRecord record, const Abstract& returned);
  void note_known(const torch::jit::Value& value, const Abstract& is);
  void note_known(const torch::jit::Node& node, const Environment& environment);
  void note_model_input(std::size_t argument, OpId op, const Abstract& value);

  std::string unique_name(const std::string& type);
  std::string claim_name(const std::string& name);
  void find_mutable_attributes();

  ConnectedGraph& graph_;
  torch::jit::Module root_;
  ModuleTable modules_;
  SourceFrames frames_;
  std::size_t nodes_left_;
  NodeMap* map_;

  Call* call_ = nullptr;  ///< the call being walked
  std::size_t depth_ = 0; ///< calls around
  RegionId region_ = none;
  PathCondition path_;
  std::size_t times_ = 1;                 ///< trip counts of the loops around
  std::map<RegionId, std::size_t> trips_; ///< of each loop that is open
  std::size_t open_loops_ = 0;
  std::vector<Operator>* collecting_ = nullptr; ///< inside a leaf: operators go here
  std::set<const AbstractValue*> written_;      ///< values a leaf has changed in place

  std::map<std::uint64_t, std::size_t> decisions_;
  std::uint64_t next_number_ = 1;
  std::size_t next_if_ = 0;
  std::size_t next_loop_ = 0;
  std::map<std::string, std::size_t> name_counters_;
  std::set<std::string> taken_names_;
  std::map<std::pair<const void*, std::string>, Abstract> attributes_;
  std::set<std::pair<const c10::ClassType*, std::string>> mutable_attributes_; ///< set anew
  std::set<std::pair<const c10::ClassType*, std::string>> filled_attributes_;  ///< changed in place
  StateRecord state_;
  std::map<ModuleId, Calls> calls_;
  std::size_t calls_so_far_ = 0;
};

} // namespace model_validator::torchscript
