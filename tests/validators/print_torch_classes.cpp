// Prints the table of torch's classes, one `Class argument=default …` a line, for a comparison with
// torch; `Class!` has state.
#include "validators/suggestions/torch_classes.h"

#include <iostream>

int main() {
  for (const auto& entry : model_validator::torch_classes()) {
    std::cout << entry.name << (model_validator::has_state(entry.name) ? "!" : "");
    for (const auto& argument : entry.arguments)
      std::cout << ' ' << argument.name << '=' << argument.default_value;
    std::cout << '\n';
  }
}
