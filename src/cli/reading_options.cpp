#include "cli/reading_options.h"

#include <CLI/CLI.hpp>

#include <cmath>

namespace model_validator::cli {

process::ReadingPolicy ReadingChoice::policy() const {
  process::ReadingPolicy policy;
  policy.sandbox = process::sandbox_mode_from(sandbox).value_or(process::SandboxMode::automatic);
  policy.max_memory = max_memory << 20;
  policy.max_processor_time = std::chrono::seconds(max_cpu);
  if (timeout > 0) policy.timeout = std::chrono::milliseconds(std::llround(timeout * 1000));
  return policy;
}

void add_sandbox(CLI::App& app, std::string& sandbox, const char* group) {
  app.add_option(
         "--sandbox", sandbox,
         "confine the process that reads a model: auto (as far as the system allows), require (or "
         "refuse to read), off (default: auto)")
      ->type_name("MODE")
      ->check(CLI::IsMember({"auto", "require", "off"}))
      ->group(group);
}

void add_reading_options(CLI::App& app, ReadingChoice& choice, const char* group) {
  add_sandbox(app, choice.sandbox, group);
  app.add_option("--max-memory", choice.max_memory,
                 "megabytes of memory that reading a model may take, besides the file")
      ->type_name("MB")
      ->check(CLI::Range(1, 16 << 20))
      ->capture_default_str()
      ->group(group);
  app.add_option("--max-cpu", choice.max_cpu,
                 "seconds of processor time that reading a model may take")
      ->type_name("S")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--timeout", choice.timeout, "seconds that a model may take, from start to end")
      ->type_name("S")
      ->check(CLI::Range(0.001, 1e6))
      ->group(group);
}

} // namespace model_validator::cli
