#pragma once

#include "verify/run/npz.h"

#include <model_validator/verify/report.h>

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What a model returned, as one process hands it to another.
struct RunResults {
  std::vector<NamedTensors> samples;
  std::vector<Incident> incidents; ///< inputs changed, not deterministic
};

/// Both work on a folder that exists.
void write_results(const std::filesystem::path& folder, const RunResults& results);
RunResults read_results(const std::filesystem::path& folder);

/// The outputs of a sample as a nested value with their names.
Value as_value(const NamedTensors& outputs);

/// Whether their names are keys, not positions in a list or tuple.
bool come_from_dict(const NamedTensors& outputs);
/// Such outputs as a dict, so that they are told by their names, whatever their order.
Value as_dict(const NamedTensors& outputs);

} // namespace model_validator::verify
