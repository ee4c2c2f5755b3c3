#include "connected_graph/torchscript/builder.h"

#include "connected_graph/attributes.h"
#include "connected_graph/module_aliases.h"
#include "connected_graph/quantised_products.h"
#include "connected_graph/torchscript/calls.h"
#include "connected_graph/torchscript/code/inlined_graph.h"
#include "connected_graph/torchscript/code/written_nodes.h"
#include "connected_graph/torchscript/walk.h"
#include "connected_graph/unfolding.h"

#include <torch/csrc/jit/passes/canonicalize.h>
#include <torch/csrc/jit/passes/dead_code_elimination.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>
#include <string_view>

namespace model_validator::torchscript {
namespace {

using CallsByModule = std::map<ModuleId, ModuleCalls>;

std::vector<OwnedTensor> tensors_of_modules(const ConnectedGraph& graph) {
  std::vector<OwnedTensor> owned;
  for (ModuleId module = 0; module < graph.modules().size(); ++module)
    for (const ParameterId id : graph.module(module).parameters) {
      const Parameter& parameter = graph.parameters()[id];
      if (parameter.storage != 0) owned.push_back({module, parameter.name, parameter.storage});
    }
  return owned;
}

/// The primary of each module: itself, or one of its copies.
std::vector<ModuleId> primaries(GraphBuilder& graph, const CallsByModule& calls, bool traced) {
  std::vector<ModuleId> primary = alias_primaries(graph.modules(), tensors_of_modules(graph));
  if (!traced) return primary;
  std::map<ModuleId, std::size_t> called;
  for (const auto& [module, of_module] : calls) ++called[primary[module]];
  for (ModuleId m = 0; m < primary.size(); ++m)
    if (called[primary[m]] > 1) primary[m] = m;
  return primary;
}

std::vector<ParameterId> parameter_primaries(const ConnectedGraph& graph,
                                             const std::vector<ModuleId>& primary) {
  std::vector<ParameterId> result(graph.parameters().size());
  std::iota(result.begin(), result.end(), ParameterId{0});
  for (ModuleId m = 0; m < primary.size(); ++m) {
    if (primary[m] == m) continue;
    for (const ParameterId copy : graph.module(m).parameters)
      for (const ParameterId original : graph.module(primary[m]).parameters)
        if (graph.parameters()[copy].name == graph.parameters()[original].name)
          result[copy] = original;
  }
  return result;
}

/// Keeps the parameters that are their own primary. @return the new one for each old one
std::vector<ParameterId> merge_parameters(GraphBuilder& graph,
                                          const std::vector<ParameterId>& primary) {
  std::vector<ParameterId> now(primary.size());
  std::vector<Parameter> kept;
  for (ParameterId id = 0; id < primary.size(); ++id)
    if (primary[id] == id) {
      now[id] = kept.size();
      kept.push_back(std::move(graph.parameters()[id]));
    }
  for (ParameterId id = 0; id < primary.size(); ++id) now[id] = now[primary[id]];
  graph.parameters() = std::move(kept);
  return now;
}

void renumber(GraphBuilder& graph, const std::vector<ModuleId>& modules,
              const std::vector<ParameterId>& parameters) {
  const auto renumber_module = [&modules](ModuleId& id) { id = id == none ? none : modules[id]; };
  for (Module& module : graph.modules())
    for (ParameterId& id : module.parameters) id = parameters[id];
  for (OpId id = 0; id < graph.op_count(); ++id) {
    Op& op = graph.op(id);
    renumber_module(op.module);
    renumber_module(op.parent);
    for (ParameterId& parameter : op.parameters) parameter = parameters[parameter];
  }
}

/// Any second call reuses a leaf with weights. In any other module each method counts separately:
/// one call each of `encode` and `decode` reuses nothing.
std::size_t calls_of(const Module& module, const ModuleCalls& calls) {
  if (module.leaf && !module.parameters.empty()) return largest_total(calls.conditions);
  std::map<std::string, std::vector<WeightedCondition>> by_method;
  for (std::size_t i = 0; i < calls.sites.size(); ++i)
    by_method[calls.sites[i].method].push_back(calls.conditions[i]);
  std::size_t most = 0;
  for (const auto& [method, conditions] : by_method)
    most = std::max(most, largest_total(conditions));
  return most;
}

void enter_calls(GraphBuilder& graph, const CallsByModule& calls,
                 const std::vector<ModuleId>& number) {
  std::map<ModuleId, ModuleCalls> merged;
  for (const auto& [module, of_copy] : calls) {
    ModuleCalls& all = merged[number[module]];
    all.conditions.insert(all.conditions.end(), of_copy.conditions.begin(),
                          of_copy.conditions.end());
    all.sites.insert(all.sites.end(), of_copy.sites.begin(), of_copy.sites.end());
    all.order.insert(all.order.end(), of_copy.order.begin(), of_copy.order.end());
  }
  for (auto& [id, all] : merged) {
    Module& module = graph.modules()[id];
    module.calls = calls_of(module, all);
    std::vector<std::size_t> by_time(all.sites.size());
    std::iota(by_time.begin(), by_time.end(), std::size_t{0});
    std::sort(by_time.begin(), by_time.end(),
              [&order = all.order](std::size_t a, std::size_t b) { return order[a] < order[b]; });
    for (const std::size_t i : by_time) module.call_sites.push_back(all.sites[i]);
  }
}

/// Merges the modules that were one object in Python, and records how often each is called.
///
/// A TorchScript file holds a copy of a module for each of its attribute paths; only the storages
/// of the parameters are kept once. So modules of one class whose parameters and buffers, including
/// those of children, have the same storages under the same names were the same module. In a trace
/// a shared module is called through only one path: copies that are called through several are
/// different modules with tied weights, and stay separate. A copy without any parameter cannot be
/// recognised.
///
/// Dropped aliases take their parameters with them; ops and frames are redirected to the primary.
void merge_aliases(GraphBuilder& graph, CallsByModule calls, bool traced) {
  const std::vector<ModuleId> primary = primaries(graph, calls, traced);
  const auto parameters = merge_parameters(graph, parameter_primaries(graph, primary));
  const std::vector<ModuleId> modules = merge_modules(graph, primary);
  renumber(graph, modules, parameters);
  enter_calls(graph, calls, modules);
}

bool has_training(const Module& module) {
  return find_attribute(module.attributes, "training") != nullptr;
}

bool is_weight(const Op& op) {
  return op.kind == OpKind::constant && !op.outputs.empty() && op.outputs[0].shape &&
         !op.outputs[0].shape->empty();
}

/// Whether the op is in torch.nn's own code, which otherwise runs in torch.nn modules and functions
/// that have their own ops.
bool is_code_of_torch_nn(const ConnectedGraph& graph, const Op& op) {
  if (op.frame == none) return false;
  const std::string& file = graph.frames()[op.frame].location.file;
  return file.find("torch/nn/modules/") != std::string::npos ||
         file.find("torch/nn/functional.py") != std::string::npos;
}

/// A frozen file calls no module. Its root has lost even the attribute `training`, which every
/// Python module has but a module made in C++ may not. What identifies a frozen file is that it
/// holds weights as constants, or the inlined code of modules.
bool has_modules(const ConnectedGraph& graph) {
  const auto& modules = graph.modules();
  if (has_training(modules[0])) return true;
  if (std::any_of(modules.begin() + 1, modules.end(),
                  [](const Module& module) { return module.calls > 0; }))
    return true;
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (is_weight(graph.op(id)) || is_code_of_torch_nn(graph, graph.op(id))) return false;
  return true;
}

/// Without the names of classes, which are the user's (those of leaf modules are in the graph).
std::string without_classes(const std::string& text) {
  const std::string_view start = "__torch__.";
  const auto ends_name = [](char c) {
    return c != '.' && c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0;
  };
  std::string result;
  std::size_t from = 0;
  for (auto at = text.find(start); at != text.npos; at = text.find(start, from)) {
    const auto end =
        std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ends_name);
    result.append(text, from, at - from);
    from = static_cast<std::size_t>(end - text.begin());
  }
  return result.append(text, from);
}

void forget_names(at::ArrayRef<Value*> values) {
  for (Value* value : values) value->setDebugName("");
}

/// LibTorch leaves names of values and places in Python out of the outermost block alone.
void forget_names_and_places(Block* block) {
  forget_names(block->inputs());
  for (Node* node : block->nodes()) {
    node->setSourceRange(torch::jit::SourceRange());
    forget_names(node->outputs());
    for (Block* inner : node->blocks()) forget_names_and_places(inner);
  }
}

/// The code of `forward` with what it calls, as text that is the same whatever its values, lines
/// and modules without state are called, and in whichever process it was compiled. It holds what a
/// graph of ops leaves out, such as which round of a loop a value comes from. Empty for code whose
/// calls expand without limit.
std::string written_code(const torch::jit::Module& root) {
  const std::shared_ptr<Graph> inlined = inlined_graph(root, "forward");
  if (!inlined) return {};
  torch::jit::EliminateDeadCode(inlined);
  forget_names_and_places(inlined->block());
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  torch::jit::Canonicalize(inlined, false)->print(text, false);
  return without_classes(text.str());
}

} // namespace

GraphBuilder build_graph(const torch::jit::Module& root, const ReadOptions& options, NodeMap* map,
                         const UnsetObjects& unset) {
  GraphBuilder graph;
  Walk walk(root, graph, unfolding_limit(written_nodes(root), options.max_ops), map, unset);
  walk.run("forward");
  merge_aliases(graph, walk.calls(), walk.traced());
  mark_quantised_products(graph);
  graph.origin.format = FileFormat::torchscript;
  graph.origin.traced = walk.traced();
  graph.origin.has_modules = has_modules(graph);
  if (options.identity) graph.origin.statements.push_back({"code", written_code(root)});
  return graph;
}

} // namespace model_validator::torchscript
