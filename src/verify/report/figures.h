#pragma once

#include <model_validator/verify/report.h>

#include <string>
#include <vector>

namespace model_validator::verify {

/// A table row for an output, cell by cell.
struct OutputCells {
  std::string name;
  std::string shape;
  std::string dtype;
  std::string pcc;
  std::string max_abs;
  std::string max_rel;
  std::string mismatched;
  std::string non_finite; ///< both sides', where they differ: `0 → 3`
  std::string verdict;    ///< `same` or the checks that failed
};

OutputCells cells_of(const OutputReport& output, const VerifyReport& report);

/// The outputs as a table shows them: of those that agree and differ in one number of their names
/// alone, such as the caches of equal layers, only the one with the greatest difference, under the
/// name of all: `present.{0..31}.key`.
std::vector<OutputReport> shown_outputs(const VerifyReport& report);

/// `logits`, with the sample and the step where there are several.
std::string title_of(const OutputReport& output, const VerifyReport& report);

/// Outputs that do not pass.
std::size_t failures(const VerifyReport& report);

/// `same: 3 outputs agree` or `different: 1 of 3 outputs`
std::string conclusion(const VerifyReport& report);

/// The op where the two diverge, if that is known.
const OpComparison* first_divergent(const VerifyReport& report);

/// `conv2d_3 (layer1.0.conv1) at resnet.py:93:14`
std::string op_text(const OpComparison& op);

} // namespace model_validator::verify
