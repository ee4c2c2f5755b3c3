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

/// In dB: a copy that keeps this much is good; and how much more its weights alone must keep for
/// something else to be to blame.
constexpr double good = 30, much = 10;

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
  if (pair.request.backend.empty() && pair.request.device == "cpu" &&
      !pair.quantised->has_wide_values)
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

std::optional<Ratio> kept_by_weights(const ComparedPair& pair, bool per_channel,
                                     const CompareRun& compare) {
  try {
    return least_ratio(compare(run_reference_rounded(pair, per_channel)).outputs);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

} // namespace

void compare_other_runs(const ComparedPair& pair, const CompareRun& compare, VerifyReport& report) {
  if (!pair.quantised) return;
  for (const OtherRun& run : other_runs(pair)) compare_run(pair, run, compare, report);
}

void note_what_weights_keep(const ComparedPair& pair, const CompareRun& compare,
                            VerifyReport& report) {
  const auto least = least_ratio(report.outputs);
  if (!pair.quantised || pair.golden || !least || least->decibels >= good) return;
  const bool per_channel = pair.quantised->per_channel;
  const auto kept = kept_by_weights(pair, per_channel, compare);
  if (!kept) return;
  std::string note = "with nothing but its weights in int8, " +
                     std::string(per_channel ? "a scale for each channel" : "one scale for each") +
                     ", " + about(*kept);
  if (kept->decibels >= least->decibels + much)
    note += ": the rest is lost in values between the layers, or by a fault; `--localize` lists "
            "the layers";
  if (const auto finer = per_channel || kept->decibels >= good
                             ? std::nullopt
                             : kept_by_weights(pair, true, compare))
    note += "; with a scale for each channel, " + about(*finer);
  report.notes.push_back(std::move(note));
}

} // namespace model_validator::verify
