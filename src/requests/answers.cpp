#include "requests/diff_request.h"
#include "requests/graph_findings.h"
#include "requests/graph_request.h"
#include "requests/inspect_request.h"
#include "requests/partition_request.h"
#include "requests/question.h"

namespace model_validator {
namespace {

/// The first of the formats where the option is left out.
void read_format(CallOptions& options, const std::vector<std::string>& formats,
                 std::string& format) {
  format = formats.front();
  options.option({"format", "", "", formats}, format);
}

std::vector<std::filesystem::path> beside(const std::optional<TraceOptions>& trace) {
  return trace ? trace->inputs.files : std::vector<std::filesystem::path>{};
}

LogEntries log_of(const ReadingResult& result) {
  LogEntries log;
  for (const std::string& line : result.printed)
    log.push_back({LogLevel::info, "the model printed: " + line});
  for (const Warning& warning : result.warnings)
    log.push_back({LogLevel::warning, warning.sentence});
  return log;
}

/// What is read with which limits. All options but the limits must have been read before.
/// @throws Error (`bad-options`) for an option that there is not
Reading reading_of(std::vector<std::filesystem::path> models,
                   std::vector<std::filesystem::path> files_beside, CallOptions& options,
                   const ReadOptions& read) {
  // Member by member: GCC 12 destroys the members of an aggregate twice where a later one throws.
  Reading reading;
  reading.policy = limits_of(options).policy();
  reading.models = std::move(models);
  reading.beside = std::move(files_beside);
  reading.options = read;
  options.require_all_known();
  return reading;
}

/// Does the work where the reader is, and makes it a reply.
/// @param format  what its text is
Reply reply_from(const Reading& reading, Reader reader, const std::string& format,
                 const std::function<void(Findings&)>& work) {
  ReadingResult result =
      reader == Reader::confined ? read_confined(reading, work) : read_in_place(work);
  return {result.status, {{format, std::move(result.text)}, {"log", log_as_json(log_of(result))}}};
}

} // namespace

Reply answer_graph(const Call& call, Reader reader) {
  CallOptions options(call.options);
  const CalledModel& model = call.models.front();
  GraphRequest request;
  request.name = model.name;
  read_format(options, {"json", "dot"}, request.format);
  request.trace = trace_of(options);
  request.read = read_options_of(options);
  request.settings = settings_for_graph(model.name);
  return reply_from(reading_of({model.path}, beside(request.trace), options, request.read), reader,
                    request.format,
                    [&](Findings& found) { describe_graph(model.path, request, found); });
}

Reply answer_inspect(const Call& call, Reader reader) {
  CallOptions options(call.options);
  const CalledModel& model = call.models.front();
  InspectRequest request;
  read_format(options, {"json", "table", "ir", "typed-ir"}, request.format);
  request.fingerprint = options.flag("fingerprint").value_or(true);
  request.trace = trace_of(options);
  request.read = read_options_of(options);
  return reply_from(reading_of({model.path}, beside(request.trace), options, request.read), reader,
                    request.format,
                    [&](Findings& found) { describe_model(model.path, request, found); });
}

Reply answer_partition(const Call& call, Reader reader) {
  CallOptions options(call.options);
  const CalledModel& model = call.models.front();
  PartitionRequest request;
  read_format(options, {"json", "table"}, request.format);
  describe_division(options, request);
  describe_shapes(options, request.open.inputs);
  request.open.read = read_options_of(options);
  const Reading reading =
      reading_of({model.path}, request.open.inputs.files, options, request.open.read);
  const auto plan = plan_options_of(request);
  return reply_from(reading, reader, request.format, [&](Findings& found) {
    describe_partition(model.path, request, plan, {}, found);
  });
}

Reply answer_diff(const Call& call, Reader reader) {
  CallOptions options(call.options);
  const auto& first = call.models.front().path;
  const auto& second = call.models.back().path;
  DiffRequest request;
  read_format(options, {"json", "text"}, request.format);
  request.read = read_options_of(options);
  return reply_from(reading_of({first, second}, {}, options, request.read), reader, request.format,
                    [&](Findings& found) { describe_difference(first, second, request, found); });
}

} // namespace model_validator
