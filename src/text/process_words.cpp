#include "text/process_words.h"

#include <cstring>
#include <sys/wait.h>

namespace model_validator {

std::string seconds_in_words(std::chrono::milliseconds time) {
  std::string text = std::to_string(static_cast<double>(time.count()) / 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

std::string ending_in_words(int status) {
  if (!WIFSIGNALED(status)) return "ended with exit status " + std::to_string(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ')'; // NOLINT
}

} // namespace model_validator
