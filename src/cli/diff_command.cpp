#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output.h"
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
};

int run_diff(const DiffOptions& options) {
  const ModelDifference difference = compare_models(options.first, options.second, options.read);
  Output output;
  if (options.format == "json")
    write_difference_json(output.stream(), difference);
  else
    write_difference_text(output.stream(), difference);
  output.finish();
  return difference.verdict == ModelDifference::Verdict::same_fingerprint ? clean : findings;
}

} // namespace

Run add_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  app.add_option("A", options->first, "a model")->required()->type_name("");
  app.add_option("B", options->second, "the other")->required()->type_name("");
  add_choice(app, {"--output-format", "FORMAT", "text or json"}, options->format, {"text", "json"});
  add_op_library(app, options->read.operator_libraries);
  return [options] { return run_diff(*options); };
}

} // namespace model_validator::cli
