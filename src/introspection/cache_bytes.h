#pragma once

#include <model_validator/model.h>

#include <cstdint>
#include <vector>

namespace model_validator {

/// What the caches that a model takes grow by with each element of a sequence: inputs named `past`,
/// [batch, heads, elements, size], or, where these leave other sizes free, outputs named `present`.
/// 0 where there are none.
std::uint64_t cache_bytes(const std::vector<Port>& inputs, const std::vector<Port>& outputs);

} // namespace model_validator
