#include "cli/commands.h"
#include "cli/console/option_adder.h"
#include "cli/console/reading_command.h"
#include "cli/console/shared_options.h"
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
  return read_and_print(
      reading,
      [&](Findings& found) {
        describe_quantise_plan(options.model, options.request, target, scheme, found);
      },
      options.output_file);
}

} // namespace

Run add_quantise_plan(CLI::App& app) {
  auto options = std::make_shared<QuantisePlanOptions>();
  app.add_option("MODEL", options->model, "the file, not quantised")->required()->type_name("");
  OptionAdder adder(app, default_group);
  adder.option({"target", "NAME", "the quantiser; see `targets`"}, options->request.target);
  adder.option({"scheme", "SCHEME",
                "how numbers are stored: int8, int8-per-channel, int4:g128, fp16, as far as the "
                "quantiser has it"},
               options->request.scheme);
  adder.option({"output-format", "FORMAT", "table or json", {"table", "json"}},
               options->request.format);
  app.add_flag("-v,--verbose", options->request.style.verbose, "list every node");
  add_output_file(app, options->output_file);
  add_limits(app, options->reading);
  return [options] { return run_quantise_plan(*options); };
}

} // namespace model_validator::cli
