#pragma once

#include "introspection/edge_model.h"
#include "verify/command/precision.h"
#include "verify/localize/stepped_values.h"

#include <model_validator/file_format.h>
#include <model_validator/verify/inputs.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

using ReadEdgeModel = EdgeModel (*)(const std::filesystem::path& file);
/// Null for files of other formats.
ReadEdgeModel reader_of_edge_model(FileFormat format);

Precision precision_of_edge_model(const EdgeModel& model);

/// The values of a LiteRT model that are stored in steps of one scale, by the names under which
/// they are shown.
std::map<std::string, ValueSteps> steps_in_edge_model(const EdgeModel& model);

/// What eight bits of one scale hold of an input, which is stored so or rounded so first; nothing
/// for one that is not.
std::optional<ValueRange> range_of_input(const EdgeModel& model, std::size_t value);

} // namespace model_validator::verify
