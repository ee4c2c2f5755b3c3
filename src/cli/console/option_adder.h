#pragma once

#include "options/option.h"

#include <string>
#include <utility>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// The heading of options that have none of their own.
inline constexpr const char* default_group = "Options";

/// Adds options to a command as they are described to it. The variables live as long as the
/// command.
class OptionAdder final : public OptionVisitor {
public:
  /// @param group  the options' heading in the help
  OptionAdder(CLI::App& app, std::string group) : app_(app), group_(std::move(group)) {}

  void group(const std::string& heading) override { group_ = heading; }

private:
  void visit(const Option& option, OptionKind kind, bool path, const std::string& default_text,
             Set set) override;

  CLI::App& app_;
  std::string group_;
};

} // namespace model_validator::cli
