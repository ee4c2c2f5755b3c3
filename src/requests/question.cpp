#include "requests/question.h"

namespace model_validator {
namespace {

void add_warnings(const ReadingResult& result, LogEntries& log) {
  for (const std::string& line : result.printed)
    log.push_back({LogLevel::info, "the model printed: " + line});
  for (const Warning& warning : result.warnings)
    log.push_back({LogLevel::warning, warning.sentence});
}

} // namespace

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

Reply reply_from(const Reading& reading, Reader reader, const std::string& format,
                 const std::function<void(Findings&)>& work) {
  ReadingResult result =
      reader == Reader::confined ? read_confined(reading, work) : read_in_place(work);
  LogEntries log;
  add_warnings(result, log);
  return {result.status, {{format, std::move(result.text)}, {"log", log_as_json(log)}}};
}

} // namespace model_validator
