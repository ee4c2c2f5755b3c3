#include "connected_graph/onnx/weight_owners.h"

#include "connected_graph/module_depth.h"
#include "connected_graph/onnx/tensor.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace model_validator::onnx_format {
namespace {

/// A module has only a few paths. If many weights of a leaf each suggest a different one, that is
/// no sign of an alias, and the total would grow quadratically with the file.
constexpr std::size_t max_owned_by_aliases = 1'000'000;

/// Exporters store equal tensors of up to so many elements once, whoever owns them.
constexpr std::uint64_t max_merged_elements = 1024;

/// Whether a tensor has the numbers of trained or randomly initialised weights, which no other
/// tensor has. Ones, zeros, identities and filters repeat theirs.
bool has_its_own_numbers(const ::onnx::TensorProto& tensor, const OnnxFile& source) {
  const auto numbers = numbers_of(tensor, source.filtered, source.file, max_merged_elements);
  if (!numbers) return false;
  return 2 * std::unordered_set<double>(numbers->begin(), numbers->end()).size() > numbers->size();
}

bool is_too_large_to_merge(const Parameter& parameter) {
  std::uint64_t elements = 1;
  for (const std::int64_t size : *parameter.type.shape) {
    elements *= static_cast<std::uint64_t>(size);
    if (elements > max_merged_elements) return true;
  }
  return false;
}

/// Whether what else uses the tensor is the same module. Exporters store equal tensors once, such
/// as the weights of untrained norms, and equal results of what they compute beforehand, such as
/// masks: those have no path, and only in a module of torch are they its weights, transposed.
/// Vectors are often equal, and tied embeddings need not be one module.
class Evidence {
public:
  Evidence(const ConnectedGraph& graph, const StoredTensors& stored)
      : graph_(graph), stored_(stored) {}

  bool is_conclusive(ParameterId id, const Module& module) {
    const Parameter& parameter = graph_.parameters()[id];
    const std::string_view type = module.class_name;
    const bool computed = parameter.path.find('.') == std::string::npos;
    if (parameter.type.shape->size() < 2 || type.ends_with(".Embedding")) return false;
    return (!computed || type.empty() || type.starts_with("torch.nn.")) && is_unmerged(id);
  }

private:
  bool is_unmerged(ParameterId id) {
    const auto [known, first] = unmerged_.try_emplace(id);
    if (first)
      known->second = is_too_large_to_merge(graph_.parameters()[id]) ||
                      has_its_own_numbers(*stored_.of_parameters.at(id), stored_.source);
    return known->second;
  }

  const ConnectedGraph& graph_;
  const StoredTensors& stored_;
  std::map<ParameterId, bool> unmerged_;
};

/// The tensors that the modules of a file read, and the other paths that these are stored under.
struct ReadTensors {
  std::vector<OwnedTensor> all;
  std::map<ModuleId, std::vector<OwnedTensor>> of_leaf;
  std::map<ModuleId, std::set<std::string>> other_paths;
  std::set<ModuleId> called;
};

void take(const ConnectedGraph& graph, ModuleId leaf, ParameterId id, Evidence& evidence,
          ReadTensors& read) {
  const Parameter& parameter = graph.parameters()[id];
  const bool conclusive = evidence.is_conclusive(id, graph.module(leaf));
  read.all.push_back({leaf, "", parameter.storage, conclusive});
  read.of_leaf[leaf].push_back(read.all.back());
  const std::string path(parent_path(parameter.path));
  if (conclusive && !path.empty() && path != graph.module_path(leaf) && !is_nested_too_deeply(path))
    read.other_paths[leaf].insert(path);
}

ReadTensors read_tensors(const ConnectedGraph& graph, const Program& program, Evidence& evidence) {
  ReadTensors read;
  for (const ProgramNode& node : program.nodes) {
    if (node.stack.empty()) continue;
    const ModuleId leaf = node.stack.back().module;
    read.called.insert(leaf);
    for (const ValueId value : node.inputs)
      if (const ParameterId id = program.parameter_of(value); id != none)
        take(graph, leaf, id, evidence, read);
  }
  return read;
}

} // namespace

std::vector<OwnedTensor> tensors_of_leaves(const ConnectedGraph& graph, const Program& program,
                                           const StoredTensors& stored,
                                           ModuleHierarchy& hierarchy) {
  Evidence evidence(graph, stored);
  ReadTensors read = read_tensors(graph, program, evidence);
  for (const auto& [leaf, paths] : read.other_paths) {
    const std::vector<OwnedTensor>& tensors = read.of_leaf[leaf];
    const bool sensible = paths.size() * tensors.size() <= max_owned_by_aliases;
    for (const std::string& path : paths) {
      const ModuleId other = hierarchy.at(path, graph.module(leaf).class_name);
      if (read.called.contains(other) || !sensible) continue;
      for (const OwnedTensor& tensor : tensors)
        read.all.push_back({other, "", tensor.storage, tensor.conclusive});
    }
  }
  return std::move(read.all);
}

void attach_parameters(GraphBuilder& graph) {
  std::map<std::string, ModuleId> by_path;
  for (ModuleId id = 0; id < graph.modules().size(); ++id) {
    by_path[graph.module(id).path] = id;
    for (const std::string& alias : graph.module(id).aliases) by_path[alias] = id;
  }
  for (ParameterId id = 0; id < graph.parameters().size(); ++id) {
    const std::string& path = graph.parameters()[id].path;
    const auto owner = by_path.find(std::string(parent_path(path)));
    const bool named = path.find('.') != std::string::npos;
    if (named && owner != by_path.end()) graph.modules()[owner->second].parameters.push_back(id);
  }
}

} // namespace model_validator::onnx_format
