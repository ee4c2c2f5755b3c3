#pragma once

#include "report/style.h"

#include <model_validator/quantise_plan.h>

#include <iosfwd>

namespace model_validator {

/// As tables for people: what becomes of the nodes of each operator, and the size.
void write_quantise_plan_text(std::ostream& out, const ConnectedGraph& graph,
                              const QuantisePlan& plan, const Style& style);
/// As one JSON object, `model_validator-quantise-plan/1`.
void write_quantise_plan_json(std::ostream& out, const ConnectedGraph& graph,
                              const QuantisePlan& plan);

} // namespace model_validator
