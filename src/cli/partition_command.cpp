#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/reading_command.h"
#include "cli/reading_options.h"
#include "cli/shared_options.h"
#include "cli/terminal.h"
#include "cli/verify_library.h"
#include "partition/piece_folder.h"
#include "report/partition_report.h"

#include <model_validator/graph_reader.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace model_validator::cli {
namespace {

/// The fallback that takes nothing: what no target takes is a finding.
constexpr const char* no_fallback = "none";

struct PartitionOptions {
  std::filesystem::path model;
  std::vector<std::string> targets;
  std::vector<std::filesystem::path> profiles;
  partition::Options plan;
  std::string format = "table";
  std::filesystem::path folder;
  bool force = false;
  std::filesystem::path output_file;
  ColorChoice color = ColorChoice::automatic;
  bool verbose = false;
  partition::OpenOptions open;
  ReadingChoice reading;
};

/// Targets in the order in which they were named, those of a file after those by name.
std::vector<TargetProfile> load_targets(const PartitionOptions& options) {
  std::vector<TargetProfile> targets;
  const auto add = [&targets](TargetProfile target) {
    const auto same = [&](const TargetProfile& other) { return other.name == target.name; };
    if (std::any_of(targets.begin(), targets.end(), same))
      throw Error("usage", "", "target `" + target.name + "` is named twice");
    targets.push_back(std::move(target));
  };
  for (const std::string& name : options.targets) add(load_target(name));
  for (const auto& file : options.profiles) add(load_target_profile(file));
  if (targets.empty())
    throw Error("usage", "", "no target is named",
                "name one with --target, which may come more than once, or --profile; "
                "`model_validator targets` lists them");
  return targets;
}

bool any_on_fallback(const partition::Plan& plan) {
  return std::any_of(plan.partitions.begin(), plan.partitions.end(),
                     [&](const auto& part) { return part.target + 1 == plan.targets.size(); });
}

std::unique_ptr<partition::Divisible> open_model(const PartitionOptions& options) {
  partition::OpenOptions open = options.open;
  open.weights = !options.folder.empty();
  if (recognise(options.model) == FileFormat::torchscript)
    return verify_library().open_divisible(options.model, open);
  return partition::open_divisible(options.model, open);
}

bool is_colored(const PartitionOptions& options) {
  return options.output_file.empty() && wants_color(options.color, Stream::output);
}

/// @param pieces  where the partitions are written; empty: nowhere
void divide(const PartitionOptions& options, const partition::Options& plan_options,
            const std::filesystem::path& pieces, Findings& found) {
  const auto model = open_model(options);
  const partition::Plan plan =
      partition::make_plan(model->graph(), model->constraints(), plan_options);
  PartitionReport report{model->graph(), plan_options, plan, options.folder, {}};
  if (!pieces.empty()) report.pieces = partition::write_pieces(*model, plan, pieces).pieces;
  Style style;
  style.verbose = options.verbose;
  style.color = is_colored(options);
  if (options.format == "json")
    write_partition_json(found.output, report);
  else
    write_partition_text(found.output, report, style);
  found.status = plan_options.fallback == no_fallback && any_on_fallback(plan) ? findings : clean;
}

int run_partition(const PartitionOptions& options) {
  partition::Options plan_options = options.plan;
  plan_options.targets = load_targets(options);
  const InterruptWatch interrupt(InterruptWatch::Afterwards::ends);
  std::optional<partition::NewPieceFolder> folder;
  if (!options.folder.empty()) folder.emplace(options.folder, options.force, interrupt.token());
  const std::filesystem::path pieces = folder ? folder->path() : std::filesystem::path();
  const Reading reading{{options.model},
                        options.open.inputs.files,
                        pieces,
                        options.reading.policy(),
                        options.open.read};
  const auto division = read_confined(
      reading, [&](Findings& found) { divide(options, plan_options, pieces, found); });
  if (folder) folder->put_in_place();
  Output output(options.output_file, is_colored(options) ? Passes::colors : Passes::text);
  output.stream() << division.text;
  output.finish();
  return division.status;
}

void add_division(CLI::App& app, PartitionOptions& options) {
  constexpr const char* group = "Division";
  app.add_option("--target", options.targets,
                 "what ops are to run on, the preferred one first; see `targets`")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME,...")
      ->group(group);
  app.add_option("--profile", options.profiles, "a target profile of your own")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->group(group);
  add_choice(app,
             {"--fallback", "FALLBACK",
              "what takes the ops that no target takes: eager, ts, or none, which makes such an "
              "op a finding"},
             options.plan.fallback, {"eager", "ts", no_fallback})
      ->group(group);
  app.add_option("--smallest", options.plan.smallest,
                 "a target's partition of fewer ops falls back")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--gains", options.plan.gains,
                 "for how many operators it is worked out what supporting them would gain")
      ->type_name("N")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str()
      ->group(group);
  add_op_library(app, options.open.read.operator_libraries)->group(group);
  add_reading_options(app, options.reading, "Running");
}

void add_inputs(CLI::App& app, PartitionOptions& options) {
  constexpr const char* group = "Inputs, for multiply-accumulates";
  app.add_option("--input", options.open.inputs.specs,
                 "the shape of an input: name=1x3x224x224:float32; name and dtype may be left out")
      ->allow_extra_args(false)
      ->type_name("SPEC")
      ->group(group);
  app.add_option("--inputs", options.open.inputs.files,
                 "inputs from a file (.npz, .npy, saved tensors) or a folder of them")
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->group(group);
}

void add_output(CLI::App& app, PartitionOptions& options) {
  constexpr const char* group = "Output";
  add_choice(app, {"--output-format", "FORMAT", "table or json"}, options.format, {"table", "json"})
      ->group(group);
  app.add_option("--emit", options.folder,
                 "write each partition as a file of its own, and a manifest, into a new folder")
      ->type_name("FOLDER")
      ->group(group);
  app.add_flag("--force", options.force, "replace a folder of pieces that is there already")
      ->group(group);
  add_output_file(app, options.output_file)->group(group);
  add_color(app, options.color)->group(group);
  app.add_flag("-v,--verbose", options.verbose, "all lines of Python")->group(group);
}

} // namespace

Run add_partition(CLI::App& app) {
  auto options = std::make_shared<PartitionOptions>();
  app.add_option("MODEL", options->model, "the file")->required()->type_name("");
  add_division(app, *options);
  add_inputs(app, *options);
  add_output(app, *options);
  app.footer("Exit status: 0 divided, 1 with --fallback none: an op runs nowhere, 2 usage or "
             "unreadable file, 3 internal error.");
  return [options] { return run_partition(*options); };
}

} // namespace model_validator::cli
