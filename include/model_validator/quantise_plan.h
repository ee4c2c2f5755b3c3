#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/quantiser_rules.h>
#include <model_validator/target_profile.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// What becomes of one node of the file.
struct PlannedNode {
  enum class State : std::uint8_t {
    quantised, ///< all that it reads and yields
    partly,    ///< not all of it
    removed,   ///< another node does its work
    stays,     ///< in float
  };
  std::string name; ///< in the file
  std::string type; ///< `Conv`
  OpId op = none;   ///< the op that it is part of
  State state = State::stays;
  std::string reason; ///< why it is not quantised; empty if it is
  bool known = false; ///< of an operator that the quantiser takes
};
const char* to_string(PlannedNode::State state);

/// What a quantiser will make of a float model, by structure alone.
struct QuantisePlan {
  std::string target;
  std::string scheme;              ///< as asked for: `int4:g128`
  bool quantised = false;          ///< the file is already: it plans a second quantisation
  std::vector<PlannedNode> nodes;  ///< in execution order, without those that handle sizes alone
  std::uint64_t float_bytes = 0;   ///< of all constants, as they are
  std::uint64_t planned_bytes = 0; ///< of all constants, with their scales and zero points
};

/// The scheme of a quantiser: `int8`, `int4:g128`. @throws Error (`usage`) with those that it has
QuantisationScheme find_scheme(const TargetProfile& target, std::string_view name);

/// @throws Error (`usage`) if the graph holds no nodes that the target's rules speak of
QuantisePlan plan_quantisation(const ConnectedGraph& graph, const TargetProfile& target,
                               const QuantisationScheme& scheme);

} // namespace model_validator
