#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace model_validator {

enum class LogLevel : std::uint8_t { debug, info, warning, error, off };
const char* to_string(LogLevel level);
std::optional<LogLevel> log_level_from(std::string_view name);

/// A log message of one file, collected while it is processed, so that files do not interleave.
struct LogEntry {
  LogLevel level = LogLevel::info;
  std::string text;
};
using LogEntries = std::vector<LogEntry>;

/// The log: on standard error, without times or addresses, so that two runs read the same.
class Log {
public:
  Log(LogLevel least, bool color);
  ~Log();
  Log(Log&&) noexcept;
  Log& operator=(Log&&) noexcept;

  bool shows(LogLevel level) const noexcept { return level >= least_; }
  void write(LogLevel level, const std::string& text);
  /// @param about  the file the entries are about; empty where that is clear
  void write(const LogEntries& entries, const std::string& about);

private:
  struct Sink;
  LogLevel least_;
  std::unique_ptr<Sink> sink_;
};

} // namespace model_validator
