#pragma once

#include "connected_graph/torchscript/code/dependence.h"

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::torchscript {

/// What a walk has seen of a model's attributes and of what is computed from them.
struct StateFacts {
  using Node = Dependence::Node;
  /// An attribute of an object of the file.
  using Key = std::pair<const void*, std::string>;
  static constexpr std::size_t outside = static_cast<std::size_t>(-1);

  struct Attribute {
    ModuleId module = none;
    Node before = Dependence::nothing; ///< what the previous call left there
    bool looked_at = false;            ///< the model reads it, before or after it is set
  };
  struct Write {
    Key key;
    StateWrite place;
    Node stored = Dependence::nothing; ///< including what it is updated from in place
    Node after = Dependence::nothing;  ///< what the attribute holds from then on
    std::size_t arm = outside;
  };
  /// An `if` with an unknown condition, or a loop.
  struct Guard {
    Node decides = Dependence::nothing;
    bool loop = false;
  };
  /// What runs only if a guard decides so.
  struct Arm {
    std::size_t guard = 0;
    std::size_t around = outside;
    Node decided = Dependence::nothing; ///< depends on all that decides whether it runs
  };

  Dependence graph;
  std::vector<Node> inputs;
  std::map<Key, Attribute> attributes;
  std::vector<Write> writes;
  std::vector<Guard> guards;
  std::vector<Arm> arms;
};

/// The writes that matter when the model is exported, in the order in which they were seen.
///
/// A write has `read` set if results of a later call, or state kept for one, are computed from it,
/// and not if nothing in the model reads it. Left out are state that every call sets before reading
/// it; and state that decides nothing that a result depends on, such as whether a warning has been
/// given. What is only filled in, as caches are, has `filled` set as well.
std::vector<StateWrite> kept_state(const StateFacts& facts, Dependence::Node results);

} // namespace model_validator::torchscript
