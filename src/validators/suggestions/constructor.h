#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// What a file shows about how a module was constructed, or would have to be.
struct ConstructorEvidence {
  std::vector<Attribute> attributes;
  std::vector<Parameter> parameters;
  std::vector<Operator> operators; ///< those that the module runs
};

/// The expression that constructs a module of a `torch.nn` class: `nn.Conv2d(3, 8, 3, padding=1)`.
///
/// Required arguments come first, then only those that differ from their defaults. `...` stands for
/// what cannot be recovered; nothing is guessed.
/// @param class_name  its last part: `Conv2d`
std::string construct(std::string_view class_name, const ConstructorEvidence& evidence);

/// The expression that constructs a module like this one. `Block(...)` for the user's own class.
std::string construct_like(const ConnectedGraph& graph, ModuleId module);

} // namespace model_validator
