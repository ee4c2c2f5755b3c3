#pragma once

#include <model_validator/lint.h>
#include <model_validator/target_profile.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

/// `quantise`, for which every rule stays as it is; the preset where neither a preset nor a target
/// is named.
inline constexpr std::string_view standard_preset = "quantise";

/// The preset where none is named: who names targets, none of which quantises, wants to compile the
/// model as it is.
std::string_view preset_for(const std::vector<std::shared_ptr<const TargetProfile>>& targets);

/// The rules that tell what only quantisers ask for.
std::vector<std::string> rules_for_quantisers();
bool is_for_quantisers(std::string_view rule);

/// Those that `--preset` takes.
std::vector<std::string> preset_names();

/// Whether a preset turns a rule off that is on by default. `deploy` is for those who compile a
/// model as it is: it leaves out what only quantisers ask for.
bool preset_leaves_out(std::string_view preset, std::string_view rule);

/// @throws Error (`usage`) for a preset that does not exist
void require_preset(const std::string& name);

} // namespace model_validator
