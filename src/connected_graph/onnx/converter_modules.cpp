#include "connected_graph/onnx/converter.h"

#include <set>
#include <utility>

// Whose the weights are: a file names each once, after one of the modules that hold it.

namespace model_validator::onnx_format {
namespace {

/// A module is known by a few paths. Where many weights of a leaf each have another, that is no
/// sign of an alias, and what they own together would grow with the square of the file.
constexpr std::size_t most_owned_by_aliases = 1'000'000;

/// Exporters keep equal vectors once, such as the ones and zeros of untrained norms; and embeddings
/// are tied without being one module.
bool tells_alias(const Parameter& parameter, const Module& module) {
  return parameter.type.shape->size() > 1 && !module.class_name.ends_with(".Embedding");
}

} // namespace

/// The weights that each leaf uses. A weight that is named after another module says that this is
/// another path to the leaf, unless that module is in the file as something else.
std::vector<OwnedTensor> Converter::tensors_of_leaves() {
  std::vector<OwnedTensor> owned;
  std::map<ModuleId, std::vector<OwnedTensor>> of_leaf;
  std::map<ModuleId, std::set<std::string>> other_paths;
  std::set<ModuleId> called;
  for (const FlatNode& node : assembler_.nodes()) {
    if (node.stack.empty()) continue;
    const ModuleId leaf = node.stack.back().module;
    called.insert(leaf);
    for (const ParameterId id : node.parameters) {
      const Parameter& parameter = graph_.parameters()[id];
      const bool telling = tells_alias(parameter, graph_.module(leaf));
      owned.push_back({leaf, "", parameter.storage, telling});
      of_leaf[leaf].push_back(owned.back());
      const std::string path(parent_path(parameter.path));
      if (telling && !path.empty() && path != graph_.module_path(leaf) &&
          !is_nested_beyond_sense(path))
        other_paths[leaf].insert(path);
    }
  }
  for (const auto& [leaf, paths] : other_paths) {
    const std::vector<OwnedTensor>& tensors = of_leaf[leaf];
    const bool sensible = paths.size() * tensors.size() <= most_owned_by_aliases;
    for (const std::string& path : paths) {
      const ModuleId other = hierarchy_.at(path, graph_.module(leaf).class_name);
      if (called.count(other) != 0 || !sensible) continue;
      for (const OwnedTensor& tensor : tensors)
        owned.push_back({other, "", tensor.storage, tensor.telling});
    }
  }
  return owned;
}

/// Parameters belong to the module that their name begins with, where the file shows that module.
void Converter::attach_parameters() {
  std::map<std::string, ModuleId> by_path;
  for (ModuleId id = 0; id < graph_.modules().size(); ++id) {
    by_path[graph_.module(id).path] = id;
    for (const std::string& alias : graph_.module(id).aliases) by_path[alias] = id;
  }
  for (ParameterId id = 0; id < graph_.parameters().size(); ++id) {
    const std::string& path = graph_.parameters()[id].path;
    const auto owner = by_path.find(std::string(parent_path(path)));
    const bool named = path.find('.') != std::string::npos;
    if (named && owner != by_path.end()) graph_.modules()[owner->second].parameters.push_back(id);
  }
}

} // namespace model_validator::onnx_format
