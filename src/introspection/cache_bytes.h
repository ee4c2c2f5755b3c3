#pragma once

#include <model_validator/model.h>

#include <cstdint>
#include <vector>

namespace model_validator {

/// What the caches that a model takes grow by with each element of a sequence: inputs named `past`,
/// [batch, heads, elements, size]. 0 where it takes none, or leaves other sizes free.
std::uint64_t cache_bytes(const std::vector<Port>& inputs);

} // namespace model_validator
