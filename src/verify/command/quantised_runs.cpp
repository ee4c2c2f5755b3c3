#include "verify/command/quantised_runs.h"

#include "text/plural.h"
#include "verify/command/causes.h"
#include "verify/command/confined_reading.h"
#include "verify/command/model_runners.h"
#include "verify/command/model_runs.h"
#include "verify/command/own_weights.h"
#include "verify/compare/words.h"
#include "verify/run/narrowing.h"

#include <model_validator/error.h>
#include <model_validator/verify/checkers.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace model_validator::verify {
namespace {

struct Ratio {
  std::string output;
  double decibels;
};

/// The output that keeps least; none where no output has a ratio.
std::optional<Ratio> least_ratio(const std::vector<OutputReport>& outputs) {
  std::optional<Ratio> least;
  for (const OutputReport& output : outputs) {
    if (!output.metrics) continue;
    const auto ratio = sqnr_of(*output.metrics);
    if (ratio && (!least || *ratio < least->decibels)) least = Ratio{output.name, *ratio};
  }
  return least;
}

std::string spoken(double decibels) {
  if (!std::isfinite(decibels)) return "all of its signal";
  return "an SQNR of " + number(std::round(10 * decibels) / 10) + " dB";
}

std::string about(const Ratio& ratio) {
  return "`" + ratio.output + "` has " + spoken(ratio.decibels);
}

} // namespace

std::optional<RunResults> results_as_written(const ComparedPair& pair, VerifyReport& report) {
  if (!pair.is_quantised() || !can_be_unrounded(pair) || pair.candidate->format != FileFormat::onnx)
    return std::nullopt;
  std::optional<RunResults> results;
  note_failure(report, "the candidate does not run as it is written, in float32", [&] {
    results = std::move(run_again(pair, Side::candidate, RunKind::as_written).front());
  });
  return results;
}

void compare_machine(const ComparedPair& pair, const VerifyReport& on_machine,
                     VerifyReport& report) {
  const auto file = least_ratio(report.outputs), here = least_ratio(on_machine.outputs);
  if (!file || !here || here->decibels >= file->decibels - margin_of_layer) return;
  report.machine = "this machine's kernels (" + pair.candidate_backend() +
                   ") lose some of the file: " + about(*here) + " here, and " +
                   spoken(file->decibels) + " as written";
  const std::string hint = "processors without VNNI instructions add products of uint8 and int8 in "
                           "sixteen bits, which saturate: `reduce_range`, int8 values or uint8 "
                           "weights avoid that";
  if (pair.request.judge == "machine")
    report.incidents.push_back({IncidentKind::values, report.machine, hint, true});
  else
    report.notes.push_back(hint);
}

namespace {

void report_misfits(const std::vector<WeightMisfit>& misfits, const ComparedPair& pair,
                    VerifyReport& report) {
  for (const WeightMisfit& misfit : misfits)
    report.incidents.push_back(
        {IncidentKind::values,
         "the weight of the layer `" + misfit.layer + "` is not the reference's" +
             (misfit.own.empty() ? "" : " `" + misfit.own + "`") + ", rounded to " +
             words_of(pair.narrow->narrowing) + ": " + misfit.words,
         "its scales, zero points or stored numbers are not those of the "
         "reference's weight",
         true});
}

/// A copy whose weights were moved on purpose, with other operators to make up for that, is much
/// farther from the reference with the reference's own weights.
void report_other_differences(const VerifyReport& unrounded, VerifyReport& report) {
  const auto before = least_ratio(report.outputs), after = least_ratio(unrounded.outputs);
  if (!before || !after || after->decibels <= before->decibels - margin_of_layer)
    return report.notes.push_back("the weights in few bits do not stand for single weights of "
                                  "the reference: they were not compared one by one");
  report.incidents.push_back(
      {IncidentKind::values,
       "with nothing rounded, and the reference's weights in place of those in few bits, the "
       "candidate still differs: " +
           about(*after),
       "something that is not in few bits is wrong, such as an operator, a bias or a norm", true});
}

/// What a copy differs by is its precision where nothing differs without it, and the file states
/// nothing else than weights, which were compared: no ranges of values.
void settle(const ComparedPair& pair, VerifyReport& report) {
  const std::set<std::string> of_size{"precision", "sqnr",  "agreement", "tolerance",
                                      "pcc",       "scale", "exact",     "winner"};
  const auto is_of_size = [&](const Verdict& verdict) { return of_size.count(verdict.check) != 0; };
  report.precision = words_of(pair.narrow->narrowing);
  for (OutputReport& output : report.outputs) {
    if (output.passed()) continue;
    std::erase_if(output.verdicts, is_of_size);
    const std::string words = "with nothing rounded it is the reference's, and the weights are the "
                              "reference's to within their steps";
    output.verdicts.push_back({"precision", true, words, ""});
    output.notes.push_back("same, in " + report.precision + ": " + words);
  }
}

bool states_ranges(const ComparedPair& pair) {
  const Narrowing& how = pair.narrow->narrowing;
  return how.everywhere || how.results == Narrowing::Results::int16;
}

/// Converters multiply scales of a normalisation into the weights of the layer that it stands
/// before: weights that are then no single ones of the reference stay as the file has them.
bool is_same_as_made(const ComparedPair& pair, const CompareRun& compare, VerifyReport& report) {
  const auto runs = run_candidate_unrounded(pair, RunKind::unrounded_where_alike);
  const VerifyReport unrounded = compare(runs.results, runs.moved);
  if (!unrounded.passed())
    report_other_differences(unrounded, report);
  else
    report.notes.push_back("some weights in few bits do not stand for single weights of the "
                           "reference: what moving them within their steps explains is no "
                           "difference");
  return unrounded.passed();
}

/// Whether nothing differs where nothing is rounded, and all weights are the reference's.
bool is_same_unrounded(const ComparedPair& pair, const CompareRun& compare, VerifyReport& report) {
  const auto [results, moved, weights] = run_candidate_unrounded(pair, RunKind::unrounded);
  const bool is_onnx = pair.candidate->format == FileFormat::onnx;
  if (!weights.is_complete) {
    report.notes.emplace_back("not all that is in few bits could be computed in float32: weights "
                              "were not compared one by one");
    return false;
  }
  const VerifyReport unrounded = compare(results, moved);
  if (unrounded.passed()) {
    report_misfits(weights.misfits, pair, report);
    return weights.misfits.empty();
  }
  if (!weights.misfits.empty() && !is_onnx) return is_same_as_made(pair, compare, report);
  report_other_differences(unrounded, report);
  return false;
}

} // namespace

bool compare_unrounded_copy(const ComparedPair& pair, const CompareRun& compare,
                            VerifyReport& report) {
  const VerifyRequest& request = pair.request;
  if (!can_be_unrounded(pair) || request.checker != "default" || request.sqnr) return false;
  bool is_same = false;
  note_failure(report, "the weights in few bits were not compared one by one", [&] {
    is_same = is_same_unrounded(pair, compare, report);
    const bool is_judged_by_results = pair.narrow->narrowing.computes_in_halves();
    const bool is_calibrated = states_ranges(pair) && pair.has_data();
    if (is_same && !is_judged_by_results && !is_calibrated) settle(pair, report);
  });
  return is_same;
}

void compare_stored_weights(const ComparedPair& pair, VerifyReport& report) {
  if (pair.golden || pair.candidate_model().format != FileFormat::executorch || pair.request.sqnr)
    return;
  note_failure(report, "the weights in few bits were not compared one by one", [&] {
    const std::filesystem::path& program = pair.candidate_model().path;
    const auto fit = read_confined_value({pair.reference.path, program}, pair.request, [&] {
      return fit_stored_weights(pair.reference, program);
    });
    const bool are_comparable = 2 * fit.fitting > fit.stored;
    if (are_comparable) report_misfits(fit.misfits, pair, report);
    if (!are_comparable)
      report.notes.emplace_back("weights in few bits were not compared one by one: most are none "
                                "that the reference has, or in a form that is not read");
    else if (fit.fitting + fit.misfits.size() < fit.stored)
      report.notes.push_back(
          std::to_string(fit.stored - fit.fitting - fit.misfits.size()) + " of " +
          plural(fit.stored, "weight") +
          " in few bits stand for no weight of the reference, and were not compared with one");
  });
}

namespace {

std::string words_about(const LostLayer& layer, const ComparedPair& pair) {
  const std::string subject = layer.first.empty()
                                  ? "the layer `" + layer.name + "` keeps "
                                  : "what the reference computes from `" + layer.first +
                                        "` on, and the candidate in `" + layer.name + "`, keeps ";
  if (layer.is_lost)
    return subject + "nothing but its largest values, of about " + number(layer.greatest, 2) +
           ": all others have become one value, since they share a scale with them";
  return subject + spoken(layer.kept) + " with the reference's inputs, where " +
         words_of(pair.narrow->narrowing) + " leaves its own weights " + spoken(layer.explained);
}

void report_lost_values(const std::vector<LostLayer>& values, VerifyReport& report) {
  constexpr std::size_t max_named = 5;
  for (std::size_t i = 0; i < std::min(values.size(), max_named); ++i)
    report.incidents.push_back(
        {IncidentKind::values,
         "the range that the file states for `" + values[i].name + "` leaves it " +
             spoken(values[i].kept) + ", where its steps explain " + spoken(values[i].explained) +
             (values.size() > max_named && i + 1 == max_named
                  ? "; so it is with " + std::to_string(values.size() - max_named) + " more"
                  : ""),
         "a wrong scale or zero point does that, or inputs unlike those that it was calibrated on",
         true});
}

} // namespace

void report_lost_layers(const ComparedPair& pair, bool ranges_alone, VerifyReport& report) {
  if (ranges_alone && !states_ranges(pair)) return;
  note_failure(report, "the layers were not compared one by one", [&] {
    // Made up inputs may lie beyond the ranges of the file, which costs a layer its precision.
    const bool only_lost = ranges_alone && !pair.has_data();
    const std::vector<LostLayer> layers = imprecise_layers(pair, only_lost);
    if (has_stepped_values(pair)) {
      report_lost_values(layers, report);
      if (layers.empty() && ranges_alone) settle(pair, report);
      return;
    }
    std::vector<Suspect> suspects;
    for (const LostLayer& layer : layers)
      suspects.push_back(
          {layer.first.empty() ? layer.name : layer.first, "", layer.name, layer.greatest});
    const auto causes = layers.empty() ? std::vector<std::string>{} : causes_of(pair, suspects);
    for (std::size_t i = 0; i < layers.size(); ++i)
      report.incidents.push_back(
          {IncidentKind::values,
           words_about(layers[i], pair) + (causes[i].empty() ? "" : ": " + causes[i]),
           "`--localize` lists the layers", true});
  });
}

} // namespace model_validator::verify
