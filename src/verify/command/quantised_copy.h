#pragma once

#include "verify/command/model_file.h"
#include "verify/run/narrowing.h"

#include <model_validator/connected_graph.h>
#include <model_validator/verify/request.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// What a graph says of the precision of its values. Only what lies on a path to an output counts.
struct Precision {
  std::uint64_t quantised = 0;            ///< operators on quantised values that reach an output
  std::vector<std::uint8_t> on_quantised; ///< which outputs depend on one
  std::vector<std::string> computed_in;   ///< the least precise dtype on the way to each output
  std::string weights;                    ///< the least precise floating-point dtype of weights
  bool has_wide_values = false;
  Narrowing narrowing;
};

template <class Archive> void describe(Archive& archive, Precision& precision) {
  archive(precision.quantised, precision.on_quantised, precision.computed_in, precision.weights,
          precision.has_wide_values, precision.narrowing);
}

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

/// The same copy as if it rounded nothing but what it stores.
NarrowCopy stored_alone(NarrowCopy copy);

/// @param graph  null for a file that has none
Precision precision_of(const ModelFile& model, const ConnectedGraph* graph);

std::optional<NarrowCopy> narrow_copy_of(const Precision& reference, const Precision& candidate);

} // namespace model_validator::verify
