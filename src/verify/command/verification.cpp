#include "files/atomic_file.h"
#include "text/escape.h"
#include "text/grouped_names.h"
#include "verify/backends/builtin.h"
#include "verify/command/carried_state.h"
#include "verify/command/causes.h"
#include "verify/command/channel_layout.h"
#include "verify/command/checker_choice.h"
#include "verify/command/chosen_samples.h"
#include "verify/command/confined_reading.h"
#include "verify/command/file_weights.h"
#include "verify/command/generation.h"
#include "verify/command/input_listing.h"
#include "verify/command/judgement.h"
#include "verify/command/localized_run.h"
#include "verify/command/model_runners.h"
#include "verify/command/model_runs.h"
#include "verify/command/padding.h"
#include "verify/command/quantised_runs.h"
#include "verify/command/self_check.h"
#include "verify/compare/compared_values.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>
#include <model_validator/verify/config.h>
#include <model_validator/verify/render.h>
#include <model_validator/verify/request.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>

namespace model_validator::verify {
namespace {

void save_golden(const ComparedPair& pair, const RunResults& reference) {
  GoldenFolder golden{pair.request.reference.filename().string(), {}, pair.calls()};
  for (std::size_t i = 0; i < reference.samples.size(); ++i)
    golden.samples.push_back(
        {tensors_of_sample(pair.inputs_of_call(i / pair.calls(), i % pair.calls()),
                           pair.input_names),
         reference.samples[i]});
  write_golden(pair.request.save_golden, golden, Lasting::for_good);
}

void require_outputs(const RunResults& reference, const std::string& path) {
  if (std::ranges::all_of(reference.samples, std::ranges::empty))
    throw Error(ErrorKind::nothing_to_compare, path,
                "the model returns neither tensors nor numbers",
                "make its `forward` return what should be compared");
}

RunResults stored_results(const GoldenFolder& golden) {
  RunResults results;
  results.steps = golden.steps;
  for (const GoldenSample& sample : golden.samples) results.samples.push_back(sample.outputs);
  return results;
}

bool judged_by_sqnr(const ComparedPair& pair) {
  return is_judged_by_sqnr(pair.request, pair.is_quantised());
}

/// What one run of a quantised copy hides, another shows.
void look_at_quantised_copy(const ComparedPair& pair, const RunResults& reference,
                            ReferenceReruns& runs, VerifyReport& report) {
  const auto compared_exactly = [&](const RunResults& results,
                                    const std::vector<RunResults>& moved) {
    ComparedPair exact = pair;
    exact.narrow.reset();
    RunResults laid_out = results;
    std::vector<std::string> known;
    const bool may_be_last = pair.candidate_model().format == FileFormat::litert;
    if (may_be_last) put_channels_second(reference, laid_out, known);
    if (moved.empty()) return judge(exact, reference, laid_out, runs);
    exact.narrow = stored_alone(*pair.narrow);
    std::vector<RunResults> others = moved;
    for (RunResults& run : others)
      if (may_be_last) put_channels_second(reference, run, known);
    ReferenceReruns explained(exact, reference, moved_alike(pair, reference, laid_out, others));
    return judge(exact, reference, laid_out, explained);
  };
  pair.runners->end(Side::reference);
  compare_stored_weights(pair, report);
  const bool ranges_alone = compare_unrounded_copy(pair, compared_exactly, report);
  report_lost_layers(pair, ranges_alone, report);
}

/// What a runtime that computes float16 in float32 does not show.
void look_for_overflow(const ComparedPair& pair, VerifyReport& report) {
  note_failure(report, "whether float16 can hold all results was not seen", [&] {
    if (const auto loss = op_beyond_float16(pair))
      report.incidents.push_back(
          {IncidentKind::values,
           "`" + loss->op +
               (loss->divides
                    ? "` divides by, or takes the logarithm of, numbers too small for float16, "
                      "which hardware that computes in float16 makes 0"
                    : "` gives more than float16 can hold, 65504, which hardware that computes in "
                      "float16 makes infinite") +
               ", though this runtime, which computes in float32, does not",
           "keep this op in float32", true});
  });
}

/// One that is in halves is run with nothing rounded, unless what the user names decides.
bool is_half_to_unround(const ComparedPair& pair) {
  return can_be_unrounded(pair) && !pair.is_quantised() && is_judged_by_defaults(pair.request);
}

/// The layers of a quantised copy are of interest whether or not it passes.
bool has_layers_to_show(const ComparedPair& pair) {
  // These fuse ops and call values otherwise: what is not there to see is no difference.
  return pair.is_quantised() && judged_by_sqnr(pair) &&
         !takes_own_files_alone(pair.candidate_backend());
}

/// A model other than the one compiled here may have been damaged on its way.
void look_for_nan_weights(const ComparedPair& pair, VerifyReport& report) {
  if (pair.with_nan.empty()) return;
  auto incident = read_confined_value({pair.reference.path}, pair.request, [&] {
    return nan_of_candidate_alone(pair.reference, pair.with_nan);
  });
  if (incident) report.incidents.push_back(std::move(*incident));
}

/// Other causes of a failed verification, such as inputs that were written into, begin at no op.
bool results_differ(const VerifyReport& report) {
  const auto differs = [](const OutputReport& output) { return !output.passed(); };
  const auto about_results = [](const Incident& incident) {
    return incident.kind == IncidentKind::values ||
           incident.kind == IncidentKind::number_of_outputs;
  };
  return std::ranges::any_of(report.outputs, differs) ||
         std::ranges::any_of(report.incidents, about_results);
}

CallId first_failing_call(const VerifyReport& report) {
  for (const auto& output : report.outputs)
    if (!output.passed()) return {output.sample, output.step};
  return {};
}

/// A sequence of calls that differs because one of the models keeps state and the other does not.
void look_for_lost_state(const ComparedPair& pair, const RunResults& reference,
                         const RunResults& candidate, VerifyReport& report) {
  if (pair.calls() == 1 || pair.generates || pair.state_taker || !results_differ(report)) return;
  if (!reference.remembers || !candidate.remembers) return;
  const std::string hint = "give the state as an input and return it as an output; the rule "
                           "`mutated-state` names where it is kept";
  if (*reference.remembers && !*candidate.remembers)
    report.incidents.push_back(
        {IncidentKind::state_lost,
         "the candidate loses the model's state: its step 2 gives what it gives as a first step, "
         "though the reference's does not",
         hint, true});
  else if (!*reference.remembers && *candidate.remembers)
    report.incidents.push_back(
        {IncidentKind::state_kept,
         "the candidate keeps state that the reference does not: its step 2 does not give what it "
         "gives as a first step, though the reference's does",
         hint, true});
}

/// What becomes of state that no result depends on cannot be observed.
void note_hidden_state(const ComparedPair& pair, const RunResults& reference,
                       VerifyReport& report) {
  if (pair.calls() == 1 || pair.request.steps || pair.state_taker || results_differ(report)) return;
  if (reference.remembers != false) return;
  report.notes.emplace_back("the model keeps state, but with these inputs no result depends on it, "
                            "so whether the candidate keeps it is not known");
}

/// A constant looks like what is computed from one set of inputs, or from several that give the
/// same.
void note_unseen_dependence(const ComparedPair& pair, const RunResults& reference,
                            VerifyReport& report) {
  if (pair.input_names.empty() || !report.passed()) return;
  if (pair.samples.size() > 1) {
    if (repeats(reference.samples, 0, reference.samples.size()))
      report.notes.emplace_back("the reference gives the same for every sample, so whether the "
                                "candidate's outputs depend on its inputs is not shown");
    return;
  }
  const bool random = !pair.golden && pair.request.inputs.files.empty();
  report.notes.push_back(
      "one sample does not show whether the candidate's outputs depend on its inputs" +
      std::string(random ? "; `--samples 2` compares another" : ""));
}

VerifyResult show(const VerifyReport& report, const VerifyRequest& request, VerifyStatus status) {
  if (!request.report.empty()) {
    AtomicFile page(request.report);
    page.stream() << render_html(report, request.graph);
    page.commit();
  }
  if (request.output_format == "json") return {status, render_json(report), report};
  if (request.output_format == "junit") return {status, render_junit(report), report};
  return {status, render_text(report, request.color, request.detail), report};
}

VerifyReport report_about(const ComparedPair& pair) {
  VerifyReport report;
  report.reference = pair.reference_name();
  report.reference_backend = pair.reference_backend();
  report.candidate = pair.candidate_name();
  const auto& request = pair.request;
  report.backend = request.backend.empty() || !request.command.empty() ? pair.candidate_backend()
                                                                       : request.backend;
  report.checker = judged_by_sqnr(pair) ? "quantised" : request.checker;
  report.samples = pair.samples.size();
  for (const auto& [option, text] :
       {std::pair("--rtol", request.rtol), std::pair("--atol", request.atol),
        std::pair("--pcc", request.pcc), std::pair("--sqnr", request.sqnr)})
    if (text)
      report.notes.push_back(std::string("judged by ") + option + " " + *text + ", as given");
  return report;
}

void note_made_up_inputs(const ComparedPair& pair, VerifyReport& report) {
  if (!pair.made_up_inputs.empty())
    report.notes.push_back("the inputs that are not given are made up: " +
                           boost::join(grouped(pair.made_up_inputs), ", ") +
                           "; data of your own, `--inputs FILE`, shows faults that these do not");
}

/// Made-up inputs can leave the ranges of layers that no file says the inputs of.
void note_calibration(const ComparedPair& pair, VerifyReport& report) {
  if (report.passed() || pair.made_up_inputs.empty() || !pair.is_quantised() ||
      pair.narrow->narrowing.results == Narrowing::Results::as_they_are)
    return;
  report.notes.emplace_back(
      "a statically quantised copy has ranges for the data that it was calibrated on, and differs "
      "beyond them: give it that data, `--inputs FILE`, before you call it wrong");
}

void note_samples(const ComparedPair& pair, VerifyReport& report) {
  for (const SampleShape& shape : pair.shapes) report.sample_names.push_back(shape.name);
  report.notes.insert(report.notes.end(), pair.notes.begin(), pair.notes.end());
  if (!pair.candidate_inputs) return;
  for (std::string& note : notes_on(*pair.candidate_inputs, pair.candidate->needs))
    report.notes.push_back(std::move(note));
}

void note_steps(const ComparedPair& pair, VerifyReport& report) {
  report.steps = pair.calls();
  if (report.steps == 1) return;
  std::string how = "which starts from the state that the file holds";
  if (pair.generates && token_input(pair.reference.needs))
    how = "each of which takes the caches that the one before returned and the tokens that the "
          "reference chose";
  else if (pair.generates)
    how = "each of which takes the state that the one before returned";
  report.notes.push_back("each sample is a sequence of " + std::to_string(report.steps) +
                         " calls, " + how);
}

std::string in_words(const Fork& fork, int way) { return fork.name + ": never " + fork.ways[way]; }

/// What of the reference no sample reached.
void report_coverage(const ComparedPair& pair, const RunResults& reference, VerifyReport& report) {
  if (reference.forks.empty()) return;
  Coverage coverage;
  for (const bool branches : {true, false})
    for (const Fork& fork : reference.forks) {
      if (fork.branches != branches) continue;
      for (const int way : {0, 1}) {
        ++(branches ? coverage.branches : coverage.bounds);
        if (fork.taken[way])
          ++(branches ? coverage.branches_run : coverage.bounds_met);
        else
          coverage.missed.push_back(in_words(fork, way));
      }
    }
  if (pair.request.require_coverage && coverage.branches_run < coverage.branches)
    report.incidents.push_back(
        {IncidentKind::not_covered,
         std::to_string(coverage.branches - coverage.branches_run) + " of " +
             std::to_string(coverage.branches) +
             " branches of the reference were never run: " + coverage.missed.front(),
         "give inputs that run them, with `--inputs`, or sizes, with "
         "`--sizes`",
         true});
  report.coverage = std::move(coverage);
}

/// Where a part of the model can be cut out.
void note_reduction(const ComparedPair& pair, VerifyReport& report) {
  const bool of_onnx = pair.reference.format == FileFormat::onnx &&
                       pair.candidate_model().format == FileFormat::onnx;
  if (report.passed() || pair.golden || !of_onnx || pair.calls() > 1) return;
  const VerifyRequest& asked = pair.request;
  const std::string candidate =
      asked.candidate.empty() ? "" : " " + escape(asked.candidate.string());
  report.notes.push_back("`model_validator reduce " + escape(asked.reference.string()) + candidate +
                         " -o bug/`, with the same inputs and backend, makes a bug report of this: "
                         "the smallest part that still fails");
}

void tell(const VerifyRequest& request, std::string_view what) {
  if (request.progress) request.progress(what);
}

/// What shows where a difference comes from.
void note_next_steps(const ComparedPair& pair, VerifyReport& report) {
  std::string words;
  if (pair.request.command.empty() && why_not_localized(pair, first_failing_call(report)).empty())
    words = "`--localize` finds the first op that differs";
  if (!pair.golden && pair.candidate && pair.candidate->format == pair.reference.format &&
      pair.reference.format != FileFormat::unknown)
    words += (words.empty() ? "" : ", and ") + ("`model_validator diff " + pair.reference_name()) +
             " " + pair.candidate_name() + "` compares the files";
  if (!words.empty()) report.notes.push_back(words);
}

void compare_values(const ComparedPair& pair, const RunResults& reference,
                    const RunResults& candidate, VerifyReport& report) {
  ReferenceReruns runs(pair, reference);
  const auto as_written = results_as_written(pair, report);
  merge(report, judge(pair, reference, as_written ? *as_written : candidate, runs));
  if (!judged_by_sqnr(pair) && !is_half_to_unround(pair)) return;
  tell(pair.request, "running the quantised copy in other ways");
  look_at_quantised_copy(pair, reference, runs, report);
  if (as_written) compare_machine(pair, judge(pair, reference, candidate, runs), report);
}

/// Brings both to one layout, and leaves out what stands where padding is.
void make_comparable(const ComparedPair& pair, RunResults& reference, RunResults& candidate,
                     VerifyReport& report) {
  if (pair.candidate_model().format == FileFormat::litert)
    put_channels_second(reference, candidate, report.notes);
  forgive_padding(pair.shapes, reference, candidate);
}

VerifyResult compare_with_candidate(ComparedPair& pair, RunResults reference) {
  const VerifyRequest& request = pair.request;
  VerifyReport report = report_about(pair);
  const bool steady = !changes_between_runs(reference);
  if (!steady) report.notes.emplace_back("the reference differs from itself on a second run");
  tell(request, "running the candidate");
  auto candidate = run_candidate(pair, steady, report);
  const bool takes_state = candidate && share_state(pair, StateTaker::reference, candidate->kept);
  if (takes_state || (candidate && candidate->steps > pair.calls())) { // the candidate's own
    pair.steps = candidate->steps;
    reference = run_reference(pair);
  }
  for (const std::string& note : reference.notes)
    if (!contains(report.notes, note)) report.notes.push_back(note);
  note_steps(pair, report);
  note_samples(pair, report);
  note_made_up_inputs(pair, report);
  if (!candidate || !report_failed_samples(pair, *candidate, report)) {
    note_reduction(pair, report);
    return show(report, request, VerifyStatus::crashed);
  }
  tell(request, "comparing the results");
  make_comparable(pair, reference, *candidate, report);
  compare_values(pair, reference, *candidate, report);
  report_coverage(pair, reference, report);
  look_for_overflow(pair, report);
  require_compared_values(report, request.allow_empty);
  look_for_nan_weights(pair, report);
  look_for_lost_state(pair, reference, *candidate, report);
  note_hidden_state(pair, reference, report);
  note_unseen_dependence(pair, reference, report);
  note_calibration(pair, report);
  if (request.localize && (results_differ(report) || has_layers_to_show(pair))) {
    tell(request, "looking for the first op that differs");
    localize_difference(pair, first_failing_call(report), report);
    name_places_and_causes(pair, results_differ(report), report);
  } else if (results_differ(report)) {
    note_next_steps(pair, report);
  }
  note_reduction(pair, report);
  return show(report, request, report.passed() ? VerifyStatus::same : VerifyStatus::different);
}

/// A model with caches against itself: a text as a whole, and piece by piece.
VerifyResult check_against_itself(ComparedPair& pair) {
  tell(pair.request, "running the model as a whole and in steps");
  const SelfCheck check = run_in_pieces(pair);
  VerifyReport report = compare_results(pair, check.whole, check.pieces);
  report.reference =
      pair.reference_name() + ", " + std::to_string(check.elements) + " elements in one call";
  report.candidate = pair.reference_name() + ", " + std::to_string(check.first) +
                     " elements and then " + (check.length == 1 ? "one" : "two") + " in each call";
  report.reference_backend = pair.reference_backend();
  report.checker = pair.request.checker;
  report.steps = pair.calls();
  if (report.outputs.empty())
    throw Error(ErrorKind::nothing_to_compare, pair.reference_name(),
                "no output of the model counts the elements of its inputs");
  if (!check.note.empty()) report.notes.push_back(check.note);
  note_made_up_inputs(pair, report);
  return show(report, pair.request, report.passed() ? VerifyStatus::same : VerifyStatus::different);
}

} // namespace

VerifyResult run_verification(const VerifyRequest& request) {
  check_device(request);
  auto opened = open_pair(request);
  if (!opened) return {VerifyStatus::different, "", {}};
  ComparedPair& pair = *opened;
  if (request.show_inputs) return {VerifyStatus::same, list_inputs(pair), {}};
  if (is_self_check(request)) return check_against_itself(pair);
  tell(request, "running the reference");
  auto reference = pair.golden ? stored_results(*pair.golden) : run_reference_on_samples(pair);
  pair.steps = reference.steps;
  if (pair.generates) take_generated_calls(pair, reference);
  require_outputs(reference, pair.reference_name());
  if (!request.save_golden.empty()) save_golden(pair, reference);
  const std::string written = request.write_inputs.empty() ? "" : write_inputs(pair);
  share_state(pair, StateTaker::candidate, reference.kept);
  if (!pair.candidate_name().empty()) return compare_with_candidate(pair, std::move(reference));
  if (request.save_golden.empty()) return {VerifyStatus::same, written, {}};
  return {VerifyStatus::same,
          "stored the results of " + std::to_string(pair.samples.size()) + " sample(s) in " +
              escape(request.save_golden.string()) + "\n",
          {}};
}

} // namespace model_validator::verify
