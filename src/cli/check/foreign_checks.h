#pragma once

#include "cli/check/check_options.h"
#include "lint/file_runner.h"

#include <model_validator/registry.h>

#include <map>
#include <string>
#include <vector>

namespace model_validator::cli {

/// Writes the graph of each model that the options name, for checks that run in another program:
/// `N.json` in the folder `options.graphs`, and `index.json`: `[{"model", "graph": "N.json" or
/// null}]`, null for what cannot be read. @returns the exit status @throws Error
int write_graphs(const CheckOptions& options);

/// The checks of a run: the program's own, and those that another program ran over these graphs.
class RunChecks {
public:
  /// @param file  `[{"model", "rules"}]`, see `recorded_rules`; empty: none @throws Error
  explicit RunChecks(const std::filesystem::path& file);

  /// All of them, for a model that has none of its own.
  const Registry& all() const;
  /// The files that the options name, each with settings of its checks. @throws Error
  std::vector<FileTask> tasks_of(const CheckOptions& options) const;

private:
  Registry builtin_ = Registry::builtin();
  std::map<std::string, Registry> by_model_;
};

} // namespace model_validator::cli
