#pragma once

#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/checkers.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// What is known of the noise of the reference's outputs before one is judged: from its graph, from
/// its float64 run, and from runs that are moved by some roundings.
class NoiseMeasurement {
public:
  NoiseMeasurement(const ComparedPair& pair, const RunResults& reference);

  /// Takes what the graph says, and what the float64 run says of the dtype that the network
  /// computes in, where there is one.
  void measure(const std::optional<RunResults>& float64);

  /// Runs the reference with its inputs, weights and constants moved by some roundings.
  void move_by_roundings();

  /// Some roundings of the numbers that the output is computed with, and what the network computes
  /// in; null where nothing is known.
  const NoiseFloor* floor_of(std::size_t call, const std::string& output) const;
  /// The runs that were made with inputs, weights and constants moved.
  const std::vector<RunResults>& moved() const noexcept { return moved_; }
  /// Whether the reference rounds to steps: then chance decides which elements move.
  bool rounds_to_steps() const noexcept { return pair_.noise.rounds_to_steps; }
  /// Whether the distance from the float64 run is one of rounding.
  bool believes_float64(std::size_t call, const std::string& output) const {
    return !doubtful_[call].contains(output);
  }

private:
  void take_float64(const RunResults& float64);
  void confirm_by(const RunResults& moved);

  const ComparedPair& pair_;
  const RunResults& reference_;
  std::vector<std::map<std::string, NoiseFloor>> floors_; ///< by call, then by output
  std::vector<RunResults> moved_;
  /// By call and output, a distance from the float64 run that is too large to be believed without a
  /// second witness.
  std::vector<std::map<std::string, double>> doubtful_;
};

} // namespace model_validator::verify
