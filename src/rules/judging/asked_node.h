#pragma once

#include <model_validator/program.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::rules {

/// What a runtime is asked about the nodes of a program, and about the program as a whole.
class AskedNodes {
public:
  /// @param program  outlives this
  explicit AskedNodes(const Program& program);

  /// All that a runtime's answer about a node by itself may depend on, in words: the operator, its
  /// opset and attributes, of each operand the dtype, the sizes, whether it is constant, and whole
  /// numbers that are, and the same of the nodes in its bodies. Nothing where the file's reader
  /// does not show all of that.
  std::optional<std::string> question(const ProgramNode& node) const;

  /// The question whose answer is that about a node: of one in a body, that of the outermost node
  /// around it.
  const std::optional<std::string>& question_around(const ProgramNode& node);

  /// The same of all nodes and of how they depend on each other, as a digest: models with the same
  /// one differ in weights alone.
  std::optional<std::string> whole() const;

private:
  const Program& program_;
  std::map<RegionId, std::vector<const ProgramNode*>> in_region_;
  std::map<RegionId, const ProgramNode*> around_; ///< the node whose body it is
  std::map<const ProgramNode*, std::optional<std::string>> of_outermost_;
};

/// Whether some size of a value, or its rank, is known only when the model runs.
bool has_open_sizes(const ProgramValue& value);

} // namespace model_validator::rules
