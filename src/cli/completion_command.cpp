#include "cli/command_data.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/console/exit_status.h"
#include "cli/console/output.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace model_validator::cli {

Run add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash or zsh")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"bash", "zsh"}));
  return [shell, program = app.get_parent()] {
    const auto commands = command_data(*program);
    print(*shell == "zsh" ? zsh_completion(commands) : bash_completion(commands));
    return clean;
  };
}

} // namespace model_validator::cli
