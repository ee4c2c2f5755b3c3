#include "verify/command/quantised_runs.h"

#include "verify/command/causes.h"
#include "verify/command/model_process.h"
#include "verify/compare/words.h"
#include "verify/run/narrowing.h"

#include <model_validator/error.h>
#include <model_validator/verify/checkers.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace model_validator::verify {
namespace {

/// Another way to run a candidate.
struct OtherRun {
  std::string backend;
  bool optimise;
  std::string words;
};

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

std::vector<OtherRun> other_runs(const ComparedPair& pair) {
  if (!pair.candidate || pair.candidate->format != FileFormat::onnx) return {};
  std::vector<OtherRun> runs;
  if (pair.candidate_backend() == "onnxruntime")
    runs.push_back({"onnxruntime", false, "without the optimisations of onnxruntime"});
  // OpenVINO 2026.4 computes convolutions and products of values in sixteen bits wrongly.
  if (pair.request.backend.empty() && pair.request.device == "cpu" && !pair.narrow->has_wide_values)
    runs.push_back({"openvino", true, "run by openvino"});
  return runs;
}

/// Only what the first run hides needs an error of its own. Without optimisations the file is run
/// as it is written; what only another runtime computes otherwise is that runtime's.
void report_failure(const OtherRun& run, bool is_second, const VerifyReport& compared,
                    VerifyReport& report) {
  const auto least = least_ratio(compared.outputs);
  const std::string words = least ? about(*least) : compared.first_failure();
  if (is_second || !report.passed()) return report.notes.push_back(run.words + ", " + words);
  report.incidents.push_back({IncidentKind::values, run.words + ", the candidate differs: " + words,
                              "kernels that a runtime fuses hide some faults of scales: check the "
                              "file (`model_validator check`), and `--localize`",
                              true});
}

void compare_run(const ComparedPair& pair, const OtherRun& run, const CompareRun& compare,
                 VerifyReport& report) {
  const bool is_second = run.backend != pair.candidate_backend();
  try {
    const VerifyReport compared = compare(run_candidate_otherwise(pair, run.backend, run.optimise));
    if (!compared.passed()) return report_failure(run, is_second, compared, report);
    if (const auto least = least_ratio(compared.outputs))
      report.notes.push_back(run.words + ", " + about(*least));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    if (error.kind() == ErrorKind::backend_missing) return;
    const std::string message = run.words + ", the candidate does not run: " + error.what();
    if (is_second)
      report.notes.push_back(message);
    else
      report.incidents.push_back({IncidentKind::crash, message, error.hint(), true});
  }
}

} // namespace

void compare_other_runs(const ComparedPair& pair, const CompareRun& compare, VerifyReport& report) {
  if (!pair.is_quantised()) return;
  for (const OtherRun& run : other_runs(pair)) compare_run(pair, run, compare, report);
}

namespace {

void report_lost_weights(const RestoredRun& run, const ComparedPair& pair, VerifyReport& report) {
  for (const WeightRatio& weight : run.weights)
    if (weight.kept < weight.explained - margin_of_layer)
      report.incidents.push_back(
          {IncidentKind::values,
           "the weight of the layer `" + weight.layer + "` keeps " + spoken(weight.kept) +
               " of the reference's, where " + words_of(pair.narrow->narrowing) + " leaves " +
               spoken(weight.explained),
           "its scales, zero points or stored numbers are not those of the reference's weight",
           true});
}

/// A copy whose weights were moved on purpose, with other operators to make up for that, is much
/// farther from the reference with the reference's own weights.
void report_other_differences(const RestoredRun& run, const VerifyReport& restored,
                              VerifyReport& report) {
  const auto before = least_ratio(report.outputs), after = least_ratio(restored.outputs);
  if (!run.is_complete || !before || !after ||
      after->decibels <= before->decibels - margin_of_layer) {
    report.notes.emplace_back("the weights in few bits do not stand for single weights of the "
                              "reference: they were not compared one by one");
    return;
  }
  report.incidents.push_back(
      {IncidentKind::values,
       "with the reference's weights in place of those in few bits, the candidate still differs: " +
           about(*after),
       "something other than these weights is wrong, such as an operator, a bias or a norm", true});
}

} // namespace

void compare_restored_copy(const ComparedPair& pair, const CompareRun& compare,
                           VerifyReport& report) {
  if (!has_few_bits_in_weights_alone(pair)) return;
  if (pair.request.checker != "default" || pair.request.sqnr) return; // that decides alone
  try {
    const RestoredRun run = run_candidate_restored(pair);
    if (run.weights.empty()) return;
    const VerifyReport restored = compare(run.results);
    if (restored.passed())
      report_lost_weights(run, pair, report);
    else
      report_other_differences(run, restored, report);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    report.notes.push_back(std::string("the weights in few bits were not compared one by one: ") +
                           error.what());
  }
}

namespace {

std::string words_about(const LostLayer& layer) {
  if (layer.first.empty()) return "the layer `" + layer.name + "` keeps ";
  return "what the reference computes from `" + layer.first + "` on, and the candidate in `" +
         layer.name + "`, keeps ";
}

} // namespace

void report_lost_layers(const ComparedPair& pair, VerifyReport& report) {
  try {
    const std::vector<LostLayer> layers = lost_layers(pair);
    std::vector<Suspect> suspects;
    for (const LostLayer& layer : layers)
      suspects.push_back(
          {layer.first.empty() ? layer.name : layer.first, "", layer.name, layer.greatest});
    const auto causes = layers.empty() ? std::vector<std::string>{} : causes_of(pair, suspects);
    for (std::size_t i = 0; i < layers.size(); ++i)
      report.incidents.push_back({IncidentKind::values,
                                  words_about(layers[i]) + spoken(layers[i].kept) +
                                      " with the reference's inputs, where " +
                                      words_of(pair.narrow->narrowing) +
                                      " leaves its own weights " + spoken(layers[i].explained) +
                                      (causes[i].empty() ? "" : ": " + causes[i]),
                                  "`--localize` lists the layers", true});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    report.notes.push_back(std::string("the layers were not compared one by one: ") + error.what());
  }
}

} // namespace model_validator::verify
