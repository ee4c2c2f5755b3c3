#include "connected_graph/torchscript/python_stack.h"

#include <charconv>

namespace model_validator::torchscript {
namespace {

// Python's default recursion limit.
constexpr std::size_t max_stack_depth = 1000;

std::optional<StackLine> parse_line(std::string_view text) {
  const auto close = text.find("): ");
  if (close == std::string_view::npos) return std::nullopt;
  const auto open = text.rfind('(', close);
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  StackLine line;
  const std::string_view digits = text.substr(open + 1, close - open - 1);
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), line.line);
  if (failure != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  line.file = text.substr(0, open);
  line.function = text.substr(close + 3);
  return line;
}

bool is_module_machinery(const StackLine& line) {
  return line.file.ends_with("torch/nn/modules/module.py") &&
         (line.function == "_slow_forward" || line.function == "_call_impl" ||
          line.function == "_wrapped_call_impl" || line.function == "inner" ||
          line.function == "__call__");
}

bool is_tracer(const StackLine& line) {
  return line.file.ends_with("torch/jit/_trace.py") ||
         line.file.ends_with("torch/jit/__init__.py") || line.file.ends_with("torch/onnx/utils.py");
}

} // namespace

std::optional<std::vector<StackGroup>> parse_stack(std::string_view text) {
  std::size_t lines_left = max_stack_depth;
  std::vector<StackGroup> groups(1);
  bool in_machinery = false;
  bool any = false;
  while (!text.empty() && lines_left-- > 0) {
    const auto end = text.find('\n');
    const std::optional<StackLine> line = parse_line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line) {
      if (!any) return std::nullopt;
      break;
    }
    any = true;
    if (is_tracer(*line)) break;
    if (is_module_machinery(*line)) {
      in_machinery = true;
      continue;
    }
    if (in_machinery) groups.emplace_back();
    in_machinery = false;
    groups.back().push_back(*line);
  }
  if (!any) return std::nullopt;
  return groups;
}

} // namespace model_validator::torchscript
