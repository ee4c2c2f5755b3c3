#include "cli/command_data.h"
#include "cli/commands.h"
#include "cli/console/exit_status.h"
#include "cli/console/output.h"
#include "cli/man_page.h"

#include <CLI/CLI.hpp>

namespace model_validator::cli {

Run add_man(CLI::App& app) {
  return [program = app.get_parent()] {
    print(man_page(command_data(*program)));
    return clean;
  };
}

} // namespace model_validator::cli
