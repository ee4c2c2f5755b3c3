#include "promises.h"

#include "guard.h"
#include "text/guarded_output.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace fuzz {
namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n') || byte == 0x7f;
}

bool is_command(std::string_view line) {
  const auto start = line.find_first_not_of(" \t");
  return start != std::string_view::npos && line.substr(start).starts_with("::");
}

[[noreturn]] void broken(std::string_view format, std::string_view what, std::string_view line) {
  found((std::string(format) + ": " + std::string(what) + ": " +
         nlohmann::json(line.substr(0, 200))
             .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace))
            .c_str());
}

/// Lines of a report begin with the program's text, never with the file's.
void require_plain_lines(std::string_view format, std::string_view report) {
  while (!report.empty()) {
    const auto end = report.find('\n');
    const std::string_view line = report.substr(0, end);
    if (format != "github" && is_command(line)) broken(format, "a line starts with ::", line);
    if (format == "github" && !line.starts_with("::"))
      broken(format, "a name broke an annotation", line);
    report.remove_prefix(end == std::string_view::npos ? report.size() : end + 1);
  }
}

/// Text that the program prints passes a guard, which keeps names from starting a command.
std::string as_printed(std::string_view format, const std::string& report) {
  if (format == "github") return report;
  std::ostringstream printed;
  model_validator::GuardedStream(printed, false) << report;
  return printed.str();
}

bool is_json(std::string_view format) { return format == "json" || format == "sarif"; }

} // namespace

void require_promises(std::string_view format, const std::string& report) {
  if (const auto at = std::find_if(report.begin(), report.end(), is_control); at != report.end())
    broken(format, "a control character",
           report.substr(static_cast<std::size_t>(at - report.begin())));
  if (is_json(format) && !nlohmann::json::accept(report)) broken(format, "not JSON", report);
  // XML does not allow noncharacters, and the name of a model may contain them.
  const bool noncharacter = report.find("\xef\xbf\xbe") != std::string::npos ||
                            report.find("\xef\xbf\xbf") != std::string::npos;
  if (format == "junit" && noncharacter) broken(format, "a character that XML forbids", {});
  require_plain_lines(format, as_printed(format, report));
}

} // namespace fuzz
