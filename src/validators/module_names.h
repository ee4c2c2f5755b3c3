#pragma once

#include <model_validator/connected_graph.h>

#include <set>
#include <string>

namespace model_validator {

/// The attribute names that are taken in a model, and proposals that are not.
class ModuleNames {
public:
  explicit ModuleNames(const ConnectedGraph& graph);

  /// A name for a new child of the module at `parent`: `relu`, else the first free of `relu_2`,
  /// `relu_3`…
  std::string proposal(const std::string& parent, const std::string& name) const;
  /// The first free of `relu_2`, `relu_3`…
  std::string further(const std::string& parent, const std::string& name) const;

private:
  bool taken(const std::string& parent, const std::string& name) const;
  std::set<std::string> paths_;
};

/// ` in `Block.__init__``; without the class where it is not known.
std::string in_init_of(const std::string& class_name);

/// `` `self.relu = nn.ReLU()` ``
std::string assignment(const std::string& attribute, const std::string& value);

} // namespace model_validator
