#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/verify/inputs.h>

#include <optional>

namespace model_validator::verify {

/// The range of the steps that a quantiser gave what an op yields: of the data that it was
/// calibrated on. Nothing where no operator rounds it, or the file does not say how.
std::optional<ValueRange> calibrated_range(const ConnectedGraph& graph, OpId id);

/// What two ranges share. @param known  null: any
void narrow(std::optional<ValueRange>& known, const ValueRange& range);

} // namespace model_validator::verify
