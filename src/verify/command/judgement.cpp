#include "verify/command/judgement.h"

#include "verify/command/checker_choice.h"
#include "verify/command/output_judge.h"
#include "verify/compare/words.h"
#include "verify/run/signature.h"

#include <model_validator/verify/config.h>
#include <model_validator/verify/report.h>
#include <model_validator/verify/same.h>
#include <model_validator/verify/verify.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace model_validator::verify {
namespace {

/// Two digits, never below the number itself.
double rounded_up(double value) {
  if (value <= 0) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::ceil(value / unit) * unit;
}

/// How far other runs move an output of the reference at most, where any could be made.
std::optional<double> greatest_change(const TensorView& reference,
                                      const std::vector<std::vector<double>>& runs) {
  if (runs.empty()) return std::nullopt;
  const auto changes =
      OutputRuns{reference.shape, numbers_of(reference), {}, runs}.greatest_changes();
  return changes.empty() ? 0 : *std::ranges::max_element(changes);
}

/// Flags that would silence a difference which the verdict does not explain are not offered.
/// @param least_rtol  with which the plain rule passes
/// @note For a reference that is zero everywhere, there is no relative error.
ToleranceAdvice advice_for(const OutputReport& output, std::optional<double> least_rtol) {
  const Metrics& metrics = *output.metrics;
  const bool has_scale = metrics.reference_max > 0;
  const double scale = has_scale ? metrics.reference_max : 1;
  const double error = metrics.max_abs / scale, noise = output.noise.value_or(0) / scale;
  ToleranceAdvice advice{
      output.name, "",
      "differs by " + number(error, 2) +
          (has_scale ? " of the largest value" : " from a reference that is zero everywhere")};
  if (noise > 0)
    advice.message += ", " + number(error / noise, 2) +
                      " times the reference's own rounding noise of " + number(noise, 2);
  if (output.passed())
    advice.flags =
        (has_scale ? "--rtol " : "--atol ") + number(rounded_up(least_rtol.value_or(error)), 2);
  else
    advice.message += output.noise ? ": rounding does not explain that, so no tolerance is offered"
                                   : "; no noise was measured, so no tolerance is offered";
  return advice;
}

void judge_by_same(const Value& reference, const Value& candidate, std::size_t sample,
                   VerifyReport& report) {
  const auto verdict = same(reference, candidate);
  for (const auto& difference : verdict.differences)
    report.incidents.push_back(
        {IncidentKind::values, "sample " + std::to_string(sample) + ": " + difference, "", true});
  report.notes.insert(report.notes.end(), verdict.notes.begin(), verdict.notes.end());
}

bool are_matched_by_name(const ComparedPair& pair, const NamedTensors& outputs,
                         const NamedTensors& others) {
  return have_same_names(outputs, others) ||
         (pair.shares_names() && come_from_dict(outputs) && come_from_dict(others));
}

bool has_failed(const RunResults& results, std::size_t sample) {
  return std::ranges::find(results.failed, sample, &FailedSample::sample) != results.failed.end();
}

/// Where an output of the report is among the results of the reference, and its counterpart.
struct PlacedOutput {
  OutputPlace place;
  const Tensor* reference = nullptr;
  const Tensor* candidate = nullptr;
};

std::size_t place_of(const std::string& name, const NamedTensors& outputs) {
  const auto found = std::ranges::find(outputs, name, &NamedTensor::name);
  return static_cast<std::size_t>(found - outputs.begin());
}

std::optional<PlacedOutput> placed(const ComparedPair& pair, const OutputReport& output,
                                   const RunResults& reference, const RunResults& candidate) {
  const std::size_t call = output.sample * pair.calls() + output.step - 1;
  if (call >= reference.samples.size() || call >= candidate.samples.size()) return std::nullopt;
  const NamedTensors &outputs = reference.samples[call], &others = candidate.samples[call];
  const std::size_t at = place_of(output.name, outputs);
  const bool by_name = are_matched_by_name(pair, outputs, others);
  const std::size_t other = by_name ? place_of(output.name, others) : at;
  if (at >= outputs.size() || other >= others.size()) return std::nullopt;
  return PlacedOutput{{call, at, other}, &outputs[at].tensor, &others[other].tensor};
}

void explain(const ComparedPair& pair, const RunResults& reference, const RunResults& candidate,
             ReferenceReruns& runs, VerifyReport& judged) {
  for (OutputReport& output : judged.outputs) {
    const auto at = placed(pair, output, reference, candidate);
    if (!at || !output.metrics) continue;
    OutputEvidence evidence(runs, at->place);
    OutputJudge judge(pair.narrowing_of(at->place.output), evidence, {}, pair.has_data());
    judge.judge(output, at->reference->view, at->candidate->view);
    if (judge.judged_by_precision()) judged.precision = words_of(pair.narrow->narrowing);
  }
}

/// The candidate's outputs of one call, as the reference counts them.
std::vector<std::size_t> counterparts(const ComparedPair& pair, const NamedTensors& outputs,
                                      const NamedTensors& others) {
  std::vector<std::size_t> found;
  const bool by_name = are_matched_by_name(pair, outputs, others);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    found.push_back(by_name ? place_of(outputs[i].name, others) : i);
  return found;
}

/// The same tensor where shapes differ, and where it holds no fractions.
Tensor moved_by(const Tensor& tensor, const Tensor& before, const Tensor& after) {
  const TensorView &own = tensor.view, &from = before.view, &to = after.view;
  if (!is_floating(own.dtype) || own.shape != from.shape || own.shape != to.shape) return tensor;
  return to_tensor(to_torch(tensor).to(at::kDouble) + to_torch(after).to(at::kDouble) -
                   to_torch(before).to(at::kDouble));
}

std::string words_about(const ReorderedRows& rows) {
  std::string text;
  if (rows.moved > 0)
    text = std::to_string(rows.moved) + " rows lie elsewhere, where others nearly tie with them";
  if (rows.replaced > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(rows.replaced) +
            " at the end, which nearly tie with what was left out, are others and not compared";
  return text;
}

/// Where values differ in calls whose rows are sorted, the candidate with its rows in the order of
/// the reference; nothing where that changes nothing.
std::optional<RunResults> in_order_of_reference(const ComparedPair& pair,
                                                const RunResults& reference,
                                                const RunResults& candidate, ReferenceReruns& runs,
                                                VerifyReport& judged) {
  std::set<std::size_t> calls;
  for (const OutputReport& output : judged.outputs)
    if (!output.passed()) calls.insert(output.sample * pair.calls() + output.step - 1);
  RunResults ordered = candidate;
  bool any = false;
  for (const std::size_t call : calls) {
    if (call >= reference.samples.size() || call >= candidate.samples.size()) continue;
    NamedTensors& others = ordered.samples[call];
    const auto places = counterparts(pair, reference.samples[call], others);
    std::vector<Tensor> tensors;
    for (const std::size_t place : places)
      if (place < others.size()) tensors.push_back(others[place].tensor);
    const auto rows = runs.in_order_of_reference(call, tensors);
    if (!rows || rows->moved + rows->replaced == 0) continue;
    any = true;
    for (std::size_t i = 0; i < places.size(); ++i) others[places[i]].tensor = rows->outputs[i];
    judged.notes.push_back("sample " + std::to_string(call / pair.calls()) + ": " +
                           words_about(*rows));
  }
  if (!any) return std::nullopt;
  return ordered;
}

VerifyReport compare_by(std::shared_ptr<const ValueChecker> checker, const ComparedPair& pair,
                        const RunResults& reference, const RunResults& candidate) {
  VerifyReport report;
  const bool by_same = pair.request.checker == "same";
  VerifyConfig config;
  config.value_checker = std::move(checker);
  config.verify_values = !by_same;
  config.allow_other_widths =
      pair.request.checker == "default" || is_judged_by_sqnr(pair.request, pair.is_quantised());
  config.histogram = !pair.request.report.empty();
  config.threads = pair.request.threads;
  for (std::size_t i = 0; i < reference.samples.size(); ++i) {
    if (has_failed(candidate, i / pair.calls())) continue; // reported
    const auto& outputs = reference.samples[i];
    const NamedTensors none;
    const auto& others = i < candidate.samples.size() ? candidate.samples[i] : none;
    const bool by_name = are_matched_by_name(pair, outputs, others);
    const auto expected = as_value(outputs, by_name), got = as_value(others, by_name);
    auto call = compare(expected, got, config, i / pair.calls());
    for (auto& output : call.outputs) output.step = i % pair.calls() + 1;
    merge(report, std::move(call));
    if (by_same) judge_by_same(expected, got, i / pair.calls(), report);
  }
  return report;
}

VerifyReport judge_by_runs(const ComparedPair& pair, const RunResults& reference,
                           const RunResults& candidate, ReferenceReruns& runs) {
  auto judged = compare_results(pair, reference, candidate);
  if (!is_judged_by_defaults(pair.request)) return judged;
  const auto ordered = in_order_of_reference(pair, reference, candidate, runs, judged);
  if (ordered) {
    auto notes = std::move(judged.notes);
    judged = compare_results(pair, reference, *ordered);
    judged.notes.insert(judged.notes.end(), notes.begin(), notes.end());
  }
  explain(pair, reference, ordered ? *ordered : candidate, runs, judged);
  return judged;
}

/// Gives each output the noise of the reference, and one that passes the tightest flags with which
/// the plain rule passes it, too. Changes no verdict.
void add_tolerance_advice(const ComparedPair& pair, const RunResults& reference,
                          const RunResults& candidate, ReferenceReruns& runs,
                          VerifyReport& judged) {
  const auto plain = compare_by(checker_of_advice(pair.request), pair, reference, candidate);
  for (OutputReport& output : judged.outputs) {
    if (!output.metrics || !output.reference || output.reference->kind != "tensor") continue;
    const auto at = placed(pair, output, reference, candidate);
    if (!at || !is_floating(at->reference->view.dtype)) continue;
    output.noise = greatest_change(at->reference->view, runs.by_rounding(at->place));
    const auto same_output = [&](const OutputReport& other) {
      return other.name == output.name && other.sample == output.sample &&
             other.step == output.step;
    };
    const auto found = std::ranges::find_if(plain.outputs, same_output);
    judged.advice.push_back(
        advice_for(output, found == plain.outputs.end() ? std::nullopt : found->least_rtol));
  }
}

} // namespace

VerifyReport compare_results(const ComparedPair& pair, const RunResults& reference,
                             const RunResults& candidate) {
  return compare_by(choose_checker(pair.request, pair.is_quantised()), pair, reference, candidate);
}

std::vector<RunResults> moved_alike(const ComparedPair& pair, const RunResults& reference,
                                    const RunResults& candidate,
                                    const std::vector<RunResults>& moved) {
  std::vector<RunResults> all;
  for (const RunResults& run : moved) {
    all.push_back(reference);
    for (std::size_t i = 0; i < std::min(run.samples.size(), reference.samples.size()); ++i) {
      NamedTensors& outputs = all.back().samples[i];
      const NamedTensors &before = candidate.samples.at(i), &after = run.samples[i];
      const auto places = counterparts(pair, outputs, before);
      for (std::size_t k = 0; k < outputs.size(); ++k)
        if (places[k] < std::min(before.size(), after.size()))
          outputs[k].tensor =
              moved_by(outputs[k].tensor, before[places[k]].tensor, after[places[k]].tensor);
    }
  }
  return all;
}

VerifyReport judge(const ComparedPair& pair, const RunResults& reference,
                   const RunResults& candidate, ReferenceReruns& runs) {
  auto judged = judge_by_runs(pair, reference, candidate, runs);
  if (pair.request.auto_tolerance) add_tolerance_advice(pair, reference, candidate, runs, judged);
  return judged;
}

} // namespace model_validator::verify
