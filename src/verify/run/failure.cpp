#include "verify/run/failure.h"

#include "connected_graph/torch_sources.h"
#include "connected_graph/torchscript/file/errors.h"
#include "connected_graph/torchscript/ir/original_range.h"
#include "connected_graph/torchscript/python_stack.h"

#include <c10/util/Exception.h>

#include <algorithm>

namespace model_validator::verify {

namespace {

std::string first_line(const std::string& text) {
  const auto begin = text.find_first_not_of(" \n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

/// What a traceback ends with. More lines may follow it: where the dispatcher has kernels.
std::string reason_after_traceback(const std::string& text) {
  constexpr std::string_view head = "RuntimeError: ";
  if (const auto at = text.rfind(head); at != std::string::npos)
    return first_line(text.substr(at + head.size()));
  const auto end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "";
  return first_line(text.substr(text.rfind('\n', end) + 1));
}

/// LibTorch names the assertion of its allocator.
bool is_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory") != std::string::npos;
}

/// What a trace recorded, innermost call first; else the one place of the node.
std::vector<SourceLocation> places_of(const torch::jit::Node& node) {
  const auto range = torchscript::original_range(node.sourceRange());
  if (!range.source()) return {};
  std::vector<SourceLocation> places;
  if (const auto stack = torchscript::parse_stack(range.source()->text_str().str()))
    for (const auto& group : *stack)
      for (const auto& line : group) places.push_back({line.file, line.line, 0, 0});
  else if (const auto place = location_of(node); place.known())
    places.push_back(place);
  return places;
}

} // namespace

std::string sentence_of(const std::exception& failure) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&failure);
  const std::string text = torchscript::without_assertion(
      torch_error != nullptr ? torch_error->what_without_backtrace() : failure.what());
  if (is_out_of_memory(text)) return "there is not enough memory";
  std::string line = first_line(text);
  // LibTorch's interpreter puts its traceback before the reason.
  if (line.find("failed in the TorchScript interpreter") != std::string::npos)
    line = reason_after_traceback(text);
  if (line.empty()) return "no reason given";
  while (!line.empty() && (line.back() == '.' || line.back() == ' ')) line.pop_back();
  return line;
}

SourceLocation location_of(const torch::jit::Node& node) {
  const auto range = node.sourceRange();
  if (!range.source()) return {};
  const auto original = range.source()->findSourceRangeThatGenerated(range);
  const auto place = original ? original->file_line_col() : std::nullopt;
  if (!place) return {};
  const auto& [file, line, column] = *place;
  return {file, static_cast<int>(line), static_cast<int>(column), 0};
}

SourceLocation user_location(const torch::jit::Node& node,
                             const std::vector<const torch::jit::Node*>& callers) {
  auto places = places_of(node);
  for (auto caller = callers.rbegin(); caller != callers.rend(); ++caller)
    for (auto& place : places_of(**caller)) places.push_back(std::move(place));
  const auto own = std::ranges::find_if(
      places, [](const SourceLocation& place) { return !is_inside_torch(place.file); });
  if (own != places.end()) return *own;
  return places.empty() ? SourceLocation() : places.front();
}

Error failure_of(const torch::jit::Node& node, const std::string& module_path,
                 const std::exception& failure) {
  std::string where = "`" + std::string(node.kind().toQualString()) + "`";
  if (!module_path.empty()) where += " in module `" + module_path + "`";
  if (const auto place = location_of(node); place.known())
    where += " (" + place.file + ":" + std::to_string(place.line) + ")";
  return Error(ErrorKind::run_failed, "", where + " failed: " + sentence_of(failure));
}

} // namespace model_validator::verify
