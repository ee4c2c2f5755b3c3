#include "requests/question.h"

namespace model_validator {
ReadingLimits limits_of(CallOptions& options) {
  ReadingLimits limits;
  describe_limits(options, limits);
  return limits;
}

ReadOptions read_options_of(CallOptions& options) {
  ReadOptions read;
  read.operator_libraries =
      options.paths("op_library").value_or(std::vector<std::filesystem::path>{});
  read.file_operators = false;
  return read;
}

std::optional<TraceOptions> trace_of(CallOptions& options) {
  TraceChoice choice;
  describe_trace(options, choice);
  return choice.options();
}

std::string log_as_json(const LogEntries& entries) {
  auto list = nlohmann::json::array();
  for (const LogEntry& entry : entries)
    list.push_back({{"level", to_string(entry.level)}, {"text", entry.text}});
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace model_validator
