#pragma once

#include "verify/compare/limits.h"
#include "verify/compare/runs.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// A difference that the other runs do not explain.
struct Excess {
  std::string words; ///< `index 5 of axis 1 is off by 0.3 (root mean square), …`
  double times;      ///< how many times what is allowed
};

/// The worst difference beyond what the limits allow; none where the runs explain all of it.
/// @param tolerated  |difference| that needs no explanation
/// @param seldom  how many times what chance makes of it the scale of the output may be off
std::optional<Excess> find_excess(const OutputRuns& runs, const NoiseLimits& limits,
                                  double tolerated, double seldom = Limits{}.seldom);

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
Excuses find_excuses(const OutputRuns& runs, const NoiseFacts& facts, const Limits& limits = {});

/// Whether another run moves a whole number to the same side as the candidate does, and about as
/// far.
bool is_shown(const OutputRuns& runs, std::size_t element, const Limits& limits = {});

/// Rows, along the last axis, whose greatest value is another in the candidate by more than the
/// noise of the two values that compete.
struct Winners {
  std::size_t rows = 0, changed = 0, unexplained = 0;
  std::string first; ///< of the unexplained ones: `(3): 17 instead of 5`
};
Winners compare_winners(const OutputRuns& runs, const NoiseFacts& facts, const Limits& limits = {});
/// What varies in the reference and is one number throughout in the candidate: the output, or what
/// lies at an index of an axis.
struct Lost {
  std::string words; ///< `index 4 of axis 1 varies by 0.9 in the reference …`
  bool is_whole = false;
};
/// @param negligible  variation of the reference that need not show
std::optional<Lost> find_lost(const OutputRuns& runs, double negligible);

/// Whether the errors have half the energy of the results or more (an SQNR of 3 dB or less), so
/// that little of these is left.
/// @param visible  what the errors are at least (root mean square)
bool is_drowned(const OutputRuns& runs, double visible);

/// Whether any row has another winner; needs no other run.
bool any_other_winner(const OutputRuns& runs);

} // namespace model_validator::verify
