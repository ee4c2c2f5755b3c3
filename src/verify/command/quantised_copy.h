#pragma once

#include "verify/command/model_file.h"
#include "verify/command/precision.h"

#include <model_validator/connected_graph.h>
#include <model_validator/verify/request.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator::verify {

/// In how few bits a candidate computes or stores what its reference has in more.
struct NarrowCopy {
  Narrowing narrowing;
  std::vector<bool> outputs; ///< which of its outputs depend on that

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
