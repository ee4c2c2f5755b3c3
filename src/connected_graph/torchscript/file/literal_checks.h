#pragma once

#include <torch/csrc/jit/frontend/tree_views.h>

#include <functional>
#include <string>

namespace model_validator::torchscript {

enum class DefinitionKind { named_tuple, enumeration, other };

/// What a qualified name, `__torch__.Point`, is certainly defined as; `other` if LibTorch may look
/// it up elsewhere.
using DefinitionLookup = std::function<DefinitionKind(const std::string& qualified_name)>;

/// Whether an expression is a literal, so that evaluating it runs no code of the file. Recursion is
/// as deep as the expression is nested.
bool is_literal(const torch::jit::Expr& expression, const DefinitionLookup& kind_of);

} // namespace model_validator::torchscript
