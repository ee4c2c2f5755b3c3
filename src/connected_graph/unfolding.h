#pragma once

#include <cstddef>

namespace model_validator {

/// How many operators a model may unfold into, which is bounded by what its file writes down: a
/// function is written once and unfolds at every call, so thirty functions that call each other
/// twice would otherwise take memory up to `max_ops` for a file of a few kilobytes.
/// @param written  operators in the file, those of a function once
/// @param max_ops  `ReadOptions::max_ops`, never exceeded; a tenth of it is free
constexpr std::size_t unfolding_limit(std::size_t written, std::size_t max_ops) noexcept {
  constexpr std::size_t factor = 10;
  const std::size_t free = max_ops / factor;
  return written < (max_ops - free) / factor ? free + factor * written : max_ops;
}

} // namespace model_validator
