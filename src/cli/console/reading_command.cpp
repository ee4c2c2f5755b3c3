#include "cli/console/reading_command.h"

#include "cli/console/exit_status.h"
#include "text/guarded_output.h"

#include <iostream>

namespace model_validator::cli {

CommandOutput read_and_warn(const Reading& reading, const std::function<void(Findings&)>& work) {
  ReadingResult result = read_confined(reading, work);
  for (const std::string& line : result.printed)
    GuardedStream(std::cerr, false) << "the model printed: " << line << '\n';
  for (const Warning& warning : result.warnings) print_warning(warning.sentence, warning.hint);
  return {std::move(result.text), result.status};
}

int read_and_print(const Reading& reading, const std::function<void(Findings&)>& work,
                   const std::filesystem::path& file, Passes passes) {
  const CommandOutput result = read_and_warn(reading, work);
  print(result.text, file, passes);
  return result.status;
}

} // namespace model_validator::cli
