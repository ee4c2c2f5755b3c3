#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/output.h"
#include "cli/init/settings_choice.h"
#include "files/atomic_file.h"
#include "rules/config_file.h"
#include "text/escape.h"

#include <model_validator/error.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace model_validator::cli {
namespace {

namespace fs = std::filesystem;

struct InitOptions {
  fs::path folder = ".";
  bool dry_run = false;
};

Error already_there(const fs::path& file) {
  return Error(ErrorKind::already_there, file.string(),
               "the file is there already, and is left as it is",
               "change it by hand; `--dry-run` prints what would be chosen");
}

/// Nothing that somebody wrote is replaced, or put out of force. @throws Error
void require_no_settings(const fs::path& folder) {
  const fs::path file = folder / "model_validator.toml";
  if (fs::symlink_status(file).type() != fs::file_type::not_found) throw already_there(file);
  if (is_shared(folder))
    throw Error(ErrorKind::usage, folder.string(),
                "no configuration is looked for in a folder that everybody shares",
                "name a folder of your own");
  const NearestConfig nearest = find_config_file(folder);
  std::error_code failed;
  if (!nearest.file.empty() && fs::equivalent(nearest.file.parent_path(), folder, failed))
    throw Error(ErrorKind::already_there, nearest.file.string(),
                "it has a [tool.model_validator] already, and is left as it is",
                "change that table by hand; `--dry-run` prints what would be chosen");
}

void write(const fs::path& file, const std::string& text) {
  AtomicFile settings(file);
  settings.stream() << text;
  if (!settings.commit_new()) throw already_there(file);
}

std::string report(const fs::path& folder, const Choice& choice) {
  const fs::path file = (folder / "model_validator.toml").lexically_normal();
  std::string text = "Wrote " + escape(file.string()) + ":\n";
  for (const std::string& line : explanation(choice)) text += "  " + line + "\n";
  const NearestConfig above = find_config_file(fs::absolute(folder).lexically_normal() / "..");
  if (!above.file.empty())
    text +=
        "  " + escape(above.file.string()) + " held here until now; the new file takes its place\n";
  return text + (choice.finds_models
                     ? "Next: `model_validator check " + escape(folder.string()) + "`\n"
                     : "Next: export a model, and `model_validator check MODEL`\n");
}

int run_init(const InitOptions& options) {
  if (!fs::is_directory(options.folder))
    throw Error(ErrorKind::not_found, options.folder.string(), "this is no folder",
                "name the folder of a project");
  if (!options.dry_run) require_no_settings(options.folder);
  const Choice choice = choose(survey(options.folder));
  const std::string text = settings_text(choice);
  if (options.dry_run) {
    print(text);
    return clean;
  }
  write(options.folder / "model_validator.toml", text);
  print(report(options.folder, choice));
  return clean;
}

} // namespace

Run add_init(CLI::App& app) {
  auto options = std::make_shared<InitOptions>();
  app.add_option("FOLDER", options->folder, "the project (default: the current folder)")
      ->type_name("");
  app.add_flag("--dry-run", options->dry_run, "print the file instead of writing it");
  app.footer("A file that is there already is never replaced: exit status 2.");
  return [options] { return run_init(*options); };
}

} // namespace model_validator::cli
