#include "verify/reduce/runtime_words.h"

#include "text/escape.h"
#include "verify/backends/backend_name.h"

#include <algorithm>

namespace model_validator::verify {

std::string runtime_in_words(const AskedRuntime& runner, const std::string& version) {
  if (runner.backend == "command") return "the command `" + runner.command + "`";
  const std::string name = name_of_backend(runner.backend);
  const std::string provider = provider_of_backend(runner.backend);
  if (name != "onnxruntime") return "OpenVINO " + version + ", CPU";
  return "ONNX Runtime " + version + ", " + (provider.empty() ? "CPUExecutionProvider" : provider);
}

std::string in_one_line(const std::string& message) {
  std::string line = message;
  std::ranges::replace(line, '\n', ' ');
  return escape(line);
}

std::string name_of(const OnnxNode& node) {
  if (!node.name.empty() || node.yields.empty()) return node.name;
  return node.yields.front();
}

} // namespace model_validator::verify
