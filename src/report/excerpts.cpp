#include "report/excerpts.h"

#include "files/json_text.h"
#include "files/python_source.h"

#include <map>

namespace model_validator {
namespace {

constexpr int lines_around = 5;

class Excerpts {
public:
  explicit Excerpts(const std::vector<std::filesystem::path>& roots) : files_(roots) {}

  void add(const Diagnostic& finding) {
    for (const DiagnosticLocation& location : finding.locations) {
      if (location.code.empty()) continue;
      const auto& [file, line] = std::pair(location.source.file, location.source.line);
      if (files_.has(file)) add(file, line - lines_around, line + lines_around);
      lines_[file].try_emplace(line, location.code); // exporters drop what a line begins with
    }
    if (!finding.fix) return;
    for (const Edit& edit : finding.fix->edits)
      if (files_.has(edit.file))
        add(edit.file, edit.start.line - lines_around, edit.end.line + lines_around);
  }

  Json json() const {
    Json excerpts = Json::array();
    for (const auto& [file, lines] : lines_) {
      int next = 0;
      for (const auto& [number, text] : lines) {
        if (number != next)
          excerpts.push_back({{"file", file}, {"first", number}, {"lines", Json::array()}});
        excerpts.back()["lines"].push_back(text);
        next = number + 1;
      }
    }
    return {{"schema", "model_validator-sources/1"}, {"excerpts", std::move(excerpts)}};
  }

private:
  void add(const std::string& file, int first, int last) {
    last = std::min(last, files_.count(file));
    for (int number = std::max(first, 1); number <= last; ++number)
      lines_[file].try_emplace(number, files_.line(file, number));
  }

  PythonSource files_;
  std::map<std::string, std::map<int, std::string>> lines_; ///< by file and number
};

} // namespace

std::string excerpts_json(const std::vector<Diagnostic>& findings,
                          const std::vector<std::filesystem::path>& roots) {
  Excerpts excerpts(roots);
  for (const Diagnostic& finding : findings) excerpts.add(finding);
  return json_text(excerpts.json());
}

} // namespace model_validator
