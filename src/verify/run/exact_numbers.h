#pragma once

namespace model_validator::verify {

/// Smaller whole numbers among a model's weights and constants are flags, labels and sentinels,
/// which are exact: masks compare them. Larger ones are whole because floats of their size are.
inline constexpr double least_inexact_whole = 1 << 20;

} // namespace model_validator::verify
