#include "verify/command/reference_reruns.h"

#include "verify/command/model_runs.h"
#include "verify/compare/float_formats.h"
#include "verify/compare/words.h"

#include <model_validator/error.h>
#include <model_validator/verify/checkers.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace model_validator::verify {
namespace {

/// A second run shows a change that is small by chance in the first. On which side of a step a
/// value lies is rarely decided by the last rounding: that takes more. Each costs a run.
constexpr std::size_t perturbed_runs_of_steps = 8, perturbed_runs = 2;
/// Beyond this share of the largest value, a difference between the float64 run and the reference
/// is noise only if perturbing the reference changes it by a like amount. Rounding alone was at
/// most 3e-6 in 46 real networks; what takes another way in float64 is far beyond.
constexpr double max_unconfirmed_noise = 0.2;
/// Perturbing may change it less than rounding did, by chance and as fewer numbers move.
constexpr double min_confirming_change = 1.0 / 30;
/// Two kernels each err by one or two roundings: oneDNN's and ONNX Runtime's sigmoids near zero do.
constexpr double roundings = 4;
/// A float64 run of a network that computes in float64 repeats it to some of its roundings, 2e-16
/// each; one that computes in float32 differs by some 1e-7. Any number between tells them apart.
constexpr double same_in_float64 = 1e-12;
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

RunResults run_once(const ComparedPair& pair, Side side, RunKind kind) {
  return std::move(run_again(pair, side, kind).front());
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

/// Places between pixels are numbers as large as the extent, and rounded: by so much of the
/// distance between neighbours two kernels differ.
void take_interpolation(const TensorView& output, NoiseFloor& floor) {
  constexpr double roundings_of_places = 2;
  std::int64_t extent = 0;
  for (const std::int64_t size : output.shape) extent = std::max(extent, size);
  const DType computing = floor.computed_in.value_or(output.dtype);
  const double share =
      std::min(roundings_of_places * epsilon_of(computing) * static_cast<double>(extent),
               default_tolerance(computing)); // what is allowed at large values anyway
  const double value = share * greatest_magnitude(numbers_of(output));
  if (value <= floor.value) return;
  floor.value = value;
  floor.origin = "roundings of the places between " + std::to_string(extent) +
                 " elements that are interpolated";
}

std::vector<Tensor> own_tensors(const NamedTensors& outputs) {
  std::vector<Tensor> tensors;
  for (const NamedTensor& output : outputs) tensors.push_back(output.tensor);
  return tensors;
}

} // namespace

ReferenceReruns::ReferenceReruns(const ComparedPair& pair, const RunResults& reference,
                                 std::optional<std::vector<RunResults>> narrowed)
    : pair_(pair), reference_(reference), can_be_narrowed_(!narrowed && !pair.golden) {
  if (narrowed) narrowed_ = *std::move(narrowed);
}

void ReferenceReruns::measure() {
  if (measured_) return;
  measured_ = measured_results(pair_, reference_);
  float64_ = possible([&] { return run_once(pair_, Side::reference, RunKind::float64); });
  // What is random changes by more than rounding.
  if (changes_between_runs(*measured_)) return;
  const std::size_t runs = rounds_to_steps() ? perturbed_runs_of_steps : perturbed_runs;
  if (auto perturbed =
          possible([&] { return run_again(pair_, Side::reference, RunKind::perturbed, runs); }))
    perturbed_ = *std::move(perturbed);
}

const std::vector<RunResults>& ReferenceReruns::perturbed() {
  measure();
  return perturbed_;
}

/// Of an output, by its own values; 0 where another run has none such.
double ReferenceReruns::greatest_change(const RunResults& run, const OutputPlace& place) const {
  if (place.call >= run.samples.size() || place.output >= run.samples[place.call].size()) return 0;
  const TensorView& own = measured_->samples[place.call][place.output].tensor.view;
  const TensorView& other = run.samples[place.call][place.output].tensor.view;
  if (!is_floating(own.dtype) || own.shape != other.shape) return 0;
  const auto changes =
      OutputRuns{own.shape, numbers_of(own), {}, {numbers_of(other)}}.greatest_changes();
  return changes.empty() ? 0 : *std::ranges::max_element(changes);
}

/// Whether the distance from the float64 run is one of rounding.
bool ReferenceReruns::believes_float64(const OutputPlace& place) const {
  const double distance = greatest_change(*float64_, place);
  const TensorView& own = measured_->samples[place.call][place.output].tensor.view;
  return distance <= max_unconfirmed_noise * greatest_magnitude(numbers_of(own)) ||
         std::ranges::any_of(perturbed_, [&](const RunResults& run) {
           return greatest_change(run, place) >= min_confirming_change * distance;
         });
}

/// Stored results may differ from what the model at hand gives; its own change is what counts.
void ReferenceReruns::add(const RunResults& run, const OutputPlace& place,
                          Evidence::Runs& found) const {
  if (place.call >= run.samples.size() || place.output >= run.samples[place.call].size()) return;
  if (place.output >= reference_.samples[place.call].size()) return;
  const TensorView& reference = reference_.samples[place.call][place.output].tensor.view;
  Tensor tensor = run.samples[place.call][place.output].tensor;
  if (const auto rows = ranked_.find(place.call); rows != ranked_.end() && rows->second)
    tensor = rows->second
                 ->in_order(own_tensors(run.samples[place.call]),
                            std::numeric_limits<double>::infinity())
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

Evidence::Runs ReferenceReruns::by_rounding(const OutputPlace& place) {
  Evidence::Runs found;
  const DType dtype = reference_.samples[place.call][place.output].tensor.view.dtype;
  const bool is_double = dtype == DType::float64 || dtype == DType::complex128;
  // What a network that computes in float64 is given in float32 is exact.
  if (!is_double || floor_of(place)->computed_in)
    for (const RunResults& run : perturbed()) add(run, place, found);
  measure();
  if (float64_ && believes_float64(place)) add(*float64_, place, found);
  return found;
}

Evidence::Runs ReferenceReruns::in_float64(const OutputPlace& place) {
  measure();
  Evidence::Runs found;
  if (float64_) add(*float64_, place, found);
  return found;
}

const std::vector<RunResults>& ReferenceReruns::narrowed(std::size_t count) {
  const std::size_t made = narrowed_.size();
  if (!can_be_narrowed_ || made >= count) return narrowed_;
  const auto more = possible(
      [&] { return run_again(pair_, Side::reference, RunKind::narrowed, count - made, made); });
  if (more)
    narrowed_.insert(narrowed_.end(), more->begin(), more->end());
  else
    can_be_narrowed_ = false;
  return narrowed_;
}

Evidence::Runs ReferenceReruns::in_precision_of_candidate(const OutputPlace& place,
                                                          std::size_t max_runs) {
  Evidence::Runs found;
  for (const RunResults& run : narrowed(max_runs)) {
    if (found.size() == max_runs) break;
    add(run, place, found);
  }
  return found;
}

double ReferenceReruns::change_of_keys(const RankedRows& rows, std::size_t call) {
  double change = 0;
  const auto take = [&](const std::vector<RunResults>& runs) {
    for (const RunResults& run : runs)
      if (call < run.samples.size())
        change = std::max(change, rows.change_of_keys(own_tensors(run.samples[call])).value_or(0));
  };
  if (pair_.narrow && pair_.narrow->reaches(rows.output_of_keys())) {
    take(narrowed(Evidence::narrowed_runs));
  } else {
    take(perturbed());
  }
  return change;
}

const RankedRows* ReferenceReruns::surely_ranked() {
  for (; !surely_ranked_ && seen_for_ranks_ < reference_.samples.size(); ++seen_for_ranks_)
    surely_ranked_ = RankedRows::find(own_tensors(reference_.samples[seen_for_ranks_]));
  return surely_ranked_ ? &*surely_ranked_ : nullptr;
}

std::optional<ReorderedRows>
ReferenceReruns::in_order_of_reference(std::size_t call, const std::vector<Tensor>& candidate) {
  if (!pair_.noise.may_rank || pair_.golden || candidate.size() != reference_.samples[call].size())
    return std::nullopt;
  auto found = ranked_.find(call);
  if (found == ranked_.end()) {
    auto rows = RankedRows::find(own_tensors(reference_.samples[call]));
    if (const RankedRows* sure = rows ? nullptr : surely_ranked())
      rows = RankedRows::find(own_tensors(reference_.samples[call]), sure);
    found = ranked_.emplace(call, std::move(rows)).first;
  }
  if (!found->second) return std::nullopt;
  const RankedRows& rows = *found->second;
  const DType dtype = candidate[rows.output_of_keys()].view.dtype;
  return rows.in_order(candidate, default_tolerance(dtype) * rows.greatest_key() +
                                      times_change_of_keys * change_of_keys(rows, call));
}

std::optional<Evidence::Unrounded> ReferenceReruns::without_rounding(const OutputPlace& place) {
  if (pair_.golden || !pair_.candidate) return std::nullopt;
  if (!unrounded_) {
    unrounded_.emplace();
    unrounded_->candidate =
        possible([&] { return run_once(pair_, Side::candidate, RunKind::float64); });
    if (unrounded_->candidate)
      unrounded_->reference =
          possible([&] { return run_once(pair_, Side::reference, RunKind::stored_narrowed); });
  }
  if (!unrounded_->reference) return std::nullopt;
  Evidence::Runs found;
  add(*unrounded_->reference, place, found);
  add(*unrounded_->candidate, {place.call, place.of_candidate}, found);
  if (found.size() != 2 || found[0].size() != found[1].size()) return std::nullopt;
  return Evidence::Unrounded{std::move(found[0]), std::move(found[1])};
}

const NoiseFloor* ReferenceReruns::floor_of(const OutputPlace& place) {
  measure();
  const auto [found, is_new] = floors_.try_emplace({place.call, place.output});
  NoiseFloor& floor = found->second;
  const NamedTensors& outputs = measured_->samples[place.call];
  if (!is_new || place.output >= outputs.size()) return &floor;
  const TensorView& output = outputs[place.output].tensor.view;
  if (!is_floating(output.dtype)) return &floor;
  if (pair_.noise.computed_in.size() == outputs.size())
    if (const auto inner = parse_dtype(pair_.noise.computed_in[place.output]);
        inner && epsilon_of(*inner) > epsilon_of(output.dtype))
      floor.computed_in = inner;
  if (pair_.noise.magnitudes.size() == outputs.size()) {
    const double magnitude = pair_.noise.magnitudes[place.output];
    const DType computing = floor.computed_in.value_or(output.dtype);
    floor.value = roundings * epsilon_of(computing) * magnitude;
    floor.origin = number(roundings) + " roundings of " + to_string(computing) +
                   " on numbers of about " + number(magnitude) +
                   ", from which the output is computed";
  }
  if (pair_.noise.interpolated.size() == outputs.size() && pair_.noise.interpolated[place.output])
    take_interpolation(output, floor);
  const bool is_double = epsilon_of(output.dtype) == epsilon_of(DType::float64);
  if (is_double && float64_ && !floor.computed_in &&
      greatest_change(*float64_, place) > same_in_float64 * greatest_magnitude(numbers_of(output)))
    floor.computed_in = DType::float32;
  return &floor;
}

} // namespace model_validator::verify
