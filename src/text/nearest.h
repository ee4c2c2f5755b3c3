#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace model_validator::rules {

/// The candidate with the fewest edits to `word`, the one that it abbreviates (`trt` of `tensorrt`)
/// where that takes more than one, else the first one that `word` is a part of, as names with
/// dashes have parts, or the one that it begins with; empty when none is near enough.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// `did you mean \`x\`?` for the nearest candidate, else the list of all of them.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

} // namespace model_validator::rules
