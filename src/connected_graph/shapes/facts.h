#pragma once

#include "connected_graph/shapes/size.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::shapes {

/// When a runtime notices that operands do not fit.
enum class Fails : std::uint8_t { at_load, when_run };

/// Operands that cannot fit, whatever the sizes of free axes.
struct Mismatch {
  std::size_t node = 0;
  std::string name;     ///< of the node in the file; may be empty
  std::string sentence; ///< what cannot be: a clause
  std::string reason;   ///< the same as profiles call it: `pad-count`, `unequal: one at 2`
  std::vector<std::string> origins; ///< where each operand comes from: clauses
  Fails fails = Fails::when_run;
  bool conditional = false;             ///< sizes, or what is stored, choose whether it runs
  std::string schema = {};              ///< of its operator: `onnx::Tile`
  std::vector<std::size_t> inputs = {}; ///< whose shapes do not fit
};

/// A demand of a node that leaves a free axis only one size, or few.
struct Demand {
  std::size_t node = 0;
  Sizes::Solution solution;
  std::string name;     ///< of the node in the file; may be empty
  std::string sentence; ///< why: a clause
  bool or_one = false;  ///< 1 would do as well
  Size a, b;            ///< which must be equal
};

/// A free axis that may only grow so far: a table of positions ends.
struct Limit {
  std::size_t node = 0;
  Size size;
  std::int64_t most = 0;
};

/// A node from which on no type decides how many axes there are.
struct OpenRank {
  std::size_t node = 0;
  std::string kind; ///< of form, as profiles call it
  std::string sentence;
};

/// What nodes demand of sizes.
struct Facts {
  std::vector<Mismatch> mismatches;
  std::vector<Demand> demands;
  std::vector<Limit> limits;
  std::vector<OpenRank> open_ranks;
};

} // namespace model_validator::shapes
