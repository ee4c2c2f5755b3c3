#pragma once

#include "verify/compare/runs.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// How many times what other runs show a difference may be and still be explained by it.
struct NoiseLimits {
  double whole;   ///< root mean square over the output
  double group;   ///< over what lies at one index of an axis
  double element; ///< of one element
};

/// Honest float16 and bfloat16 copies of 12 small networks stay below 1.0, 2.2 and 6; faults of
/// 15 % in a layer begin at 1.2, 2.1 and 14. `same` of PyTorch's dynamo allows the whole 3.
inline constexpr NoiseLimits limits_of_halves{2, 3, 10};
/// Weights in four bits alone, likewise: 1.2, 3.0 and 9.3, and 1.1, 1.7 and 12.
inline constexpr NoiseLimits limits_of_few_bits{2, 3.5, 12};
/// Where values are stored in few bits as well, calibration chooses ranges in more than one way.
inline constexpr NoiseLimits limits_of_calibrated{3, 5, 25};
/// Where the rule for the output is not met: no element is judged by these, and inputs and weights
/// were moved by more than a compiler does.
inline constexpr NoiseLimits limits_of_rounding{8, 16, 1e300};

/// A difference that the other runs do not explain.
struct Excess {
  std::string words; ///< `index 5 of axis 1 is off by 0.3 (root mean square), …`
  double times;      ///< how many times what is allowed
};

/// The worst difference beyond what the limits allow; none where the runs explain all of it.
/// @param tolerated  |difference| that needs no explanation
std::optional<Excess> find_excess(const OutputRuns& runs, const NoiseLimits& limits,
                                  double tolerated);

/// Which elements their own noise explains, and what remains.
struct Excuses {
  std::vector<bool> excused;
  std::size_t count = 0;
  double greatest = 0;       ///< |difference| of those
  double noise = 0;          ///< of the noisiest of them
  bool is_undecided = false; ///< the noise of most elements reaches their own size
};

/// What else is known of the noise of an output.
struct NoiseFacts {
  double everywhere = 0; ///< noise that every element has
  bool in_steps = false; ///< chance decides which elements move by a step
};
Excuses find_excuses(const OutputRuns& runs, const NoiseFacts& facts);

/// Rows, along the last axis, whose greatest value is another in the candidate by more than the
/// noise of the two values that compete.
struct Winners {
  std::size_t rows = 0, changed = 0, unexplained = 0;
  std::string first; ///< of the unexplained ones: `(3): 17 instead of 5`
};
Winners compare_winners(const OutputRuns& runs, const NoiseFacts& facts);
/// Whether any row has another winner; needs no other run.
bool any_other_winner(const OutputRuns& runs);

} // namespace model_validator::verify
