#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

using KnownSizes = std::map<std::string, std::int64_t>;

/// The value of a size as files write it: `batch`, `past_sequence_length + sequence_length`,
/// `2*s0`,
/// `(h - 1)//2`. Nothing where it is no such expression or has a name that is not known.
std::optional<std::int64_t> evaluate_size(std::string_view text, const KnownSizes& known);

/// The names in such an expression, in order; the text itself where it is none.
std::vector<std::string> names_in_size(std::string_view text);

} // namespace model_validator::verify
