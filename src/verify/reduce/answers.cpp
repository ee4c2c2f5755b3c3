#include "verify/reduce/answers.h"

#include "files/atomic_file.h"
#include "files/environment.h"
#include "files/json_text.h"
#include "files/regular_file.h"
#include "introspection/digest.h"

#include <model_validator/error.h>

namespace model_validator::verify {
namespace {

constexpr const char* schema = "model_validator-answer/1";
constexpr std::uint64_t max_file_size = std::uint64_t{16} << 20;

Json identity_of(const Question& question) {
  return {
      {"question", question.text}, {"runtime", question.runtime}, {"version", question.version}};
}

/// Of an object that others may have written.
std::string text_in(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

} // namespace

std::filesystem::path AnswerFolder::file_for(const Question& question) const {
  Digest digest;
  digest.add(json_text(identity_of(question)));
  return folder_ / (digest.text() + ".json");
}

std::optional<Attempt> AnswerFolder::find(const Question& question) const {
  const auto file = file_for(question);
  if (!std::filesystem::exists(file)) return std::nullopt;
  const std::string bytes = read_regular_file(file, max_file_size).bytes;
  constexpr int max_depth = 4;
  if (is_nested_deeper(bytes, max_depth)) return std::nullopt;
  const Json kept = Json::parse(bytes, nullptr, false);
  if (!kept.is_object() || text_in(kept, "schema") != schema) return std::nullopt;
  if (text_in(kept, "question") != question.text || text_in(kept, "runtime") != question.runtime ||
      text_in(kept, "version") != question.version)
    return std::nullopt;
  const auto answer = answer_named(text_in(kept, "answer"));
  if (!answer) return std::nullopt;
  return Attempt{*answer, text_in(kept, "message"), {}};
}

void AnswerFolder::keep(const Question& question, const Attempt& attempt) const {
  std::error_code failure;
  std::filesystem::create_directories(folder_, failure);
  Json kept = identity_of(question);
  kept["schema"] = schema;
  kept["answer"] = to_string(attempt.answer);
  kept["message"] = attempt.message;
  AtomicFile file(file_for(question));
  file.stream() << json_text(kept, 1) << "\n";
  file.commit();
}

std::filesystem::path usual_answers_folder() {
  const std::string cache = environment_variable("XDG_CACHE_HOME"),
                    home = environment_variable("HOME");
  const std::filesystem::path folder =
      cache.empty() ? std::filesystem::path(home) / ".cache" : std::filesystem::path(cache);
  return folder / "model_validator" / "answers";
}

} // namespace model_validator::verify
