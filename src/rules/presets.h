#pragma once

#include <model_validator/lint.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// `quantise`, for which every rule stays as it is; the preset where none is named.
inline constexpr std::string_view standard_preset = "quantise";

/// Those that `--preset` takes.
std::vector<std::string> preset_names();

/// Whether a preset turns a rule off that is on by default. `deploy` is for those who compile a
/// model as it is: it leaves out what only quantisers ask for.
bool preset_leaves_out(std::string_view preset, std::string_view rule);

/// @throws Error (`usage`) for a preset that does not exist
void require_preset(const std::string& name);

/// How many open findings the preset `deploy` would leave out.
std::size_t asked_by_quantisers(const ModelReport& report);

} // namespace model_validator
