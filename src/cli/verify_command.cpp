#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/interrupt.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "cli/console/progress.h"
#include "cli/console/shared_options.h"
#include "cli/console/terminal.h"
#include "files/process/model_reading.h"
#include "libraries/verify_library.h"
#include "lint/finish_report.h"
#include "lint/lint_files.h"
#include "lint/result_bytes.h"
#include "lint/source_lines.h"
#include "report/report_writer.h"
#include "requests/model_request.h"
#include "text/guarded_output.h"
#include "text/lists.h"

#include <model_validator/registry.h>
#include <model_validator/verify/checker_settings.h>
#include <model_validator/verify/request.h>

#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>
#include <memory>

namespace model_validator::cli {
namespace {

bool is_error(const Diagnostic& finding) {
  return finding.severity == Severity::error && !finding.suppressed;
}

void show(ModelReport report) {
  std::erase_if(report.findings, [](const Diagnostic& finding) { return !is_error(finding); });
  finish(report);
  Style style;
  style.color = wants_color(ColorChoice::automatic, Stream::error);
  style.width = terminal_width(Stream::error);
  style.quiet = true;
  GuardedStream out(std::cerr, style.color);
  const auto writer = make_report_writer("full", out, style, {});
  writer->begin();
  writer->add(report);
  writer->end({});
  out << "not verified: lint found errors; `--no-lint` verifies anyway\n";
}

/// The reference is linted before it is run, where it is read. Findings of severity error are shown
/// on standard error, and forbid to go on.
void lint_reference(verify::VerifyRequest& request, bool& forbids) {
  static const Registry registry = Registry::builtin();
  const FileTask task{{request.reference.string(), request.reference, std::nullopt},
                      std::make_shared<const Settings>(resolve_settings(registry, {}))};
  request.lint = [task](const ConnectedGraph& graph) {
    return to_bytes(lint_graph(graph, task.settings, task.file.path));
  };
  request.passes_lint = [task, &forbids](const std::string& bytes) {
    FileResult result = result_of_reader(task, bytes);
    forbids = std::ranges::any_of(result.report.findings, is_error);
    if (!forbids) return true;
    SourcesAtHand(task.settings->roots())
        .follow(result.report.findings, result.ignores, task.file.path);
    show(std::move(result.report));
    return false;
  };
}

using verify::VerifyRequest;

struct VerifyOptions {
  VerifyRequest request;
  bool no_lint = false;
  std::optional<double> timeout;           ///< seconds
  std::optional<std::uint64_t> max_memory; ///< megabytes
  std::optional<process::SandboxMode> sandbox;
  InputChoice inputs;
  std::filesystem::path output_file;
  ColorChoice color = ColorChoice::automatic;
  bool quiet = false;
  bool verbose = false;
};

void add_candidate(CLI::App& app, VerifyRequest& request) {
  app.add_option("REFERENCE", request.reference,
                 "the model as exported from the framework; with `--golden`, "
                 "the model to be compared")
      ->required()
      ->type_name("");
  app.add_option("CANDIDATE", request.candidate, "another file of it, to compare")->type_name("");
  OptionAdder adder(app, "Candidate");
  adder.option(
      {"backend", "NAME",
       "compile the reference, or run the candidate's file, with: aoti, eager, "
       "onnxruntime, openvino or ts; `onnxruntime:CUDAExecutionProvider` names a provider"},
      request.backend);
  adder.option(
      {"command", "LINE", "a program that reads `{inputs}` and writes `{outputs}`, both .npz"},
      request.command);
  const std::vector<std::string> precisions(verify::precision_words.begin(),
                                            verify::precision_words.end());
  adder.option({"judge",
                "NAME",
                "whose verdict of a candidate in few bits the exit status is: `file`, as it is "
                "written (default), or `machine`, as the kernels here compute it",
                {"file", "machine"}},
               request.judge);
  adder.option({"candidate-precision", "NAME",
                "what the candidate computes in or stores its weights in, where its file does not "
                "say: " +
                    list_in_words(precisions),
                precisions},
               request.candidate_precision);
  adder.option({"golden", "FOLDER", "the reference is the results stored in this folder"},
               request.golden);
  adder.option({"save-golden", "FOLDER", "store inputs and results in this folder"},
               request.save_golden);
}

/// Those of values, and `same`, which judges a whole result.
std::vector<std::string> ways_to_judge() {
  std::vector<std::string> names = verify::checker_names();
  names.emplace_back("same");
  return names;
}

void add_judgement(CLI::App& app, VerifyRequest& request) {
  OptionAdder adder(app, "Judgement");
  const auto ways = ways_to_judge();
  adder.option({"checker", "NAME", "how values are judged: " + list_in_words(ways), ways},
               request.checker);
  adder.option({"rtol", "X",
                "difference allowed, as a share of the output's greatest value; 1e-5,logits=1e-3 "
                "for all outputs and for one by name"},
               request.rtol);
  adder.option({"atol", "X", "difference allowed in any case; likewise"}, request.atol);
  adder.option({"pcc", "X", "least correlation, such as 0.999; likewise"}, request.pcc);
  adder.option({"sqnr", "X",
                "least signal-to-noise ratio in dB, of a quantised copy (default: 20); likewise"},
               request.sqnr);
  adder.option({"auto-tolerance", "",
                "measure the reference's own rounding noise and print the tightest tolerances"},
               request.auto_tolerance);
  adder.option({"require-coverage", "",
                "fail where a branch of the reference was run by none of the samples"},
               request.require_coverage);
  adder.option({"allow-empty", "",
                "pass outputs of which nothing can be compared: empty, NaN or zero throughout"},
               request.allow_empty);
  adder.option({"localize", "", "find the first op whose result differs"}, request.localize);
}

void add_running(CLI::App& app, VerifyOptions& options) {
  constexpr const char* group = "Running";
  auto& request = options.request;
  OptionAdder adder(app, group);
  adder.option({"no-lint", "", "verify even a model with lint errors"}, options.no_lint);
  app.add_option("--threads", request.threads, "threads of each model (default: one per core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  adder.option({"device", "NAME", "cpu or cuda", {"cpu", "cuda"}}, request.device);
  adder.option({"timeout", "S", "seconds that each model may take", {}, Bounds{0.001, 1e6}},
               options.timeout);
  adder.option({"max-memory",
                "MB",
                "megabytes of memory that each model may take (default: any number)",
                {},
                Bounds{1, 16 << 20}},
               options.max_memory);
  describe_sandbox(adder, options.sandbox);
  adder.option({"steps",
                "N",
                "calls of each sample, one after another; without the option 3 for a model that "
                "keeps state, else 1",
                {},
                Bounds{1, 1000},
                Option::Lists::of_commas,
                {},
                "8"},
               request.steps);
  adder.option({"wire",
                "OUTPUT=INPUT",
                "an output that is given back as an input of the next step, where names do not say "
                "so",
                {},
                {},
                Option::Lists::one_each},
               request.wires);
  add_op_library(app, request.operator_libraries)->group(group);
}

void add_made_inputs(CLI::App& app, VerifyRequest& request) {
  OptionAdder adder(app, "Inputs");
  adder.option({"show-inputs", "",
                "print what each input is taken for and what it would be given; nothing runs"},
               request.show_inputs);
  adder.option({"write-inputs", "PATH",
                "write the inputs: FILE.npz those of the first sample, a folder those of all"},
               request.write_inputs);
}

void add_output(CLI::App& app, VerifyOptions& options) {
  constexpr const char* group = "Output";
  OptionAdder adder(app, group);
  adder.option({"output-format", "FORMAT", "text, json or junit", {"text", "json", "junit"}},
               options.request.output_format);
  add_output_file(app, options.output_file)->group(group);
  adder.option({"report", "FILE.html", "also write a page that shows all of it"},
               options.request.report);
  add_color(app, options.color)->group(group);
  auto* quiet = app.add_flag("-q,--quiet", options.quiet, "only what differs, and the last line");
  app.add_flag("-v,--verbose", options.verbose, "also each output that is the same")
      ->group(group)
      ->excludes(quiet->group(group));
}

verify::Detail detail_of(const VerifyOptions& options) {
  if (options.quiet) return verify::Detail::verdict;
  return options.verbose ? verify::Detail::all : verify::Detail::folded;
}

VerifyRequest complete(const VerifyOptions& options) {
  auto request = options.request;
  if (options.timeout)
    request.timeout = std::chrono::milliseconds(std::llround(*options.timeout * 1000));
  if (options.max_memory) request.max_memory = *options.max_memory << 20;
  if (options.sandbox) request.sandbox = process::to_string(*options.sandbox);
  request.inputs = options.inputs.complete();
  request.detail = detail_of(options);
  request.color = options.output_file.empty() && wants_color(options.color, Stream::output);
  return request;
}

process::ReadingPolicy lint_policy(const VerifyRequest& request) {
  process::ReadingPolicy policy;
  policy.sandbox = *process::sandbox_mode_from(request.sandbox);
  return policy;
}

/// The reference's graph for the page; empty where it has none, which is no reason not to verify.
std::string graph_of_reference(const VerifyRequest& request) {
  const ReadOptions read{.operator_libraries = request.operator_libraries, .file_operators = false};
  const Reading reading{{request.reference}, {}, {}, lint_policy(request), read};
  const CalledModel model{request.reference.string(), request.reference};
  try {
    return read_confined(reading, [&](Findings& found) { write_graph(model, {}, read, found); })
        .text;
  } catch (const Error&) {
    return {};
  }
}

verify::VerifyResult run_with_status_line(VerifyRequest request) {
  const StatusLine status;
  request.progress = [&status](std::string_view what) { status.show(what); };
  return verify_library().run(request);
}

int verify_and_show(const VerifyOptions& options, const VerifyRequest& request) {
  bool forbidden = false;
  VerifyRequest asked = request;
  if (!options.no_lint) lint_reference(asked, forbidden);
  const auto result = run_with_status_line(asked);
  if (forbidden) return findings;
  print(result.output, options.output_file, request.color ? Passes::colors : Passes::text);
  return static_cast<int>(result.status);
}

int run_verify(const VerifyOptions& options) {
  auto request = complete(options);
  return run_until_interrupted([&](const std::stop_token& stop) {
    request.stop = stop;
    if (!request.report.empty()) request.graph = graph_of_reference(request);
    return verify_and_show(options, request);
  });
}

} // namespace

Run add_verify(CLI::App& app) {
  auto options = std::make_shared<VerifyOptions>();
  options->inputs.about_samples = "sets of random values, from 2 on, in place of the samples that "
                                  "are chosen by what each shows";
  add_candidate(app, options->request);
  add_inputs(app, options->inputs);
  add_made_inputs(app, options->request);
  add_judgement(app, options->request);
  add_running(app, *options);
  add_output(app, *options);
  app.footer("Exit status: 0 same, 1 different, or lint errors in the reference (`--no-lint` "
             "verifies anyway), 2 usage or unreadable file, 3 the candidate or the tool crashed.");
  return [options] { return run_verify(*options); };
}

} // namespace model_validator::cli
