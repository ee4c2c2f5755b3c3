#include "cli/commands.h"
#include "cli/output.h"
#include "cli/reading_command.h"
#include "cli/shared_options.h"
#include "requests/quantise_plan_request.h"

#include <model_validator/quantise_plan.h>

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {
namespace {

struct QuantisePlanOptions {
  std::filesystem::path model;
  std::filesystem::path output_file;
  QuantisePlanRequest request;
  ReadingLimits reading;
};

int run_quantise_plan(const QuantisePlanOptions& options) {
  const TargetProfile target = load_target(options.request.target);
  const QuantisationScheme scheme = find_scheme(target, options.request.scheme);
  const Reading reading{{options.model}, {}, {}, options.reading.policy(), options.request.read};
  const auto plan = read_and_warn(reading, [&](Findings& found) {
    describe_quantise_plan(options.model, options.request, target, scheme, found);
  });
  print(plan.text, options.output_file);
  return plan.status;
}

} // namespace

Run add_quantise_plan(CLI::App& app) {
  auto options = std::make_shared<QuantisePlanOptions>();
  app.add_option("MODEL", options->model, "the file, not quantised")->required()->type_name("");
  app.add_option("--target", options->request.target, "the quantiser; see `targets`")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--scheme", options->request.scheme,
                 "how numbers are stored: int8, int8-per-channel, int4:g128, fp16, as far as the "
                 "quantiser has it")
      ->type_name("SCHEME")
      ->capture_default_str();
  add_choice(app, {"--output-format", "FORMAT", "table or json"}, options->request.format,
             {"table", "json"});
  app.add_flag("-v,--verbose", options->request.style.verbose, "list every node");
  add_output_file(app, options->output_file);
  add_limits(app, options->reading);
  return [options] { return run_quantise_plan(*options); };
}

} // namespace model_validator::cli
