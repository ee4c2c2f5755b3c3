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

/// Member by member: GCC 12 destroys the members of an aggregate twice where a later one throws.
Reading reading_of(std::vector<std::filesystem::path> models,
                   std::vector<std::filesystem::path> files_beside, CallOptions& options,
                   const ReadOptions& read) {
  Reading reading;
  reading.policy = limits_of(options).policy();
  reading.models = std::move(models);
  reading.beside = std::move(files_beside);
  reading.options = read;
  return reading;
}

} // namespace

Reply answer_graph(const Call& call, Reader reader) {
  CallOptions options(call.options);
  const CalledModel& model = call.models.front();
  GraphRequest request;
  request.name = model.name;
  read_format(options, {"json", "dot"}, request.format);
  describe_picture(options, request.drawing);
  request.trace = trace_of(options);
  request.read = read_options_of(options);
  request.settings = settings_for_picture(model.name);
  const Reading reading = reading_of({model.path}, beside(request.trace), options, request.read);
  options.require_all_known();
  return reply_from(reading, reader, request.format,
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
  const Reading reading = reading_of({model.path}, beside(request.trace), options, request.read);
  options.require_all_known();
  return reply_from(reading, reader, request.format,
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
  options.require_all_known();
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
  const Reading reading = reading_of({first, second}, {}, options, request.read);
  options.require_all_known();
  return reply_from(reading, reader, request.format,
                    [&](Findings& found) { describe_difference(first, second, request, found); });
}

} // namespace model_validator
