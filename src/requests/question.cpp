#include "requests/question.h"

#include "libraries/verify_library.h"

#include <model_validator/error.h>

#include <cmath>

namespace model_validator {
namespace {

constexpr double longest_timeout = 1e6; ///< seconds

std::uint64_t positive(CallOptions& options, const char* name, std::uint64_t standard) {
  const auto value = options.integer(name);
  if (!value) return standard;
  if (*value < 1)
    throw Error(ErrorKind::bad_options, "",
                std::string("the option `") + name + "` must be at least 1");
  return static_cast<std::uint64_t>(*value);
}

process::SandboxMode sandbox_of(CallOptions& options) {
  const auto word = options.text("sandbox");
  if (!word) return process::SandboxMode::automatic;
  const auto mode = process::sandbox_mode_from(*word);
  if (!mode)
    throw Error(ErrorKind::bad_options, "",
                "the option `sandbox` must be `auto`, `require` or `off`");
  return *mode;
}

void add_warnings(const ReadingResult& result, LogEntries& log) {
  for (const std::string& line : result.printed)
    log.push_back({LogLevel::info, "the model printed: " + line});
  for (const Warning& warning : result.warnings)
    log.push_back({LogLevel::warning, warning.sentence});
}

} // namespace

process::ReadingPolicy policy_of(CallOptions& options) {
  process::ReadingPolicy policy;
  policy.sandbox = sandbox_of(options);
  policy.max_memory = positive(options, "max_memory", policy.max_memory >> 20) << 20;
  policy.max_processor_time = std::chrono::seconds(
      positive(options, "max_cpu", static_cast<std::uint64_t>(policy.max_processor_time.count())));
  const auto timeout = options.number("timeout");
  if (timeout && !(*timeout > 0 && *timeout <= longest_timeout))
    throw Error(ErrorKind::bad_options, "",
                "the option `timeout` must be a number of seconds above 0");
  if (timeout) policy.timeout = std::chrono::milliseconds(std::llround(*timeout * 1000));
  return policy;
}

ReadOptions read_options_of(CallOptions& options) {
  ReadOptions read;
  read.operator_libraries =
      options.paths("op_library").value_or(std::vector<std::filesystem::path>{});
  read.file_operators = false;
  return read;
}

std::optional<TraceOptions> trace_of(CallOptions& options) {
  TraceOptions trace;
  trace.inputs.specs = options.texts("inputs").value_or(std::vector<std::string>{});
  trace.inputs.files = options.paths("input_files").value_or(std::vector<std::filesystem::path>{});
  trace.inputs.seed = static_cast<std::uint64_t>(options.integer("seed").value_or(0));
  trace.inputs.samples = positive(options, "samples", 1);
  trace.values = options.flag("run_values").value_or(false);
  trace.max_steps = positive(options, "max_steps", trace.max_steps);
  if (const auto range = options.text("range"))
    trace.inputs.range = verify_library().parse_range(*range);
  if (!trace.inputs.given()) return std::nullopt;
  return trace;
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
