#include "cli/commands.h"

namespace model_validator::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      {"check", "lint models (the default: `model_validator MODEL...`)", add_check},
      {"graph", "print the graph of a model", add_graph},
      {"inspect", "print operators, inputs, outputs, parameters and identity of a model",
       add_inspect},
      {"diff", "report whether two models are the same, or where they first differ", add_diff},
      {"verify", "compare a model with a compiled one, number by number", add_verify},
      {"fix", "edit the Python source so that findings go away", add_fix},
      {"partition", "divide a model among targets", add_partition},
      {"quantise-plan", "foresee what a quantiser makes of each layer", add_quantise_plan},
      {"rule", "explain a rule", add_rule},
      {"targets", "list the target profiles, or show one", add_targets},
      {"config", "print the effective settings and where each comes from", add_config},
      {"completion", "print a completion script for a shell", add_completion},
      {"man", "print the manual page, as troff", add_man},
  };
  return all;
}

} // namespace model_validator::cli
