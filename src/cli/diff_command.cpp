#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "cli/reading_command.h"
#include "cli/reading_options.h"
#include "cli/shared_options.h"
#include "report/model_difference.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {
namespace {

struct DiffOptions {
  std::filesystem::path first;
  std::filesystem::path second;
  std::string format = "text";
  ReadOptions read = reading_for_itself();
  ReadingChoice reading;
};

int run_diff(const DiffOptions& options) {
  const Reading reading{
      {options.first, options.second}, {}, {}, options.reading.policy(), options.read};
  const auto comparison = read_confined(reading, [&](Findings& found) {
    const auto difference = compare_models(options.first, options.second, options.read);
    if (options.format == "json")
      write_difference_json(found.output, difference);
    else
      write_difference_text(found.output, difference);
    found.status =
        difference.verdict == ModelDifference::Verdict::same_fingerprint ? clean : findings;
  });
  Output output;
  output.stream() << comparison.text;
  output.finish();
  return comparison.status;
}

} // namespace

Run add_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  app.add_option("A", options->first, "a model")->required()->type_name("");
  app.add_option("B", options->second, "the other")->required()->type_name("");
  add_choice(app, {"--output-format", "FORMAT", "text or json"}, options->format, {"text", "json"});
  add_op_library(app, options->read.operator_libraries);
  add_reading_options(app, options->reading, "Running");
  return [options] { return run_diff(*options); };
}

} // namespace model_validator::cli
