#pragma once

#include <model_validator/data/words.h>

namespace model_validator {

/// What keeps a value from zero, before it is divided by or a logarithm is taken of it.
inline constexpr auto guards = word_array<"add clamp clamp_min maximum">;
/// Between zero and one, and often near either.
inline constexpr auto probabilities = word_array<"softmax _softmax sigmoid">;

} // namespace model_validator
