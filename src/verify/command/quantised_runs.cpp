#include "verify/command/quantised_runs.h"

#include "verify/command/model_process.h"
#include "verify/compare/words.h"

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

/// Only what the first run hides needs an error of its own.
void report_failure(const ComparedPair& pair, const OtherRun& run, const VerifyReport& compared,
                    VerifyReport& report) {
  const auto least = least_ratio(compared.outputs);
  const std::string words = least ? about(*least) : compared.first_failure();
  if (!report.passed()) return report.notes.push_back(run.words + ", " + words);
  report.incidents.push_back({IncidentKind::values, run.words + ", the candidate differs: " + words,
                              "kernels that a runtime fuses hide some faults of scales: check the "
                              "file (`model_validator check`), and `--localize`; with `--backend " +
                                  pair.candidate_backend() + "` no other runtime is asked",
                              true});
}

void compare_run(const ComparedPair& pair, const OtherRun& run, const CompareRun& compare,
                 VerifyReport& report) {
  const bool is_second = run.backend != pair.candidate_backend();
  try {
    const VerifyReport compared = compare(run_candidate_otherwise(pair, run.backend, run.optimise));
    if (!compared.passed()) return report_failure(pair, run, compared, report);
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

void report_lost_layers(const ComparedPair& pair, VerifyReport& report) {
  try {
    for (const LostLayer& layer : lost_layers(pair))
      report.incidents.push_back(
          {IncidentKind::values,
           "the layer `" + layer.name + "` keeps " + spoken(layer.kept) +
               " with the reference's inputs, where " + words_of(pair.narrow->narrowing) +
               " leaves its own weights " + spoken(layer.explained),
           "its scales, zero points or stored weights are not those of the reference's layer; "
           "`--localize` lists the layers",
           true});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    report.notes.push_back(std::string("the layers were not compared one by one: ") + error.what());
  }
}

} // namespace model_validator::verify
