#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::rules {

/// Of a node on some paths only, whose fault shows where it runs.
inline constexpr const char* may_not_run = "later";

/// What a node says against the definition of its operator, or its operands against each other.
/// Which runtime minds is its own affair: each was asked.
struct Contradiction {
  std::string kind;       ///< `dtype`
  std::string schema;     ///< `onnx::Clip`
  std::string where;      ///< NodePlaces, `may_not_run`, or empty
  std::string which = {}; ///< `1`: of several of that kind, the one that the check found; or empty
  std::string what = {};  ///< `int64`: what it found there; or empty
  bool runs = true;       ///< NodePlaces::runs

  /// As profiles call it, the finest first: `onnx::Clip dtype: 1: int64`, and `dtype` last. The
  /// finest is `Diagnostic::contradiction`, for those who write a profile.
  std::vector<std::string> names() const;
};

/// `sizes-0-1`: that the sizes of these inputs do not fit; `settings`: that attributes do not.
std::string kind_of_sizes(const std::vector<std::size_t>& inputs);

/// Whether no runtime is known to take such a kind as a rule.
bool is_minded_everywhere(std::string_view kind);

/// For `Diagnostic::refused_by`: those of the targets that do not take the file because of it;
/// every target where none is named that judges files by their nodes.
std::vector<std::string> refusers_of(const Contradiction& contradiction,
                                     const std::vector<const TargetProfile*>& targets,
                                     const ConnectedGraph& graph);

} // namespace model_validator::rules
