#pragma once

#include "verify/command/model_file.h"
#include "verify/run/narrowing.h"

#include <model_validator/verify/request.h>

#include <optional>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// In how few bits a candidate computes or stores what its reference has in more.
struct NarrowCopy {
  Narrowing narrowing;
  std::vector<bool> outputs;    ///< which of its outputs depend on that
  bool per_channel = false;     ///< some weights have a scale for each channel, or for each group
  bool has_wide_values = false; ///< some values between layers have sixteen bits

  bool is_quantised() const { return !narrowing.is_half(); }
  bool reaches(std::size_t output) const { return output >= outputs.size() || outputs[output]; }
};

/// What a user says of a candidate that no file does. @throws Error (`usage`) for a word that is
/// none of `precision_words`
NarrowCopy narrow_copy_named(std::string_view precision);

/// Reads the graphs of both files, in a process that can only compute. Only what lies on a path to
/// an output counts.
std::optional<NarrowCopy> find_narrow_copy(const ModelFile& reference, const ModelFile& candidate,
                                           const VerifyRequest& request);

} // namespace model_validator::verify
