#pragma once

#include <model_validator/verdict.h>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace model_validator {

/// How many models of a run each target takes.
class TargetTally {
public:
  void add(const TargetVerdict& verdict);
  /// A line for each target: `openvino: 25 taken, 1 in part, 4 refused of 30`.
  std::vector<std::string> sentences() const;

private:
  std::vector<std::string> targets_; ///< in the order in which they were judged
  std::map<std::string, VerdictCounts> counts_;
};

} // namespace model_validator
