#include "verify/reduce/asking_python.h"

#include "files/environment.h"
#include "files/regular_file.h"
#include "text/process_words.h"
#include "verify/backends/python_worker.h"
#include "verify/reduce/program_sources.h"
#include "verify/reduce/runtimes.h"
#include "verify/run/isolated.h"

#include <model_validator/error.h>

#include <cerrno>
#include <unistd.h>

namespace model_validator::verify {

void become_python(const AskedRuntime& runner, const std::filesystem::path& folder,
                   std::size_t first, const std::vector<std::string>& arguments) {
  // -B: it may write nowhere else.
  std::vector<std::string> words{python_program(),
                                 "-B",
                                 "-c",
                                 without_current_folder(std::string(python_asker_source())),
                                 runner.backend,
                                 folder.string(),
                                 environment_variable("MODEL_VALIDATOR_PACKAGES"),
                                 std::to_string(first)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(pointers.front(), pointers.data());
  throw Error(ErrorKind::backend_missing, "",
              "`" + words.front() + "` cannot be started: error " + std::to_string(errno));
}

std::string version_by_python(const VerifyRequest& request, const AskedRuntime& runner,
                              const std::filesystem::path& folder) {
  Isolation isolation{folder, request.timeout, {}, request.sandbox};
  isolation.becomes_program = true;
  isolation.stop = request.stop;
  const auto outcome = run_isolated([&] { become_python(runner, folder, 0, {}); }, isolation);
  const auto file = folder / "version";
  constexpr std::uint64_t max_bytes = 4096;
  if (std::filesystem::exists(file)) return read_regular_file(file, max_bytes).bytes;
  const std::string words(kind_of(runner.backend)->words);
  throw Error(ErrorKind::backend_missing, "",
              "Python cannot load " + words +
                  (outcome.message.empty() ? "" : ": " + outcome.message),
              python_hint("its package"));
}

} // namespace model_validator::verify
