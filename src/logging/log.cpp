#include "logging/log.h"

#include "text/escape.h"
#include "text/guarded_output.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/ansicolor_sink.h>

#include <array>
#include <sstream>

namespace model_validator {
namespace {

constexpr std::array levels{LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error,
                            LogLevel::off};

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
  case LogLevel::debug: return spdlog::level::debug;
  case LogLevel::info: return spdlog::level::info;
  case LogLevel::warning: return spdlog::level::warn;
  case LogLevel::error: return spdlog::level::err;
  case LogLevel::off: return spdlog::level::off;
  }
  return spdlog::level::off;
}

} // namespace

const char* to_string(LogLevel level) {
  switch (level) {
  case LogLevel::debug: return "debug";
  case LogLevel::info: return "info";
  case LogLevel::warning: return "warning";
  case LogLevel::error: return "error";
  case LogLevel::off: return "off";
  }
  return "unknown";
}

std::optional<LogLevel> log_level_from(std::string_view name) {
  for (const LogLevel level : levels)
    if (name == to_string(level)) return level;
  return std::nullopt;
}

struct Log::Sink {
  spdlog::logger logger;
};

Log::Log(LogLevel least, bool color) : least_(least) {
  const auto mode = color ? spdlog::color_mode::always : spdlog::color_mode::never;
  auto sink = std::make_shared<spdlog::sinks::ansicolor_stderr_sink_mt>(mode);
  sink_ = std::make_unique<Sink>(Sink{spdlog::logger("model_validator", std::move(sink))});
  sink_->logger.set_pattern("%^%l%$: %v");
  sink_->logger.set_level(spdlog_level(least));
}

Log::~Log() = default;
Log::Log(Log&&) noexcept = default;
Log& Log::operator=(Log&&) noexcept = default;

void Log::write(LogLevel level, const std::string& text) {
  if (level == LogLevel::off) return;
  std::ostringstream shown;
  GuardedStream(shown, false) << escape_lines(text);
  sink_->logger.log(spdlog_level(level), shown.str());
}

void Log::write(const LogEntries& entries, const std::string& about) {
  const std::string start = about.empty() ? about : escape(about) + ": ";
  for (const LogEntry& entry : entries)
    if (shows(entry.level)) write(entry.level, start + entry.text);
}

} // namespace model_validator
