#include "introspection/state_difference.h"

#include "introspection/torchscript_weights.h"
#include "introspection/weight_store.h"

#include <model_validator/graph_reader.h>

#include <map>
#include <set>

namespace model_validator {
namespace {

struct SavedTensor {
  std::string kind; ///< dtype and shape
  std::string hash;
  std::set<std::string> sharing; ///< all names of its storage
};

using State = std::map<std::string, SavedTensor>;

std::string kind_of(const StoredWeights& tensor) {
  std::string text = tensor.dtype;
  for (const std::uint64_t size : tensor.shape) text += ' ' + std::to_string(size);
  return text;
}

bool is_made_up(const std::string& name) { return name.find("::") != std::string::npos; }

State state_of(const std::filesystem::path& file) {
  const bool torchscript = recognise(file) == FileFormat::torchscript;
  const auto tensors = torchscript ? list_torchscript_state(file) : list_named_weights(file);
  const auto hashes = hash_weights(tensors);
  std::map<std::string, std::set<std::string>> storages;
  State state;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = is_made_up(tensors[i].name) ? hashes[i] : tensors[i].name;
    state[name] = {kind_of(tensors[i]), hashes[i], {}};
    if (torchscript) storages[tensors[i].entry].insert(name);
  }
  for (const auto& [entry, names] : storages)
    for (const std::string& name : names) state[name].sharing = names;
  return state;
}

/// A name that is new shares nothing that was there, or it would be named here.
void compare(const std::string& name, const SavedTensor& before, const SavedTensor& after,
             StateDifference& difference) {
  if (before.kind != after.kind)
    difference.reshaped.push_back(name);
  else if (before.hash != after.hash)
    difference.changed.push_back(name);
  if (before.sharing != after.sharing) difference.resharing.push_back(name);
}

} // namespace

StateDifference compare_states(const std::filesystem::path& first,
                               const std::filesystem::path& second) {
  const State before = state_of(first);
  const State after = state_of(second);
  StateDifference difference;
  difference.tensors = before.size();
  for (const auto& [name, tensor] : before) {
    const auto found = after.find(name);
    if (found == after.end())
      difference.lost.push_back(name);
    else
      compare(name, tensor, found->second, difference);
  }
  for (const auto& [name, tensor] : after)
    if (!before.count(name)) difference.added.push_back(name);
  return difference;
}

} // namespace model_validator
