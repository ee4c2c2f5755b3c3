#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// Puts the options of the model command of the app's name on it. @returns what runs it
std::function<int()> add_model_command(CLI::App& app);

} // namespace model_validator::cli
