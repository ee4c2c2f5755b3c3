#include "files/current_folder.h"
#include "files/process/environment.h"
#include "files/process/sandbox.h"
#include "files/temporary_folder.h"
#include "files/write_all.h"
#include "libraries/torch_libraries.h"
#include "report/version.h"
#include "requests/comparison.h"
#include "requests/foreign_value.h"
#include "requests/service_pool.h"

#include <model_validator/c_api.h>
#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace model_validator;

struct mv_result {
  Reply reply;
};

struct mv_session {
  ServicePool services;
};

namespace {

[[noreturn]] void fail() {
  throw Error(ErrorKind::cannot_write, "",
              std::string("the bytes of the model cannot be put where readers find them: ") +
                  std::strerror(errno));
}

/// Bytes of a model under a path that readers can open while this object lives.
class ModelBytes {
public:
  enum class Seen {
    by_this_process, ///< a file in memory
    by_others        ///< a temporary file, which another process can open too
  };
  /// @throws Error (`cannot-write`)
  ModelBytes(const void* bytes, std::size_t size, Seen seen) : temporary_(seen == Seen::by_others) {
    if (temporary_) {
      std::string name = (temporary_folder() / "model_validator-XXXXXX").string();
      file_ = ::mkostemp(name.data(), O_CLOEXEC);
      path_ = name;
    } else {
      file_ = ::memfd_create("model", MFD_CLOEXEC);
      path_ = "/proc/self/fd/" + std::to_string(file_);
    }
    if (file_ < 0) fail();
    if (write_all(file_, {static_cast<const char*>(bytes), size})) return;
    const int failed = errno;
    ::close(file_);
    if (temporary_) ::unlink(path_.c_str());
    errno = failed;
    fail();
  }

  ~ModelBytes() {
    ::close(file_);
    if (temporary_) ::unlink(path_.c_str());
  }

  ModelBytes(const ModelBytes&) = delete;
  ModelBytes& operator=(const ModelBytes&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }

private:
  int file_ = -1;
  bool temporary_;
  std::filesystem::path path_;
};

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

mv_result* mv_confine(const char* folder, int require) {
  return result_of([&] {
    if (folder == nullptr) throw Error(ErrorKind::bad_options, "", "there is no folder");
    const process::SandboxSupport support = process::sandbox_support();
    if (require != 0 && !support.complete())
      throw Error(ErrorKind::no_sandbox, "", process::missing_protection(support));
    process::keep_harmless_environment();
    process::enter_sandbox(process::permissions_to_run(folder, false));
    const nlohmann::json missing{{"missing", process::missing_protection(support)}};
    return Reply{static_cast<int>(MV_CLEAN), {{"json", missing.dump()}}};
  });
}

mv_result* mv_ask(mv_session* session, const char* question, const mv_model* models, size_t count,
                  const char* options, const mv_interruption* interruption) {
  return result_of([&] {
    if (models == nullptr || count == 0)
      throw Error(ErrorKind::bad_options, "", "there is no model");
    const std::span<const mv_model> all(models, count);
    const bool trusted =
        std::ranges::all_of(all, [](const mv_model& model) { return model.trusted != 0; });
    std::vector<std::unique_ptr<GivenModel>>
        given; // their bytes are read until the answer is there
    Call call{text_of(question), {}, text_of(options)};
    for (const mv_model& model : all)
      call.models.push_back(
          given.emplace_back(std::make_unique<GivenModel>(model, trusted))->called());
    return ask(session, call, trusted, interruption);
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
