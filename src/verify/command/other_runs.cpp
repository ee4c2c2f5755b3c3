#include "verify/command/other_runs.h"

#include "verify/command/model_process.h"

#include <model_validator/error.h>
#include <model_validator/verify/checkers.h>

#include <algorithm>
#include <limits>

namespace model_validator::verify {
namespace {

/// One that rounds to the nearest, as the candidate does, and two that round elsewhere: together
/// they show the size of what each element may be off by.
constexpr std::size_t narrowed_runs = 3;
/// A key that these runs move by so much, another may move by a few times as much.
constexpr double times_change_of_keys = 4;

/// Nothing where that is impossible.
template <class Run> auto possible(const Run& run) -> std::optional<decltype(run())> {
  try {
    return run();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

/// What the model that noise is measured on gives: the reference, or in place of stored results the
/// model at hand, with the names of the stored outputs.
RunResults measured_results(const ComparedPair& pair, const RunResults& reference) {
  if (!pair.golden) return reference;
  RunResults results = run_reference(pair);
  for (std::size_t i = 0; i < results.samples.size() && i < reference.samples.size(); ++i)
    for (std::size_t j = 0; j < std::min(results.samples[i].size(), reference.samples[i].size());
         ++j)
      results.samples[i][j].name = reference.samples[i][j].name;
  return results;
}

std::vector<Tensor> own_tensors(const NamedTensors& outputs) {
  std::vector<Tensor> tensors;
  for (const NamedTensor& output : outputs) tensors.push_back(output.tensor);
  return tensors;
}

} // namespace

OtherRuns::OtherRuns(const ComparedPair& pair, const RunResults& reference)
    : pair_(pair), reference_(reference) {}

void OtherRuns::measure() {
  if (noise_) return;
  measured_ = measured_results(pair_, reference_);
  noise_.emplace(pair_, *measured_);
  float64_ = possible([&] { return run_reference_in_float64(pair_); });
  noise_->measure(float64_);
  // What is random changes by more than rounding.
  if (!changes_between_runs(*measured_)) noise_->move_by_roundings();
}

/// Stored results may differ from what the model at hand gives; its own change is what counts.
void OtherRuns::add(const RunResults& run, const OutputPlace& place, Evidence::Runs& found) const {
  if (place.call >= run.samples.size() || place.output >= run.samples[place.call].size()) return;
  if (place.output >= reference_.samples[place.call].size()) return;
  const TensorView& reference = reference_.samples[place.call][place.output].tensor.view;
  Tensor tensor = run.samples[place.call][place.output].tensor;
  if (const auto rows = ranked_.find(place.call); rows != ranked_.end())
    tensor =
        rows->second
            .in_order(own_tensors(run.samples[place.call]), std::numeric_limits<double>::infinity())
            .outputs[place.output];
  const TensorView& other = tensor.view;
  if (other.shape != reference.shape || is_complex(other.dtype) != is_complex(reference.dtype))
    return;
  auto numbers = numbers_of(other);
  if (pair_.golden && measured_) {
    const TensorView& own = measured_->samples[place.call][place.output].tensor.view;
    if (own.shape != reference.shape) return;
    const auto before = numbers_of(own), stored = numbers_of(reference);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += stored[i] - before[i];
  }
  found.push_back(std::move(numbers));
}

Evidence::Runs OtherRuns::by_rounding(const OutputPlace& place) {
  measure();
  Evidence::Runs found;
  const NamedTensor& output = reference_.samples[place.call][place.output];
  const NoiseFloor* floor = floor_of(place);
  const bool is_double =
      output.tensor.view.dtype == DType::float64 || output.tensor.view.dtype == DType::complex128;
  // What a network that computes in float64 is given in float32 is exact.
  if (!is_double || (floor != nullptr && floor->computed_in))
    for (const RunResults& run : noise_->moved()) add(run, place, found);
  if (float64_ && noise_->believes_float64(place.call, output.name)) add(*float64_, place, found);
  return found;
}

Evidence::Runs OtherRuns::in_float64(const OutputPlace& place) {
  measure();
  Evidence::Runs found;
  if (float64_) add(*float64_, place, found);
  return found;
}

const std::vector<RunResults>& OtherRuns::narrowed() {
  if (narrowed_) return *narrowed_;
  narrowed_.emplace();
  if (!pair_.golden)
    if (auto runs = possible([&] { return run_reference_narrowed(pair_, narrowed_runs); }))
      narrowed_ = std::move(runs);
  return *narrowed_;
}

Evidence::Runs OtherRuns::in_precision_of_candidate(const OutputPlace& place) {
  Evidence::Runs found;
  for (const RunResults& run : narrowed()) add(run, place, found);
  return found;
}

double OtherRuns::change_of_keys(const RankedRows& rows, std::size_t call) {
  double change = 0;
  const auto take = [&](const std::vector<RunResults>& runs) {
    for (const RunResults& run : runs)
      if (call < run.samples.size())
        change = std::max(change, rows.change_of_keys(own_tensors(run.samples[call])).value_or(0));
  };
  if (pair_.narrow && pair_.narrow->reaches(rows.output_of_keys())) {
    take(narrowed());
  } else {
    measure();
    take(noise_->moved());
  }
  return change;
}

std::optional<ReorderedRows>
OtherRuns::in_order_of_reference(std::size_t call, const std::vector<Tensor>& candidate) {
  if (pair_.golden || candidate.size() != reference_.samples[call].size()) return std::nullopt;
  auto found = ranked_.find(call);
  if (found == ranked_.end()) {
    auto rows = RankedRows::find(own_tensors(reference_.samples[call]));
    if (!rows) return std::nullopt;
    found = ranked_.emplace(call, *std::move(rows)).first;
  }
  const RankedRows& rows = found->second;
  const DType dtype = candidate[rows.output_of_keys()].view.dtype;
  return rows.in_order(candidate, default_tolerance(dtype) * rows.greatest_key() +
                                      times_change_of_keys * change_of_keys(rows, call));
}

std::optional<Evidence::Unrounded> OtherRuns::without_rounding(const OutputPlace& place) {
  if (pair_.golden || !pair_.candidate) return std::nullopt;
  if (!unrounded_) {
    unrounded_.emplace();
    unrounded_->candidate = possible([&] { return run_candidate_in_float64(pair_); });
    if (unrounded_->candidate)
      unrounded_->reference = possible([&] { return run_reference_with_weights_in_halves(pair_); });
  }
  if (!unrounded_->reference) return std::nullopt;
  Evidence::Runs found;
  add(*unrounded_->reference, place, found);
  add(*unrounded_->candidate, {place.call, place.of_candidate}, found);
  if (found.size() != 2 || found[0].size() != found[1].size()) return std::nullopt;
  return Evidence::Unrounded{std::move(found[0]), std::move(found[1])};
}

const NoiseFloor* OtherRuns::floor_of(const OutputPlace& place) {
  measure();
  return noise_->floor_of(place.call, reference_.samples[place.call][place.output].name);
}

bool OtherRuns::rounds_to_steps() {
  measure();
  return noise_->rounds_to_steps();
}

} // namespace model_validator::verify
