#include "verify/command/output_judge.h"

#include "verify/compare/float_formats.h"
#include "verify/compare/words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace model_validator::verify {
namespace {

/// Of an element, where elements are judged otherwise.
constexpr double no_limit = 1e300;
/// A share of labels may lie on the edge of another without a run that shows it.
constexpr std::size_t labels_for_one_more = 20;

/// What passes by the plain rule is not copied for a second look where it is larger.
constexpr std::int64_t max_elements_of_what_passes = 1 << 24;

const std::set<std::string>& checks_of_size() {
  static const std::set<std::string> of_size{"tolerance", "pcc", "scale", "sqnr"};
  return of_size;
}

bool fails_in(const OutputReport& output, const std::set<std::string>& checks) {
  return std::ranges::any_of(output.verdicts, [&](const Verdict& verdict) {
    return !verdict.passed && checks.count(verdict.check) != 0;
  });
}

void remove_verdicts(OutputReport& output, const std::set<std::string>& checks) {
  std::erase_if(output.verdicts,
                [&](const Verdict& verdict) { return checks.count(verdict.check) != 0; });
}

void replace_verdicts(OutputReport& output, std::vector<Verdict> verdicts) {
  static const std::set<std::string> of_values{"tolerance", "pcc",       "scale",
                                               "sqnr",      "agreement", "exact"};
  remove_verdicts(output, of_values);
  for (Verdict& verdict : verdicts) output.verdicts.push_back(std::move(verdict));
}

bool changes_nothing(const std::vector<double>& run, const std::vector<double>& reference) {
  for (std::size_t i = 0; i < run.size(); ++i)
    if (const double d = run[i] - reference[i]; std::isfinite(d) && d != 0) return false;
  return true;
}

/// Masks hold −inf, or the least number of some format for it.
bool stands_for_negative_infinity(double value) {
  static const std::set<double> least{
      -65504.0, -static_cast<double>(std::numeric_limits<float>::max()), -0x1.fep127};
  return least.count(value) != 0;
}

std::int64_t put_infinity_back(OutputRuns& runs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::int64_t count = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    double &r = runs.reference[i], &c = runs.candidate[i];
    if (r == -infinity && stands_for_negative_infinity(c))
      c = -infinity;
    else if (c == -infinity && stands_for_negative_infinity(r))
      r = -infinity;
    else
      continue;
    ++count;
  }
  return count;
}

/// The plain rule once more, on numbers that were changed.
std::vector<Verdict> checked_again(const std::string& name, DType dtype, const OutputRuns& runs,
                                   const NoiseFloor* floor) {
  DefaultOptions options;
  if (floor != nullptr) options.floors[name] = *floor;
  if (floor == nullptr || !floor->computed_in) options.floors[name].computed_in = dtype;
  const DefaultValueChecker checker(options);
  const TensorView reference = contiguous_view(runs.reference.data(), DType::float64, runs.shape);
  const TensorView candidate = contiguous_view(runs.candidate.data(), DType::float64, runs.shape);
  MetricOptions measured;
  measured.scales_beyond = checker.scales_beyond(name, DType::float64);
  const Metrics metrics = measure(reference, candidate, measured);
  std::vector<std::string> notes;
  return checker.check({name, reference, candidate, metrics}, notes);
}

bool has_half_precision(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16; }

bool all_pass(const std::vector<Verdict>& verdicts) {
  return std::ranges::all_of(verdicts, &Verdict::passed);
}

} // namespace

const NoiseLimits& OutputJudge::limits_of_precision() const {
  const bool rounds_values =
      is_quantised() && narrowing_->results != Narrowing::Results::as_they_are;
  return rounds_values ? limits_.calibrated : limits_.stored;
}

void OutputJudge::judge(OutputReport& output, const TensorView& reference,
                        const TensorView& candidate) {
  if (reference.shape != candidate.shape || element_count(reference) == 0) return;
  if (is_complex(reference.dtype) != is_complex(candidate.dtype)) return;
  if (output.passed() && element_count(reference) > max_elements_of_what_passes) return;
  OutputRuns runs{reference.shape, numbers_of(reference), numbers_of(candidate), {}};
  if (is_complex(reference.dtype)) runs.shape.push_back(2);
  if (is_integral(reference.dtype))
    judge_whole_numbers(output, runs);
  else
    judge_floats(output, runs, reference.dtype);
  if (narrowing_ && !is_integral(reference.dtype)) look_for_lost(output, runs);
}

/// Probabilities near 0 may be off by more than they are.
bool OutputJudge::leaves_too_little(const OutputRuns& runs) const {
  constexpr double visible_share = 0.05;
  return inputs_are_real_ &&
         is_drowned(runs, visible_share * std::max(greatest_magnitude(runs.reference), 1.0));
}

/// Shares of a whole, as probabilities are, may round to nothing where they are small.
void OutputJudge::look_for_lost(OutputReport& output, const OutputRuns& runs) const {
  if (leaves_too_little(runs))
    output.verdicts.push_back({"lost", false,
                               "the error has half the energy of the output, or more: its "
                               "precision leaves too little of it",
                               ""});
  const double size = greatest_magnitude(runs.reference);
  const auto lost = find_lost(runs, default_tolerance(DType::float32) * size);
  if (!lost) return;
  if (lost->is_whole || size > 1)
    output.verdicts.push_back({"lost", false, lost->words + "; give it a scale of its own", ""});
  else
    output.notes.push_back(lost->words);
}

void OutputJudge::judge_floats(OutputReport& output, OutputRuns& runs, DType dtype) {
  if (fails_in(output, {"non-finite"})) {
    const std::int64_t put_back = put_infinity_back(runs);
    if (put_back == 0) return;
    auto verdicts = checked_again(output.name, dtype, runs, nullptr);
    if (!verdicts.front().passed) return; // others are not finite either
    output.notes.push_back(share(put_back, static_cast<std::int64_t>(runs.size())) +
                           " are −inf on one side, and the least number of a format on the other");
    std::erase_if(output.verdicts,
                  [](const Verdict& verdict) { return verdict.check == "non-finite"; });
    replace_verdicts(output, std::move(verdicts));
  }
  if (narrowing_ && (is_quantised() || !output.passed()))
    return judge_by_precision(output, runs, dtype);
  if (fails_in(output, checks_of_size())) return judge_by_rounding(output, runs, dtype);
  if (!output.passed()) return;
  if (has_half_precision(dtype)) return judge_half_reference(output, runs);
  if (any_other_winner(runs)) judge_winners(output, runs);
}

void OutputJudge::judge_by_precision(OutputReport& output, OutputRuns& runs, DType dtype) {
  runs.others = evidence_.in_precision_of_candidate(1);
  const bool few_bits = is_quantised();
  const std::string precision = words_of(*narrowing_);
  if (runs.others.empty()) {
    output.notes.push_back(
        "what " + precision +
        " costs on this model could not be measured: a rule for all models decides");
    if (few_bits) return;
    by_precision_ = true;
    NoiseFloor narrow;
    narrow.computed_in = precision.starts_with("bfloat16") ? DType::bfloat16 : DType::float16;
    return replace_verdicts(output, checked_again(output.name, dtype, runs, &narrow));
  }
  if (few_bits && changes_nothing(runs.others.front(), runs.reference)) {
    output.notes.push_back("rounded as the candidate rounds, the reference stays as it is, for it "
                           "computes otherwise: a rule for all models decides");
    return;
  }
  by_precision_ = true;
  const double largest = greatest_magnitude(runs.reference), scale = largest > 0 ? largest : 1;
  const double tolerated = default_tolerance(DType::float32) * scale;
  auto excess = beyond(runs, limits_of_precision(), tolerated);
  if (excess) {
    runs.others = evidence_.in_precision_of_candidate(Evidence::narrowed_runs);
    excess = beyond(runs, limits_of_precision(), tolerated);
  }
  if (!excess && !few_bits) excess = excess_without_rounding(runs, tolerated);
  const double explained = greatest_magnitude(runs.greatest_changes()) / scale;
  double error = 0;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const double d = std::fabs(runs.error(i)); std::isfinite(d)) error = std::max(error, d);
  std::string words = precision + " explains " + number(explained, 2) +
                      " of the greatest value, it is off by " + number(error / scale, 2);
  if (excess) words += ": " + excess->words;
  if (!excess && !leaves_too_little(runs))
    output.notes.push_back("same, in " + precision + ": " + words);
  replace_verdicts(output, {{"precision", !excess, words, ""}});
}

/// Of a candidate in halves that is run in float64 nothing differs but what its stored numbers do,
/// which the reference's differ by as well: a fault is not drowned in the rounding of results.
std::optional<Excess> OutputJudge::excess_without_rounding(const OutputRuns& runs,
                                                           double tolerated) {
  auto unrounded = evidence_.without_rounding();
  if (!unrounded || unrounded->candidate.size() != runs.size()) return std::nullopt;
  const OutputRuns exact{runs.shape,
                         std::move(unrounded->reference),
                         std::move(unrounded->candidate),
                         {runs.reference}};
  auto excess = beyond(exact, limits_.stored, tolerated);
  if (excess) excess->words = "in float64, " + excess->words + " by its weights";
  return excess;
}

NoiseFacts OutputJudge::facts() {
  const NoiseFloor* floor = evidence_.floor();
  return {floor == nullptr ? 0 : floor->value, evidence_.rounds_to_steps()};
}

void OutputJudge::judge_by_rounding(OutputReport& output, OutputRuns& runs, DType dtype) {
  // A few roundings of halves are more than a compiler moves anything by.
  if (has_half_precision(dtype)) runs.others = evidence_.in_float64();
  if (runs.others.empty()) runs.others = evidence_.by_rounding();
  const NoiseFloor* floor = evidence_.floor();
  const Excuses excuses = find_excuses(runs, facts(), limits_);
  OutputRuns rest = runs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (excuses.excused[i]) rest.candidate[i] = rest.reference[i];
  auto verdicts = checked_again(output.name, dtype, rest, floor);
  if (!all_pass(verdicts)) return; // the plain verdicts say what is wrong
  if (floor != nullptr && floor->computed_in)
    output.notes.push_back("the network computes in " +
                           std::string(to_string(*floor->computed_in)) +
                           ", so that its results are held to that");
  if (excuses.is_undecided) {
    replace_verdicts(
        output, {{"undecided", false,
                  "rounding alone moves most elements of the reference by as much as they differ "
                  "from each other, so nothing can be told; give inputs on which the "
                  "reference is stable, or name a tolerance (`--rtol`, `--atol`)",
                  ""}});
    return;
  }
  const double tolerated =
      std::max(facts().everywhere, default_tolerance(dtype) * greatest_magnitude(runs.reference));
  if (excuses.noise > 0)
    if (const auto excess = beyond(
            runs, {limits_.whole_by_rounding, limits_.group_by_rounding, no_limit}, tolerated))
      return replace_verdicts(output, {{"noise", false, excess->words + " by rounding", ""}});
  if (excuses.count > 0)
    output.notes.push_back(
        share(static_cast<std::int64_t>(excuses.count), static_cast<std::int64_t>(runs.size())) +
        " differ by up to " + number(excuses.greatest) +
        " and cannot be told from rounding: it moves the reference there by up to " +
        number(excuses.noise));
  replace_verdicts(output, std::move(verdicts));
  if (floor != nullptr && floor->computed_in && has_half_precision(*floor->computed_in))
    judge_half_reference(output, runs);
}

void OutputJudge::judge_half_reference(OutputReport& output, OutputRuns& runs) {
  if (runs.reference == runs.candidate) return;
  runs.others = evidence_.in_float64();
  if (runs.others.empty()) return;
  const auto excess = beyond(
      runs, limits_.stored, default_tolerance(DType::float32) * greatest_magnitude(runs.reference));
  if (excess) output.verdicts.push_back({"precision", false, excess->words, ""});
}

void OutputJudge::judge_winners(OutputReport& output, OutputRuns& runs) {
  runs.others = evidence_.by_rounding();
  const Winners winners = compare_winners(runs, facts(), limits_);
  if (winners.unexplained > 0 && !runs.others.empty())
    output.verdicts.push_back(
        {"winner", false,
         "another element is the greatest of its row than rounding explains, in " + winners.first,
         ""});
  else if (winners.changed > 0)
    output.notes.push_back(std::to_string(winners.changed) + " of " + std::to_string(winners.rows) +
                           " rows have another greatest element, by no more than rounding");
}

void OutputJudge::judge_whole_numbers(OutputReport& output, OutputRuns& runs) {
  if (!fails_in(output, {"exact", "agreement"})) return;
  const bool narrow = narrowing_.has_value();
  runs.others = narrow ? evidence_.in_precision_of_candidate(Evidence::narrowed_runs)
                       : evidence_.by_rounding();
  std::size_t different = 0, unexplained = 0, most = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs.reference[i] == runs.candidate[i]) continue;
    ++different;
    if (!is_shown(runs, i, limits_)) ++unexplained;
  }
  for (const auto& other : runs.others) {
    std::size_t moved = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) moved += other[i] != runs.reference[i] ? 1U : 0U;
    most = std::max(most, moved);
  }
  const std::size_t spare = runs.size() >= labels_for_one_more ? 1 : 0;
  const bool explained = narrow ? different <= 2 * most + spare : unexplained == 0;
  if (!explained) return;
  by_precision_ = by_precision_ || narrow;
  const std::string words =
      share(static_cast<std::int64_t>(different), static_cast<std::int64_t>(runs.size())) +
      " differ, where " + (narrow ? words_of(*narrowing_) : std::string("rounding")) +
      " alone changes as many of the reference";
  output.notes.push_back(words);
  replace_verdicts(output, {{narrow ? "precision" : "exact", true, words, ""}});
}

} // namespace model_validator::verify
