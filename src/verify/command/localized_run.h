#pragma once

#include "verify/command/compared_pair.h"

#include <model_validator/verify/report.h>

#include <string>

namespace model_validator::verify {

/// One call of a sample.
struct CallId {
  std::size_t sample = 0;
  std::size_t step = 1;
};

/// Why the first op that differs is not looked for there, as a sentence; empty where it can be.
std::string why_not_localized(const ComparedPair& pair, const CallId& call);

/// Seeks the first op that differs, in one call: in a process that runs both models.
void localize_difference(const ComparedPair& pair, const CallId& call, VerifyReport& report);

} // namespace model_validator::verify
