#include "files/current_folder.h"
#include "libraries/torch_libraries.h"
#include "report/version.h"
#include "requests/comparison.h"
#include "requests/foreign_value.h"
#include "requests/model_bytes.h"
#include "requests/service_pool.h"

#include <model_validator/c_api.h>
#include <model_validator/error.h>

#include <new>
#include <optional>
#include <utility>

using namespace model_validator;

struct mv_result {
  Reply reply;
};

struct mv_session {
  ServicePool services;
};

namespace {

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

/// The program, where this library is installed or built.
std::filesystem::path installed_program() {
  for (const char* way : {"../bin/model_validator", "../../bin/model_validator"}) {
    const auto program = (own_folder() / way).lexically_normal();
    std::error_code failed;
    if (std::filesystem::exists(program, failed)) return program;
  }
  return "model_validator";
}

/// The result where there is no memory for another.
mv_result exhausted{{static_cast<int>(MV_ERROR), {}}};

/// Every failure becomes a result.
template <class Work> mv_result* result_of(const Work& work) noexcept {
  try {
    try {
      return new mv_result{work()};
    } catch (const Error& error) {
      return new mv_result{failure(error.kind(), error.path(), error.what(), error.hint())};
    } catch (const std::exception& error) {
      return new mv_result{failure(ErrorKind::internal_error, "", error.what(),
                                   "this is a fault in model_validator: please report it")};
    }
  } catch (...) {
    return &exhausted;
  }
}

/// The model of a caller, under a path that its reader can open.
class GivenModel {
public:
  GivenModel(const mv_model& model, bool trusted)
      : name_(text_of(model.name)), path_(text_of(model.path)) {
    if (model.path == nullptr) {
      if (model.bytes == nullptr && model.size > 0)
        throw Error(ErrorKind::bad_options, "", "there is no model");
      bytes_.emplace(model.bytes, model.size,
                     trusted ? ModelBytes::Seen::by_this_process : ModelBytes::Seen::by_others);
      path_ = bytes_->path();
    }
    if (name_.empty()) name_ = bytes_ ? "model" : path_.string();
  }

  CalledModel called() const { return {name_, path_}; }

private:
  std::string name_;
  std::filesystem::path path_;
  std::optional<ModelBytes> bytes_;
};

bool names_libraries(const std::string& options) {
  return options.find("\"op_library\"") != std::string::npos;
}

Reply ask(mv_session* session, const Call& call, bool trusted,
          const mv_interruption* interruption) {
  require_current_folder();
  if (trusted) return answer(call, Reader::in_place);
  if (session == nullptr) throw Error(ErrorKind::bad_options, "", "there is no session");
  const auto go_on = [interruption] {
    return interruption == nullptr || interruption->stop == nullptr ||
           interruption->stop(interruption->data) == 0;
  };
  return session->services.ask(call, names_libraries(call.options), go_on);
}

mv_result* ask_of_one(const char* question, mv_session* session, const mv_model* model,
                      const char* options, const mv_interruption* interruption) {
  return result_of([&] {
    if (model == nullptr) throw Error(ErrorKind::bad_options, "", "there is no model");
    const bool trusted = model->trusted != 0;
    const GivenModel given(*model, trusted);
    return ask(session, {question, {given.called()}, text_of(options)}, trusted, interruption);
  });
}

verify::Value given_value(const mv_value* value) {
  if (value == nullptr) throw Error(ErrorKind::bad_value, "", "there is no result to compare");
  return value_from(*value);
}

} // namespace

int mv_api_version() { return MV_API_VERSION; }

const char* mv_version() { return version; }

mv_status mv_result_status(const mv_result* result) {
  return result == nullptr ? MV_FAULT : static_cast<mv_status>(result->reply.status);
}

const char* mv_result_text(const mv_result* result, const char* name, size_t* size) {
  if (result == nullptr || name == nullptr) return nullptr;
  const auto found = result->reply.texts.find(name);
  if (found == result->reply.texts.end()) return nullptr;
  if (size != nullptr) *size = found->second.size();
  return found->second.c_str();
}

void mv_result_free(mv_result* result) {
  if (result != &exhausted) delete result;
}

mv_session* mv_session_open(const char* program, const char* library_path) {
  try {
    return new mv_session{
        ServicePool(program == nullptr ? installed_program() : program, text_of(library_path))};
  } catch (...) {
    return nullptr;
  }
}

void mv_session_close(mv_session* session) { delete session; }

mv_result* mv_check(mv_session* session, const mv_model* model, const char* options,
                    const mv_interruption* interruption) {
  return ask_of_one("check", session, model, options, interruption);
}

mv_result* mv_graph(mv_session* session, const mv_model* model, const char* options,
                    const mv_interruption* interruption) {
  return ask_of_one("graph", session, model, options, interruption);
}

mv_result* mv_inspect(mv_session* session, const mv_model* model, const char* options,
                      const mv_interruption* interruption) {
  return ask_of_one("inspect", session, model, options, interruption);
}

mv_result* mv_partition(mv_session* session, const mv_model* model, const char* options,
                        const mv_interruption* interruption) {
  return ask_of_one("partition", session, model, options, interruption);
}

mv_result* mv_diff(mv_session* session, const mv_model* first, const mv_model* second,
                   const char* options, const mv_interruption* interruption) {
  return result_of([&] {
    if (first == nullptr || second == nullptr)
      throw Error(ErrorKind::bad_options, "", "a comparison needs two models");
    const bool trusted = first->trusted != 0 && second->trusted != 0;
    const GivenModel one(*first, trusted);
    const GivenModel other(*second, trusted);
    return ask(session, {"diff", {one.called(), other.called()}, text_of(options)}, trusted,
               interruption);
  });
}

mv_result* mv_compare(const mv_value* reference, const mv_value* candidate, const char* options) {
  return result_of([&] {
    return compare_values(given_value(reference), given_value(candidate), text_of(options));
  });
}

mv_result* mv_same(const mv_value* reference, const mv_value* result, const mv_value* fp64,
                   const char* options) {
  return result_of([&] {
    std::optional<verify::Value> exact;
    if (fp64 != nullptr) exact = given_value(fp64);
    return same_values(given_value(reference), given_value(result), exact ? &*exact : nullptr,
                       text_of(options));
  });
}
