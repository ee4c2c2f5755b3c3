#pragma once

#include "verify/command/checker_choice.h"
#include "verify/command/compared_pair.h"
#include "verify/command/results.h"

#include <model_validator/verify/report.h>

#include <optional>
#include <vector>

namespace model_validator::verify {

using SampleFloors = std::vector<NoiseFloors>; ///< one per call

/// Whether an output differs by more than its own size allows, and in nothing else.
bool fails_by_size_alone(const OutputReport& output);
/// Whether any does.
bool fails_by_size_alone(const VerifyReport& report);

/// How far off a result is at most.
double greatest_error(const ScaleProfile& profile);

/// Measures the least difference that the reference's outputs can be held to.
class NoiseMeasurement {
public:
  NoiseMeasurement(const ComparedPair& pair, const RunResults& reference);

  /// What needs no more than one run: some roundings of the numbers that the outputs are computed
  /// with, what the network computes in, and a multiple of the reference's distance from its
  /// float64 run, where there is one.
  void measure(const std::optional<RunResults>& float64);

  /// Runs the reference with its inputs, weights and constants moved by some roundings, and takes
  /// its change for noise.
  void move_by_roundings();

  const SampleFloors& floors() const noexcept { return floors_; }
  /// Noise that all elements have, by the graph, and what the network computes in.
  const SampleFloors& floors_of_graph() const noexcept { return floors_of_graph_; }
  /// The runs that were made with inputs, weights and constants moved.
  const std::vector<RunResults>& moved() const noexcept { return moved_; }
  /// Whether the reference rounds to steps: then chance decides which elements move.
  bool rounds_to_steps() const noexcept { return graph_.rounds_to_steps; }
  /// Whether the distance from the float64 run is one of rounding.
  bool believes_float64(std::size_t call, const std::string& output) const {
    return doubtful_[call].count(output) == 0;
  }

private:
  /// What the graph of the reference says about its noise.
  struct GraphNoise {
    std::vector<double> magnitudes;       ///< one per output
    std::vector<std::string> computed_in; ///< the least precise dtype; empty where unknown
    bool rounds_to_steps = false;
    template <class Archive> friend void describe(Archive& archive, GraphNoise& noise) {
      archive(noise.magnitudes, noise.computed_in, noise.rounds_to_steps);
    }
  };
  static GraphNoise read_graph_noise(const ModelFile& model);

  void take_float64(const RunResults& float64);
  void take_moved(const RunResults& moved);

  const ComparedPair& pair_;
  const RunResults& reference_;
  GraphNoise graph_;
  SampleFloors floors_, floors_of_graph_;
  std::vector<RunResults> moved_;
  SampleFloors doubtful_; ///< what is too large to be believed without a second witness
};

} // namespace model_validator::verify
