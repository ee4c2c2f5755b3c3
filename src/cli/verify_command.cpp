#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/option_adder.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/shared_options.h"
#include "cli/terminal.h"
#include "cli/verify_lint.h"
#include "libraries/verify_library.h"
#include "requests/graph_request.h"

#include <model_validator/verify/request.h>

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {
namespace {

using verify::VerifyRequest;

struct VerifyOptions {
  VerifyRequest request;
  bool no_lint = false;
  double timeout = 0;
  std::optional<std::uint64_t> max_memory; ///< megabytes
  std::optional<process::SandboxMode> sandbox;
  InputChoice inputs;
  std::filesystem::path output_file;
  ColorChoice color = ColorChoice::automatic;
};

void add_candidate(CLI::App& app, VerifyRequest& request) {
  constexpr const char* group = "Candidate";
  app.add_option("REFERENCE", request.reference,
                 "the model as exported from the framework; with `--golden`, "
                 "the model to be compared")
      ->required()
      ->type_name("");
  app.add_option("CANDIDATE", request.candidate, "another file of it, to compare")->type_name("");
  app.add_option("--backend", request.backend,
                 "compile the reference, or run the candidate's file, with: aoti, eager, "
                 "onnxruntime, openvino or ts")
      ->type_name("NAME")
      ->group(group);
  app.add_option("--command", request.command,
                 "a program that reads `{inputs}` and writes `{outputs}`, both .npz")
      ->type_name("LINE")
      ->group(group);
  app.add_option("--golden", request.golden, "the reference is the results stored in this folder")
      ->type_name("FOLDER")
      ->group(group);
  app.add_option("--save-golden", request.save_golden, "store inputs and results in this folder")
      ->type_name("FOLDER")
      ->group(group);
}

void add_judgement(CLI::App& app, VerifyRequest& request) {
  constexpr const char* group = "Judgement";
  add_choice(app,
             {"--checker", "NAME",
              "how values are judged: default, auto, allclose, full, same, exact or "
              "quantised"},
             request.checker, {"default", "auto", "allclose", "full", "same", "exact", "quantised"})
      ->group(group);
  const auto add_tolerance = [&](const char* name, std::optional<std::string>& value,
                                 const char* what) {
    app.add_option(name, value, what)->type_name("X")->group(group);
  };
  add_tolerance("--rtol", request.rtol,
                "difference allowed, as a share of the output's greatest value; 1e-5,logits=1e-3 "
                "for all outputs and for one by name");
  add_tolerance("--atol", request.atol, "difference allowed in any case; likewise");
  add_tolerance("--pcc", request.pcc, "least correlation, such as 0.999; likewise");
  add_tolerance("--sqnr", request.sqnr,
                "least signal-to-noise ratio in dB, of a quantised copy (default: 20); likewise");
  app.add_flag("--auto-tolerance", request.auto_tolerance,
               "measure the reference's own rounding noise and print the tightest tolerances")
      ->group(group);
  app.add_flag("--localize", request.localize, "find the first op whose result differs")
      ->group(group);
}

void add_running(CLI::App& app, VerifyOptions& options) {
  constexpr const char* group = "Running";
  auto& request = options.request;
  app.add_flag("--no-lint", options.no_lint, "verify even a model with lint errors")->group(group);
  app.add_option("--threads", request.threads, "threads of each model (default: one per core)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->group(group);
  add_choice(app, {"--device", "NAME", "cpu or cuda"}, request.device, {"cpu", "cuda"})
      ->group(group);
  app.add_option("--timeout", options.timeout, "seconds that each model may take")
      ->type_name("S")
      ->check(CLI::PositiveNumber)
      ->group(group);
  app.add_option("--max-memory", options.max_memory,
                 "megabytes of memory that each model may take (default: any number)")
      ->type_name("MB")
      ->check(CLI::Range(1, 16 << 20))
      ->group(group);
  OptionAdder adder(app, group);
  describe_sandbox(adder, options.sandbox);
  app.add_option(
         "--steps", request.steps,
         "calls of each sample, one after another (default: 3 for a model that keeps state)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000))
      ->group(group);
  add_op_library(app, request.operator_libraries)->group(group);
}

void add_output(CLI::App& app, VerifyOptions& options) {
  constexpr const char* group = "Output";
  add_choice(app, {"--output-format", "FORMAT", "text, json or junit"},
             options.request.output_format, {"text", "json", "junit"})
      ->group(group);
  add_output_file(app, options.output_file)->group(group);
  app.add_option("--report", options.request.report, "also write a page that shows all of it")
      ->type_name("FILE.html")
      ->group(group);
  add_color(app, options.color)->group(group);
}

VerifyRequest complete(const VerifyOptions& options) {
  auto request = options.request;
  if (options.timeout > 0)
    request.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(options.timeout * 1000));
  if (options.max_memory) request.max_memory = *options.max_memory << 20;
  if (options.sandbox) request.sandbox = process::to_string(*options.sandbox);
  request.inputs = options.inputs.complete();
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
  GraphRequest graph;
  graph.name = request.reference.string();
  graph.read.operator_libraries = request.operator_libraries;
  graph.read.file_operators = false;
  const Reading reading{{request.reference}, {}, {}, lint_policy(request), graph.read};
  try {
    return read_confined(reading,
                         [&](Findings& found) { describe_graph(request.reference, graph, found); })
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
  if (!options.no_lint && !lint_allows(request, lint_policy(request))) return findings;
  const auto result = run_with_status_line(request);
  print(result.output, options.output_file, request.color ? Passes::colors : Passes::text);
  return static_cast<int>(result.status);
}

int run_verify(const VerifyOptions& options) {
  auto request = complete(options);
  const InterruptWatch interrupt;
  request.stop = interrupt.token();
  if (!request.report.empty()) request.graph = graph_of_reference(request);
  try {
    return verify_and_show(options, request);
  } catch (const Error&) {
    if (interrupt.interrupted()) return interrupt.status();
    throw;
  }
}

} // namespace

Run add_verify(CLI::App& app) {
  auto options = std::make_shared<VerifyOptions>();
  add_candidate(app, options->request);
  add_inputs(app, options->inputs);
  add_judgement(app, options->request);
  add_running(app, *options);
  add_output(app, *options);
  app.footer("Exit status: 0 same, 1 different, 2 usage or unreadable file, 3 the candidate or the "
             "tool crashed.");
  return [options] { return run_verify(*options); };
}

} // namespace model_validator::cli
