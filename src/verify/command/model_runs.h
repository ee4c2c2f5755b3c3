#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/own_weights.h"
#include "verify/command/results.h"
#include "verify/localize/half_overflow.h"
#include "verify/run/isolated.h"

#include <model_validator/verify/report.h>

#include <optional>

// Each model runs in a process of its own, which opens it once and then answers whatever is asked
// of that model: a crash, a hang or exhausted memory there is reported, and does not end the run.
namespace model_validator::verify {

/// @throws Error where the request names a device that is not there
void check_device(const VerifyRequest& request);

/// How a model is run.
enum class RunKind : std::uint8_t {
  as_it_is,
  perturbed, ///< inputs, weights and constants moved by some roundings, by others each time
  narrowed,  ///< rounded as the candidate rounds: to the nearest, then in other places each time
  stored_narrowed, ///< what is stored rounded to the candidate's halves, and computed as ever
  float64,         ///< whatever the file says that it computes in
  as_written, ///< without optimisations, and with products of whole numbers added in float32, where
              ///< none is too large
  unrounded,  ///< with nothing rounded, and the reference's weights in place of those in few bits
  unrounded_where_alike, ///< the same, where these are theirs rounded
  layers,                ///< for `imprecise_layers`
  lost_layers,           ///< likewise, of which nothing but their largest values is left
  overflow               ///< for `op_beyond_float16`
};

enum class Side : std::uint8_t { reference, candidate };

/// Runs of one kind.
/// @param first_seed  of the first; each further one has the next
/// @throws Error where they are impossible, or do not finish
std::vector<RunResults> run_again(const ComparedPair& pair, Side side, RunKind kind,
                                  std::size_t count = 1, std::uint64_t first_seed = 0);

/// @throws Error where the reference does not finish
RunResults run_reference(const ComparedPair& pair);

/// Adds to the report what else the candidate did.
/// @param reference_is_steady  a candidate need not be steadier than its reference
/// @returns nothing when the candidate did not finish; the report says why
std::optional<RunResults> run_candidate(const ComparedPair& pair, bool reference_is_steady,
                                        VerifyReport& report);

struct UnroundedWeights {
  std::vector<WeightMisfit> misfits;
  bool is_complete = false;   ///< nothing is left in few bits
  bool are_all_found = false; ///< in the reference
  bool is_guessed = false;    ///< what steps that begin at zero stand for
};
/// Whether a candidate is a file of ONNX, LiteRT or OpenVINO that stores weights, or computes, in
/// few bits.
bool can_be_unrounded(const ComparedPair& pair);
struct UnroundedRuns {
  RunResults results;
  /// Where some weights are the file's own, or something is guessed, others in which these are
  /// moved within their steps, and it is guessed otherwise.
  std::vector<RunResults> moved;
  UnroundedWeights weights;
};
/// Runs such a copy with nothing rounded, and says how its weights fit the reference's.
/// @param kind  `unrounded`, or `unrounded_where_alike`
/// @throws Error where that is impossible
UnroundedRuns run_candidate_unrounded(const ComparedPair& pair, RunKind kind);

/// In dB, what a layer may keep less than rounding explains: quantisers choose scales in more than
/// one way, of which one costs a bit of the width.
inline constexpr double margin_of_layer = 6;

/// A layer of a quantised copy that keeps less than its own rounding would, or nothing.
struct LostLayer {
  std::string name;
  std::string first;      ///< the reference's first node of it, where the copy has no such value
  double kept, explained; ///< signal to noise in dB
  double greatest;        ///< magnitude of the reference's values
  bool is_lost;           ///< all but values a million times as large became one value
};
/// Whether the layers of a quantised copy can be compared one by one.
bool has_comparable_layers(const ComparedPair& pair);
/// Whether the file of a copy says in what steps it stores values, of which the copy without
/// rounding shows the numbers.
bool has_stepped_values(const ComparedPair& pair);
/// Compares each layer, on the reference's inputs, with the reference's own layer rounded as the
/// copy stores it; where only the file of the copy says so, each value, with what its steps make of
/// it. None for other files.
/// @throws Error where that is impossible
/// @param only_lost  leaves out layers that keep more than their largest values
std::vector<LostLayer> imprecise_layers(const ComparedPair& pair, bool only_lost);

/// The first op that leaves float16's range, in a candidate of ONNX that computes in it; none where
/// no op does. Runtimes for CPUs compute float16 in float32, and do not show it.
/// @throws Error where that is impossible
std::optional<HalfLoss> op_beyond_float16(const ComparedPair& pair);

/// How a process that runs models is confined.
Isolation isolation_in(const std::filesystem::path& folder, const VerifyRequest& request);
/// What a run threw, or how else its process ended.
Error error_of(const IsolatedOutcome& outcome, const std::string& path);
/// Bytes of what a process leaves besides results of models.
inline constexpr std::uint64_t max_value_size = std::uint64_t{64} << 20;

} // namespace model_validator::verify
