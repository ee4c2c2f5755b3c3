#include "lint/run_results.h"
#include "requests/question.h"

#include <model_validator/error.h>

#include <new>

namespace model_validator {
namespace {

struct Question {
  const char* name;
  std::size_t models;
  Reply (*answer)(const Call& call, Reader reader);
};

constexpr Question questions[] = {
    {"check", 1, answer_check},         {"graph", 1, answer_graph}, {"inspect", 1, answer_inspect},
    {"partition", 1, answer_partition}, {"diff", 2, answer_diff},
};

const Question& question_of(const Call& call) {
  for (const Question& question : questions)
    if (call.question == question.name) {
      if (call.models.size() == question.models) return question;
      throw Error("bad-options", "", "the wrong number of models for `" + call.question + "`");
    }
  throw Error("bad-options", "", "there is no question `" + call.question + "`");
}

/// The model's name where the error speaks of the file that its bytes lie in.
std::string path_for_user(const Call& call, const std::string& path) {
  for (const CalledModel& model : call.models)
    if (path == model.path.string()) return model.name;
  return path;
}

} // namespace

Reply failure(const std::string& kind, const std::string& path, const std::string& message,
              const std::string& hint) {
  const nlohmann::json error{{"kind", kind}, {"path", path}, {"message", message}, {"hint", hint}};
  const Outcome outcome = kind == "internal-error" ? Outcome::fault : Outcome::unreadable;
  return {static_cast<int>(outcome),
          {{"error", error.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)}}};
}

Reply answer(const Call& call, Reader reader) {
  try {
    return question_of(call).answer(call, reader);
  } catch (const Error& error) {
    return failure(error.kind(), path_for_user(call, error.path()), error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    return failure("out-of-memory", "", "the model needs more memory than there is", {});
  } catch (const std::exception& error) {
    return failure("internal-error", "", error.what(),
                   "this is a fault in model_validator: please report it");
  }
}

} // namespace model_validator
