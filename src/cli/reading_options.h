#pragma once

#include "files/process/model_reading.h"

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace model_validator::cli {

/// The options that confine the processes that read models.
struct ReadingChoice {
  std::string sandbox;             ///< empty: as the configuration says, else `auto`
  std::uint64_t max_memory = 2048; ///< megabytes
  std::uint64_t max_cpu = 60;      ///< seconds
  double timeout = 0;              ///< seconds; 0: none

  process::ReadingPolicy policy() const;
};

void add_reading_options(CLI::App& app, ReadingChoice& choice, const char* group);
void add_sandbox(CLI::App& app, std::string& sandbox, const char* group);

} // namespace model_validator::cli
