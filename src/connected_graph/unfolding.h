#pragma once

#include <cstddef>

namespace model_validator {

/// How many operators a model may unfold into, relative to what its file writes down: a function is
/// written once and unfolds at every call, so a file of a few kilobytes with thirty functions, each
/// calling the next one twice, would otherwise take memory up to `max_ops`.
/// @param written  operators in the file, counting each function once
/// @param max_ops  `ReadOptions::max_ops`, never exceeded; a tenth of it is free
constexpr std::size_t unfolding_limit(std::size_t written, std::size_t max_ops) noexcept {
  constexpr std::size_t factor = 10;
  const std::size_t free = max_ops / factor;
  return written < (max_ops - free) / factor ? free + factor * written : max_ops;
}

} // namespace model_validator
