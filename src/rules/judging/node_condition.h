#pragma once

#include <model_validator/file_rules.h>
#include <model_validator/program.h>

#include <string>
#include <vector>

namespace model_validator::rules {

enum class Holds : char { no, unknown, yes };

/// Whether a value is one of these, or one of its items where it is a list.
bool any_item_is(const std::vector<ConstraintValue>& values, const AttributeValue& value);

/// Whether all conditions of a refusal hold for a node; unknown where that depends on what the file
/// does not say.
Holds holds(const NodeRefusal& refusal, NodeView node);

/// What the file does not say of a node, and what happens if it is as the refusal has it:
/// `the file does not state the rank of input 0; with rank 6 it is refused: no such kernel`.
std::string undecided(const NodeRefusal& refusal, NodeView node);

} // namespace model_validator::rules
