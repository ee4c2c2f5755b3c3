#include "cli/fix/known_commands.h"

#include "files/atomic_file.h"
#include "files/json_text.h"
#include "files/parsed_json.h"
#include "files/real_path.h"
#include "files/regular_file.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_in(const char* variable, const char* below) {
  const char* value = std::getenv(variable); // NOLINT: before any thread
  return value && *value == '/' ? fs::path(value) / below : fs::path();
}

/// Empty where the user has no such place.
fs::path file_of_commands() {
  const fs::path own = folder_in("XDG_STATE_HOME", "");
  const fs::path state = own.empty() ? folder_in("HOME", ".local/state") : own;
  return state.empty() ? fs::path() : state / "model_validator" / "exports.json";
}

/// Whether nobody else can have written it.
bool is_own(const fs::path& file) {
  struct stat status {};
  return ::lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// By folders, models in them, and names of commands.
nlohmann::json all_commands(const fs::path& file) {
  constexpr std::uint64_t max_bytes = std::uint64_t{8} << 20;
  constexpr int max_depth = 4;
  if (file.empty() || !is_own(file)) return nlohmann::json::object();
  nlohmann::json known = parse_json(read_regular_file(file, max_bytes).bytes, max_depth);
  return known.is_object() ? known : nlohmann::json::object();
}

std::string text_in(const nlohmann::json& object, const std::string& name) {
  const auto found = object.find(name);
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : std::string();
}

std::string name_in_folder(const fs::path& model) {
  return fs::absolute(model).lexically_normal().lexically_relative(fs::current_path()).string();
}

} // namespace

KnownCommands known_commands(const fs::path& model) {
  const nlohmann::json all = all_commands(file_of_commands());
  const auto project = all.find(fs::current_path().string());
  if (project == all.end() || !project->is_object()) return {};
  const auto known = project->find(name_in_folder(model));
  if (known == project->end()) return {};
  return {text_in(*known, "rebuild"), text_in(*known, "prove_with")};
}

void remember(const fs::path& model, const KnownCommands& commands) {
  const fs::path file = file_of_commands();
  if (file.empty()) return;
  nlohmann::json all = all_commands(file);
  nlohmann::json& project = all[fs::current_path().string()];
  if (!project.is_object()) project = nlohmann::json::object();
  project[name_in_folder(model)] = {{"rebuild", commands.rebuild}, {"prove_with", commands.tests}};
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  try {
    AtomicFile kept(file);
    kept.stream() << all.dump(1) << '\n';
    kept.commit();
  } catch (const Error&) { // it is asked for again
  }
}

} // namespace model_validator::cli
