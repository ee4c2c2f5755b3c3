#pragma once

#include "report/style.h"
#include "requests/reading.h"

#include <model_validator/quantiser_rules.h>
#include <model_validator/target_profile.h>

#include <filesystem>
#include <string>

namespace model_validator {

/// What a quantiser will make of a model, as text.
struct QuantisePlanRequest {
  std::string target = "onnxruntime-quantize";
  std::string scheme = "int8";
  std::string format = "table"; ///< table, json
  Style style;
  ReadOptions read;
};

/// @param target  with its rules
/// @throws Error
void describe_quantise_plan(const std::filesystem::path& file, const QuantisePlanRequest& request,
                            const TargetProfile& target, const QuantisationScheme& scheme,
                            Findings& found);

} // namespace model_validator
