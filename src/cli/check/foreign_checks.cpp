#include "cli/check/foreign_checks.h"

#include "cli/check/check_run.h"
#include "cli/console/shared_options.h"
#include "files/atomic_file.h"
#include "files/parsed_json.h"
#include "files/regular_file.h"
#include "lint/excluded.h"
#include "lint/input_files.h"
#include "lint/settings_source.h"
#include "lint/standard_input.h"
#include "requests/model_request.h"
#include "requests/recorded_rule.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <unistd.h>

namespace model_validator::cli {
namespace {

using Json = nlohmann::json;

void write_text(const std::filesystem::path& path, const std::string& text) {
  AtomicFile file(path);
  file.stream() << text;
  file.commit();
}

/// The graph as JSON; none where the check itself says why.
std::optional<std::string> graph_of(const NamedFile& file, const CheckOptions& options) {
  if (file.error) return std::nullopt;
  std::optional<StandardInput> input;
  if (file.name == "-") input.emplace(STDIN_FILENO);
  const std::filesystem::path path = input ? input->path() : file.path;
  const auto trace = options.trace.options();
  Reading reading{{path}, {}, {}, options.reading.policy(), options.read_options()};
  if (trace) reading.beside = trace->inputs.files;
  try {
    return read_confined(reading,
                         [&](Findings& found) {
                           write_graph({file.name, path}, trace, reading.options, found);
                         })
        .text;
  } catch (const Error&) {
    return std::nullopt;
  }
}

constexpr int max_findings_depth = 100;

Json parsed(const std::filesystem::path& file) {
  Json models =
      parse_json(read_regular_file(file.string(), std::numeric_limits<std::uint64_t>::max()).bytes,
                 max_findings_depth);
  const auto is_model = [](const Json& model) {
    return model.is_object() && model.contains("model") && model["model"].is_string();
  };
  if (!models.is_array() || !std::ranges::all_of(models, is_model))
    throw Error(ErrorKind::bad_options, file.string(),
                "the findings of other checks are no list of models as JSON");
  return models;
}

} // namespace

int write_graphs(const CheckOptions& options) {
  Json index = Json::array();
  const Registry registry = Registry::builtin();
  SettingsSource source(registry, options.config(), options.config_file, options.isolated);
  auto files = expand_inputs(options.models, options.as_found);
  leave_out_excluded(files, source, options.as_found);
  for (const NamedFile& file : files) {
    const auto graph = graph_of(file, options);
    const std::string name = std::to_string(index.size()) + ".json";
    if (graph) write_text(options.graphs / name, *graph);
    index.push_back({{"model", file.name}, {"graph", graph ? Json(name) : Json()}});
  }
  write_text(options.graphs / "index.json",
             index.dump(-1, ' ', false, Json::error_handler_t::replace));
  return 0;
}

RunChecks::RunChecks(const std::filesystem::path& file) {
  if (file.empty()) return;
  for (const Json& model : parsed(file)) {
    Registry registry = Registry::builtin();
    for (auto& rule : recorded_rules(model.value("rules", Json::array())))
      registry.add(std::move(rule));
    by_model_.insert_or_assign(model["model"].get<std::string>(), std::move(registry));
  }
}

const Registry& RunChecks::all() const {
  return by_model_.empty() ? builtin_ : by_model_.begin()->second;
}

std::vector<FileTask> RunChecks::tasks_of(const CheckOptions& options) const {
  auto tasks = model_validator::cli::tasks_of(options, all());
  for (FileTask& task : tasks)
    if (const auto own = by_model_.find(task.file.name); own != by_model_.end()) {
      SettingsSource source(own->second, options.config(), options.config_file, options.isolated);
      task.settings = source.settings_for(task.file.name);
    }
  return tasks;
}

} // namespace model_validator::cli
