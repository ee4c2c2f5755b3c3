#include "verify/reduce/runtimes.h"

#include "files/json_text.h"
#include "text/escape.h"
#include "text/lists.h"
#include "verify/backends/backend_name.h"

#include <model_validator/data/contains.h>
#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

namespace model_validator::verify {
namespace {

/// The last two are no runtimes of users.
constexpr std::array kinds{
    RuntimeKind{"onnxruntime", "ONNX Runtime", "CPUExecutionProvider", "onnxruntime"},
    RuntimeKind{"openvino", "OpenVINO", "CPU", "openvino"},
    RuntimeKind{"tensorrt-rtx", "TensorRT-RTX", "built for compute capability 8.9, not run",
                "tensorrt-rtx", true, false},
    RuntimeKind{"onnx-reference", "onnx.reference", "", "", true},
    RuntimeKind{"onnxruntime-places", "ONNX Runtime", "", "", true}};

const RuntimeKind* find(std::string_view name, std::string_view RuntimeKind::*by) {
  const auto found = std::ranges::find(kinds, name, by);
  return found == kinds.end() ? nullptr : &*found;
}

} // namespace

const RuntimeKind* kind_of(const std::string& backend) {
  return find(name_of_backend(backend), &RuntimeKind::name);
}

const RuntimeKind* kind_for_target(std::string_view target) {
  return find(target, &RuntimeKind::target);
}

bool only_loads(const AskedRuntime& runner) {
  const RuntimeKind* kind = kind_of(runner.backend);
  return kind != nullptr && !kind->runs;
}

bool is_of_python(const AskedRuntime& runner) {
  const RuntimeKind* kind = kind_of(runner.backend);
  return kind != nullptr && kind->is_of_python;
}

void require_runtime(const std::string& backend) {
  std::vector<std::string> names;
  for (const RuntimeKind& kind : kinds)
    if (!kind.target.empty()) names.emplace_back(kind.name);
  if (backend.empty() || contains(names, name_of_backend(backend))) return;
  throw Error(ErrorKind::backend_refused, "", "`" + backend + "` cannot be asked for ONNX files",
              "choose " + list_in_words(names) +
                  "; `--command` asks any program. What PyTorch's exporters and ExecuTorch take of "
                  "a `.pt2` file, `check --target onnx-export` and `--target executorch-xnnpack` "
                  "say");
}

std::string runtime_in_words(const AskedRuntime& runner, const std::string& version) {
  const RuntimeKind* kind = kind_of(runner.backend);
  if (kind == nullptr) return "the command `" + runner.command + "`";
  const std::string named = provider_of_backend(runner.backend);
  const std::string place = named.empty() ? std::string(kind->device) : named;
  return std::string(kind->words) + " " + version + (place.empty() ? "" : ", " + place) +
         (runner.optimise ? "" : ", without optimisations");
}

std::vector<PlacedNode> placed_nodes(const std::string& lines) {
  std::vector<PlacedNode> nodes;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    const Json row = Json::parse(line, nullptr, false);
    const auto is_text = [](const Json& item) { return item.is_string(); };
    if (row.is_array() && row.size() == 3 && std::ranges::all_of(row, is_text))
      nodes.push_back(
          {row[0].get<std::string>(), row[1].get<std::string>(), row[2].get<std::string>()});
  }
  return nodes;
}

std::string in_words(const std::vector<PlacedNode>& nodes, const std::string& provider) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> elsewhere;
  std::size_t there = 0;
  for (const PlacedNode& node : nodes)
    if (node.provider == provider)
      ++there;
    else
      elsewhere[node.provider][node.type].push_back("`" + escape(node.name) + "`");
  std::string words =
      std::to_string(there) + " of " + std::to_string(nodes.size()) + " nodes run on " + provider;
  for (const auto& [other, types] : elsewhere) {
    constexpr std::size_t shown = 3;
    std::vector<std::string> listed;
    for (const auto& [type, names] : types) {
      listed.push_back(std::to_string(names.size()) + " × `" + escape(type) + "`");
      if (!contains(names, "``")) listed.back() += ", as " + first_in_words(names, shown);
    }
    words += (elsewhere.size() == 1 ? ", the rest on " : "; on ") + escape(other) + ": " +
             joined(listed, "; ");
  }
  return words;
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
