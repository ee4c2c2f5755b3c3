#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/option_adder.h"
#include "cli/console/output.h"
#include "files/json_text.h"

#include <model_validator/target_profile.h>

#include <CLI/CLI.hpp>

#include <iomanip>
#include <memory>

namespace model_validator::cli {
namespace {

constexpr const char* targets_schema = "model_validator-targets/1";

struct TargetOptions {
  std::vector<std::string> names;
  std::string format = "text";
};

Json to_json(const Release& release) {
  return {{"version", release.version},
          {"ir_version", release.ir_version == 0 ? Json() : Json(release.ir_version)},
          {"opsets", release.opsets}};
}

Json to_json(const TargetProfile& target) {
  Json operators = Json::array();
  for (const auto& entry : target.operators) operators.push_back(entry.first);
  Json releases = Json::array();
  for (const Release& release : target.file.releases) releases.push_back(to_json(release));
  return {{"name", target.name},
          {"description", target.description},
          {"package", target.package},
          {"date", target.date},
          {"url", target.url},
          {"opset", target.opset == 0 ? Json() : Json(target.opset)},
          {"notes", target.notes},
          {"releases", std::move(releases)},
          {"operators", std::move(operators)}};
}

void write_json(std::ostream& out, const std::vector<TargetProfile>& targets) {
  Json list = Json::array();
  for (const TargetProfile& target : targets) list.push_back(to_json(target));
  out << json_text(Json{{"schema", targets_schema}, {"targets", std::move(list)}}, 2) << '\n';
}

void write_table(std::ostream& out, const std::vector<TargetProfile>& targets) {
  std::size_t longest = 0;
  for (const TargetProfile& target : targets) longest = std::max(longest, target.name.size());
  for (const TargetProfile& target : targets)
    out << std::left << std::setw(static_cast<int>(longest)) << target.name << "  " << std::right
        << std::setw(5) << target.operators.size() << " operators  " << target.description << " ("
        << target.package << ", " << target.date << ")\n";
}

/// The newest versions that a release loads.
void write_release(std::ostream& out, const Release& release) {
  out << "  release     " << release.version << " loads ";
  out << (release.ir_version == 0 ? "every IR version"
                                  : "IR versions up to " + std::to_string(release.ir_version));
  for (const auto& [domain, opset] : release.opsets)
    out << ", " << domain << " up to opset " << opset;
  out << '\n';
}

void write_details(std::ostream& out, const TargetProfile& target) {
  out << target.name << ": " << target.description << '\n'
      << "  read from   " << target.package << ", " << target.date << '\n';
  if (!target.url.empty()) out << "  source      " << target.url << '\n';
  if (target.opset != 0) out << "  opset       " << target.opset << '\n';
  for (const std::string& note : target.notes) out << "  note        " << note << '\n';
  for (const Release& release : target.file.releases) write_release(out, release);
  out << "  operators   " << target.operators.size() << '\n';
  for (const auto& entry : target.operators) {
    out << "    " << entry.first;
    for (const OperatorConstraint& constraint : entry.second.constraints)
      if (!constraint.reason.empty()) out << "  (" << constraint.reason << ")";
    out << '\n';
  }
}

int run_targets(const TargetOptions& options) {
  const bool list = options.names.empty();
  std::vector<TargetProfile> targets;
  for (const std::string& name : list ? target_names() : options.names)
    targets.push_back(load_target(name));
  Output output;
  if (options.format == "json")
    write_json(output.stream(), targets);
  else if (list)
    write_table(output.stream(), targets);
  else
    for (const TargetProfile& target : targets) write_details(output.stream(), target);
  output.finish();
  return clean;
}

} // namespace

Run add_targets(CLI::App& app) {
  auto options = std::make_shared<TargetOptions>();
  app.add_option("NAME", options->names, "the targets to show in full")->type_name("");
  OptionAdder(app, default_group)
      .option({"format", "FORMAT", "text or json", {"text", "json"}}, options->format);
  return [options] { return run_targets(*options); };
}

} // namespace model_validator::cli
