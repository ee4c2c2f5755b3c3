#include "connected_graph/python_trace.h"

#include "connected_graph/module_hierarchy.h"

#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace model_validator {
namespace {

constexpr std::array<std::string_view, 5> exporter_files{
    "/torch/_dynamo/", "/torch/export/", "/torch/_export/", "/torch/fx/", "<eval_with_key>"};

/// The innermost calls are kept; Python itself allows a thousand.
constexpr std::size_t max_lines = 200;
/// Each line of code is searched for every call that it makes.
constexpr std::size_t max_line_length = 4096;

bool of_exporter(std::string_view file) {
  return std::any_of(exporter_files.begin(), exporter_files.end(),
                     [&](auto part) { return file.find(part) != std::string_view::npos; });
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// `File "a.py", line 3, in forward`
bool parse_header(std::string_view line, TraceLine& into) {
  constexpr std::string_view file_mark = "File \"";
  constexpr std::string_view line_mark = "\", line ";
  constexpr std::string_view function_mark = ", in ";
  if (!line.starts_with(file_mark)) return false;
  const auto file_end = line.rfind(line_mark);
  if (file_end == std::string_view::npos || file_end < file_mark.size()) return false;
  if (line.size() > max_line_length) return false; // handling it would repeat the file name
  into.location.file = line.substr(file_mark.size(), file_end - file_mark.size());
  const std::string_view rest = line.substr(file_end + line_mark.size());
  std::from_chars(rest.data(), rest.data() + rest.size(), into.location.line);
  const auto function = rest.find(function_mark);
  if (function != std::string_view::npos)
    into.function = rest.substr(function + function_mark.size());
  return true;
}

/// Whether a class is defined in a file: `torchvision.models.resnet.ResNet` in
/// `…/models/resnet.py`.
bool defined_in(const std::string& class_name, const std::string& file) {
  std::string module(parent_path(class_name));
  if (module.empty()) return false;
  std::replace(module.begin(), module.end(), '.', '/');
  return file.ends_with("/" + module + ".py") || file == module + ".py";
}

/// Which module of the stack each line of the trace belongs to, if the two differ in length: by the
/// file that defines the module's class, else one module deeper for each `forward`.
std::vector<std::size_t> align(const std::vector<TraceLine>& trace,
                               const std::vector<ModuleCall>& stack, const ConnectedGraph& graph) {
  std::vector<std::size_t> places;
  std::size_t place = 0;
  for (const TraceLine& line : trace) {
    const std::size_t next = places.empty() || line.function != "forward" ? place : place + 1;
    std::size_t matching = next;
    while (matching < stack.size() &&
           !defined_in(graph.module(stack[matching].module).class_name, line.location.file))
      ++matching;
    place = std::min(matching < stack.size() ? matching : next, stack.size() - 1);
    places.push_back(place);
  }
  return places;
}

} // namespace

std::vector<TraceLine> parse_python_trace(std::string_view text) {
  std::vector<TraceLine> trace;
  bool skipping = true;
  while (!text.empty()) {
    const std::string_view line = trimmed(take_before('\n', text));
    TraceLine entry;
    if (parse_header(line, entry)) {
      skipping = of_exporter(entry.location.file);
      if (!skipping) trace.push_back(std::move(entry));
    } else if (!skipping && trace.back().code.empty() && line.size() <= max_line_length) {
      trace.back().code = line;
    }
  }
  if (trace.size() > max_lines)
    trace.erase(trace.begin(), trace.end() - static_cast<std::ptrdiff_t>(max_lines));
  return trace;
}

FrameId FrameTable::innermost(const std::vector<TraceLine>& trace,
                              const std::vector<ModuleCall>& stack) {
  FrameId innermost = none;
  const bool same_length = trace.size() == stack.size();
  const auto places =
      same_length || stack.empty() ? std::vector<std::size_t>{} : align(trace, stack, graph_);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const ModuleId module = stack.empty() ? none : stack[same_length ? i : places[i]].module;
    innermost = frame(trace[i], module, innermost);
  }
  return innermost;
}

FrameId FrameTable::frame(const TraceLine& line, ModuleId module, FrameId caller) {
  const auto [entry, inserted] =
      known_.try_emplace({line.location.file, line.location.line, module, caller}, none);
  if (inserted) {
    entry->second = graph_.add_frame({line.location, module, caller});
    if (!line.code.empty())
      graph_.add_source_line(line.location.file, line.location.line, line.code);
  }
  return entry->second;
}

} // namespace model_validator
