#include "lint/run_results.h"
#include "requests/model_request.h"
#include "requests/question.h"
#include "text/escape.h"

#include <model_validator/error.h>

#include <algorithm>
#include <new>

namespace model_validator {
namespace {

/// How many models a question is about. @throws Error (`bad-options`) for one that there is not
std::size_t models_of(const std::string& question) {
  if (question == "check") return 1;
  if (const ModelCommand* command = find_model_command(question);
      command != nullptr && !command->call_formats.empty())
    return command->models.size();
  throw Error(ErrorKind::bad_options, "", "there is no question `" + question + "`");
}

Reply answer_question(const Call& call, Reader reader) {
  if (call.models.size() != models_of(call.question))
    throw Error(ErrorKind::bad_options, "",
                "the wrong number of models for `" + call.question + "`");
  return call.question == "check" ? answer_check(call, reader) : answer_model_command(call, reader);
}

/// The model's name where the error names the file that its bytes lie in.
std::string path_for_user(const Call& call, const std::string& path) {
  for (const CalledModel& model : call.models)
    if (path == model.path.string()) return model.name;
  return path;
}

void replace_all(std::string& text, const std::string& part, const std::string& other) {
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + other.size()))
    text.replace(at, part.size(), other);
}

std::string in_json(const std::string& text) {
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

/// Readers know a model only by its path: if its bytes came from memory, the user has never seen
/// that path. The longer path comes first, since the other may be its beginning.
void name_as_user_does(std::vector<CalledModel> models, Reply& reply) {
  std::ranges::sort(models, [](const CalledModel& a, const CalledModel& b) {
    return a.path.native().size() > b.path.native().size();
  });
  for (const CalledModel& model : models)
    if (model.name != model.path)
      for (auto& [format, text] : reply.texts)
        replace_all(text, model.path.string(),
                    format == "json" ? in_json(model.name) : escape(model.name));
}

Reply answer_or_throw(const Call& call, Reader reader) {
  Reply reply = answer_question(call, reader);
  name_as_user_does(call.models, reply);
  return reply;
}

} // namespace

Reply failure(ErrorKind kind, const std::string& path, const std::string& message,
              const std::string& hint) {
  const nlohmann::json error{
      {"kind", to_string(kind)}, {"path", path}, {"message", message}, {"hint", hint}};
  const Outcome outcome = kind == ErrorKind::internal_error ? Outcome::fault : Outcome::unreadable;
  return {static_cast<int>(outcome),
          {{"error", error.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)}}};
}

Reply answer(const Call& call, Reader reader) {
  try {
    return answer_or_throw(call, reader);
  } catch (const Error& error) {
    return failure(error.kind(), path_for_user(call, error.path()), error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    return failure(ErrorKind::out_of_memory, "", "the model needs more memory than there is", {});
  } catch (const std::exception& error) {
    return failure(ErrorKind::internal_error, "", error.what(),
                   "this is a fault in model_validator: please report it");
  }
}

} // namespace model_validator
