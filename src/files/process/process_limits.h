#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace model_validator::process {

/// What a process may use. What is not given is not limited.
struct Limits {
  std::optional<std::uint64_t> memory; ///< bytes of address space beyond those at its start
  std::optional<std::chrono::seconds> processor_time; ///< of all its threads together
  std::optional<std::chrono::milliseconds> time;      ///< from its start to its end
};

/// Holds the calling process to them, except for the time, which its parent watches.
void enter_limits(const Limits& limits);

} // namespace model_validator::process
