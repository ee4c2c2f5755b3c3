#pragma once

#include "connected_graph/torchscript/op_writer.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace model_validator::torchscript {

/// How often a module can be called on one path, and from where.
struct ModuleCalls {
  std::vector<WeightedCondition> conditions;
  std::vector<CallSite> sites;
  std::vector<std::size_t> order; ///< per site, over all modules
};

/// Walks the calls of methods and functions. A torch module or function is one op; the code of any
/// other is walked.
class Calls {
public:
  Calls(WalkContext& context, Values& values, OpWriter& writer, NodeNotes& notes,
        WalkBlock walk_block);

  /// `prim::CallMethod`, `prim::CallFunction`, and `prim::fork`: a forked task is walked where it
  /// is started.
  Abstract method(const Node& node, const Inputs& inputs);
  Abstract function(const Node& node, const Inputs& inputs);
  Abstract fork(const Node& node, const Inputs& inputs);
  /// The model itself, which no node calls.
  Abstract root(const Graph& body, const std::string& method, const Inputs& arguments);

  const std::map<ModuleId, ModuleCalls>& of_modules() const noexcept { return of_modules_; }

private:
  Abstract walk(const Graph& body, const Inputs& arguments, Call& call);
  Abstract call_one(const Node& node, const Abstract& self, const Inputs& inputs);
  Abstract call_alternatives(const Node& node, const Abstract& candidate, const Inputs& inputs);
  Abstract call_each(const Node& node, const Abstract& container, const Inputs& inputs);
  Abstract one_of(const std::vector<Abstract>& results, const c10::TypePtr& type);
  std::size_t record(ModuleId module, const std::string& method);

  struct Leaf {
    OpId op = none;
    Gathered data;
    Abstract returned; ///< by its body
  };
  Leaf emit_leaf(const Graph& body, ModuleId module, const Inputs& inputs, Call& call);
  Leaf emit_function(torch::jit::Function& function, bool query, const Inputs& arguments,
                     Call& call);
  std::shared_ptr<const std::vector<Operator>> collect(const Graph& body, const Inputs& arguments,
                                                       Call& call, Abstract& returned);
  Abstract result_of(const Leaf& leaf, const c10::TypePtr& type, bool query);
  void note_leaf(const Node& node, Leaf leaf, const Abstract& returned);

  WalkContext& context_;
  Scope& scope_;
  Values& values_;
  OpWriter& writer_;
  NodeNotes& notes_;
  WalkBlock walk_block_;
  std::map<ModuleId, ModuleCalls> of_modules_;
  std::size_t so_far_ = 0;
};

} // namespace model_validator::torchscript
