#include "cli/commands.h"
#include "cli/console/option_adder.h"
#include "cli/listing.h"

#include <model_validator/target_profile.h>

#include <CLI/CLI.hpp>

#include <iomanip>
#include <memory>

namespace model_validator::cli {
namespace {

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
  const auto release_json = [](const Release& release) { return to_json(release); };
  return {
      {"name", target.name},
      {"description", target.description},
      {"package", target.package},
      {"date", target.date},
      {"url", target.url},
      {"opset", target.opset == 0 ? Json() : Json(target.opset)},
      {"notes", target.notes},
      {"releases", json_array(target.file.releases, release_json)},
      {"operators", json_array(target.operators, [](const auto& entry) { return entry.first; })}};
}

void write_table(std::ostream& out, const std::vector<TargetProfile>& targets) {
  const int longest = longest_name(targets);
  for (const TargetProfile& target : targets)
    out << std::left << std::setw(longest) << target.name << "  " << std::right << std::setw(5)
        << target.operators.size() << " operators  " << target.description << " (" << target.package
        << ", " << target.date << ")\n";
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
    if (const auto refused = target.file.refused.find(entry.first);
        target.file.empty() && refused != target.file.refused.end())
      for (const NodeRefusal& each : refused->second) out << "  (" << each.reason << ")";
    out << '\n';
  }
}

void write_all_details(std::ostream& out, const std::vector<TargetProfile>& targets) {
  for (const TargetProfile& target : targets) write_details(out, target);
}

int run_targets(const TargetOptions& options) {
  const bool list = options.names.empty();
  std::vector<TargetProfile> targets;
  for (const std::string& name : list ? target_names() : options.names)
    targets.push_back(load_target(name));
  return print_listing(
      options.format == "json", "targets", "targets", targets,
      [](const TargetProfile& target) { return to_json(target); },
      list ? write_table : write_all_details);
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
