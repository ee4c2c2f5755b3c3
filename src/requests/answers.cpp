#include "requests/model_request.h"
#include "requests/question.h"

namespace model_validator {
namespace {

LogEntries log_of(const ReadingResult& result) {
  LogEntries log;
  for (const std::string& line : result.printed)
    log.push_back({LogLevel::info, "the model printed: " + line});
  for (const Warning& warning : result.warnings)
    log.push_back({LogLevel::warning, warning.sentence});
  return log;
}

/// @throws Error (`bad-options`) for an option that there is not
std::unique_ptr<ModelRequest> request_of(const ModelCommand& command, const Call& call) {
  CallOptions options(call.options);
  auto request = command.make();
  request->models = call.models;
  request->format = command.call_formats.front();
  options.option({"format", "", "", command.call_formats}, request->format);
  request->describe(options, ModelRequest::Asked::by_call);
  request->read = read_options_of(options);
  request->limits = limits_of(options);
  options.require_all_known();
  return request;
}

} // namespace

Reply answer_model_command(const Call& call, Reader reader) {
  const auto request = request_of(*find_model_command(call.question), call);
  request->prepare();
  const auto work = [&](Findings& found) { request->run(found); };
  ReadingResult result =
      reader == Reader::confined ? read_confined(reading_of(*request), work) : read_in_place(work);
  request->finish();
  return {result.status,
          {{request->format, std::move(result.text)}, {"log", log_as_json(log_of(result))}}};
}

} // namespace model_validator
