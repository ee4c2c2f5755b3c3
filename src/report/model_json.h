#pragma once

#include "connected_graph/code_owners.h"
#include "files/json_text.h"
#include "report/summary.h"

#include <model_validator/lint.h>

namespace model_validator {

/// One model of `model_validator/1`.
Json to_json(const ModelReport& report);
Json to_json(const Diagnostic& finding, const CodeOwners& owners);
Json to_json(const RunSummary& summary);
Json to_json(const VerdictCounts& ops);

/// The name and version that machine-readable reports begin with.
inline constexpr const char* report_schema = "model_validator/1";

} // namespace model_validator
