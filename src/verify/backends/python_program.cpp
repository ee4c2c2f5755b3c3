#include "verify/backends/python_program.h"

#include "files/environment.h"

#include <model_validator/error.h>

#include <sstream>
#include <unistd.h>

namespace model_validator::verify {

std::string python_program() {
  if (std::string own = environment_variable("MODEL_VALIDATOR_PYTHON"); !own.empty()) return own;
  std::istringstream places(environment_variable("PATH"));
  for (std::string place; std::getline(places, place, ':');)
    if (const std::string file = place + "/python3"; ::access(file.c_str(), X_OK) == 0) return file;
  throw Error(ErrorKind::backend_missing, "", "there is no Python to load the runtime with",
              "put `python3` on the path, or name it in MODEL_VALIDATOR_PYTHON");
}

std::string python_hint(const std::string& package) {
  return "install " + package +
         " for the `python3` on the path, or name another Python in MODEL_VALIDATOR_PYTHON";
}

} // namespace model_validator::verify
