#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace model_validator {

/// The attribute names that are taken in a model, and proposals that are not.
class ModuleNames {
public:
  explicit ModuleNames(const ConnectedGraph& graph);

  /// A name for a further child of the module at `parent`: the first free of `relu_2`, `relu_3`…
  std::string further(const std::string& parent, const std::string& name);
  /// A name for the module that a call in the code of the module at `parent` should use: the same
  /// for all instances of a class, and a different one for each call.
  std::string for_call(const std::string& parent, const std::string& name, const SourceCall& call);

private:
  /// A class, a place in its code, and the number of the call there.
  using Call = std::tuple<std::string, std::string, int, int, std::string, std::size_t>;
  /// Names with a number: those of a module by its path, or of a class.
  using Numbers = std::map<std::pair<std::string, std::string>, std::size_t>;

  bool taken(const std::string& parent, const std::string& name) const;
  std::set<std::string> paths_;
  std::map<Call, std::string> given_;
  std::set<std::pair<std::string, std::string>> given_in_; ///< class and name
  Numbers free_in_module_; ///< by module and name: no smaller number is free
  Numbers free_in_class_;  ///< the same, by class
};

/// The name of a module that runs an operation: `relu`; `sum_op` where TorchScript keeps the name
/// for a function of Python's.
std::string module_name_of(const std::string& operation);

/// ` in `Block.__init__``; without the class where it is not known.
std::string in_init_of(const std::string& class_name);

/// `` `self.relu = nn.ReLU()` ``
std::string assignment(const std::string& attribute, const std::string& value);

} // namespace model_validator
