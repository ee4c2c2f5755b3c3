#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

namespace model_validator::verify {

/// What a model with caches gives for a text in one call, and piece by piece.
struct SelfCheck {
  RunResults whole; ///< cut into what each of the pieces should give
  RunResults pieces;
  std::int64_t elements = 0; ///< of the text
  std::int64_t first = 0;    ///< of its first piece
  std::int64_t length = 1;   ///< of each other piece
  std::string note;          ///< why they are longer than one
};

/// Whether a request names one model alone, and steps in which it is to be run.
bool is_self_check(const VerifyRequest& request);

/// Runs a model on a text as a whole, and on its beginning and then one element at a time (two,
/// where it takes no single one), each call with the caches of the one before. The pair is left
/// with the samples of the pieces.
/// @throws Error (`usage`) for a model that takes no caches; where it does not run
SelfCheck run_in_pieces(ComparedPair& pair);

} // namespace model_validator::verify
