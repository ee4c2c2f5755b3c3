#pragma once

#include <model_validator/verify/checkers.h>
#include <model_validator/verify/report.h>
#include <model_validator/verify/value.h>

#include <memory>

namespace model_validator::verify {

/// What is verified, with TT-Forge's names and defaults.
struct VerifyConfig {
  bool enabled = true; ///< false: both models still run, and nothing is compared
  bool verify_size = true;
  bool verify_dtype = true;
  bool verify_shape = true;
  bool verify_values = true;
  /// Other dtypes of the same kind (floating-point, whole numbers) are noted, and do not fail.
  bool allow_other_widths = false;
  std::shared_ptr<const ValueChecker> value_checker = std::make_shared<AutomaticValueChecker>();

  std::size_t worst = 8;  ///< worst elements kept for the report
  bool histogram = false; ///< error histograms for the report
  unsigned threads = 0;   ///< 0: one per core
};

/// Compares two results. Outputs are matched by name if both are dicts, otherwise by position.
/// @param sample  recorded in the report
VerifyReport compare(const Value& reference, const Value& candidate,
                     const VerifyConfig& config = {}, std::size_t sample = 0);

/// Adds the outputs, incidents and notes of another sample's report.
void merge(VerifyReport& report, VerifyReport sample);

} // namespace model_validator::verify
