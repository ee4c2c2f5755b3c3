#pragma once

#include <model_validator/connected_graph.h>

#include <string>
#include <vector>

namespace model_validator {

/// The first setting in which ops of two graphs differ, whatever the formats call it, in words:
/// `` `pads` is (1, 1, 1, 1) against (2, 2, 0, 0) ``. Empty where none does, or where it is not
/// known which setting of the one is which of the other.
std::string setting_difference(const ConnectedGraph& first, const std::vector<OpId>& ops,
                               const ConnectedGraph& second, const std::vector<OpId>& others);

/// A setting in words, and the op of the first graph that has it.
struct SettingDifference {
  std::string words;
  OpId op = none;
};

/// How ops differ that need not be of one kind; no words where they do not.
struct RegionDifferences {
  SettingDifference setting; ///< one that means the same in each
  /// The only number for which the candidate has another, be it that of an operator or of what an
  /// optimiser joined it with; or nothing, and no operator that another format or an optimiser may
  /// have put it into. What is folded into weights is in these: they are to be compared before.
  SettingDifference constant;
};
RegionDifferences region_differences(const ConnectedGraph& first, const std::vector<OpId>& ops,
                                     const ConnectedGraph& second, const std::vector<OpId>& others);

} // namespace model_validator
