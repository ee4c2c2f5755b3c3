#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/own_weights.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <optional>

// Each of these runs a model in a process of its own, which opens it once: a crash, a hang or
// exhausted memory there is reported, and does not end the run.
namespace model_validator::verify {

/// @throws Error where the request names a device that is not there
void check_device(const VerifyRequest& request);

/// @throws Error where the reference does not finish
RunResults run_reference(const ComparedPair& pair);

/// Adds to the report what else the candidate did.
/// @param reference_is_steady  a candidate need not be steadier than its reference
/// @returns nothing when the candidate did not finish; the report says why
std::optional<RunResults> run_candidate(const ComparedPair& pair, bool reference_is_steady,
                                        VerifyReport& report);

/// Runs the candidate in another way. @param optimise  whether the backend may change it
/// @throws Error where it does not finish, or the backend is not there
RunResults run_candidate_otherwise(const ComparedPair& pair, const std::string& backend,
                                   bool optimise);

/// A run of a copy in few bits in which nothing is rounded, and weights are the reference's.
struct UnroundedRun {
  RunResults results;
  std::vector<WeightMisfit> misfits;
  bool is_complete = false; ///< nothing is left in few bits
};
/// Whether a candidate is a file of ONNX that stores weights, or computes, in few bits.
bool can_be_unrounded(const ComparedPair& pair);
/// Of such a copy. @throws Error where that is impossible
UnroundedRun run_candidate_unrounded(const ComparedPair& pair);

/// Runs a copy in few bits as its file says: without optimisations, and with products of whole
/// numbers added in float32, where none is too large. @throws Error where that is impossible
RunResults run_candidate_as_written(const ComparedPair& pair);

/// Runs the reference with its weights and results rounded as the candidate rounds them: first to
/// the nearest, then in other places each time. @throws Error where that is impossible
std::vector<RunResults> run_reference_narrowed(const ComparedPair& pair, std::size_t runs);

/// Runs the reference with its inputs, weights and constants moved by some roundings, by others
/// each time. @throws Error where that is impossible
std::vector<RunResults> run_reference_moved(const ComparedPair& pair, std::size_t runs);

/// Runs the reference with what it stores rounded to the candidate's halves, and computes as ever.
/// @throws Error where that is impossible
RunResults run_reference_with_weights_in_halves(const ComparedPair& pair);

/// Runs the candidate in float64, whatever it says that it computes in.
/// @throws Error where that is impossible
RunResults run_candidate_in_float64(const ComparedPair& pair);

/// Runs the reference in float64. @throws Error where that is impossible
RunResults run_reference_in_float64(const ComparedPair& pair);

/// In dB, what a layer may keep less than rounding explains: quantisers choose scales in more than
/// one way, of which one costs a bit of the width.
inline constexpr double margin_of_layer = 6;

/// A layer of a quantised copy that keeps less than its own rounding would.
struct LostLayer {
  std::string name;
  std::string first;      ///< the reference's first node of it, where the copy has no such value
  double kept, explained; ///< signal to noise in dB
  double greatest;        ///< magnitude of the reference's values
};
/// Compares each layer, on the reference's inputs, with the reference's own layer rounded as the
/// copy stores it; only for files of ONNX. @throws Error where that is impossible
std::vector<LostLayer> lost_layers(const ComparedPair& pair);

/// The first op whose numbers are too large for float16, in a candidate of ONNX that computes in
/// it; none where no op's are. Runtimes for CPUs compute float16 in float32, and do not show it.
/// @throws Error where that is impossible
std::optional<std::string> op_beyond_float16(const ComparedPair& pair);

/// One call of a sample.
struct CallId {
  std::size_t sample = 0;
  std::size_t step = 1;
};

/// Why the first op that differs is not looked for there, as a sentence; empty where it can be.
std::string why_not_localized(const ComparedPair& pair, const CallId& call);

/// Seeks the first op that differs, in one call.
void localize_difference(const ComparedPair& pair, const CallId& call, VerifyReport& report);

} // namespace model_validator::verify
