#include "verify/reduce/bug_report.h"

#include "files/json_text.h"
#include "files/plain_file.h"
#include "text/escape.h"
#include "text/lists.h"
#include "verify/backends/backend_name.h"
#include "verify/compare/runs.h"
#include "verify/inputs/npz.h"
#include "verify/reduce/program_sources.h"
#include "verify/reduce/runtimes.h"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>
#include <sys/utsname.h>

namespace model_validator::verify {
namespace {

/// A share of the greatest value that rounding stays below; less where what came is nearer, since
/// it is wrong all the same.
double allowed(const NamedTensor& expected, const NamedTensors& came, std::size_t index) {
  constexpr double share = 1e-4, part_of_difference = 0.25;
  const auto right = numbers_of(expected.tensor.view);
  double greatest = 0, difference = 0;
  for (const double number : right)
    if (std::isfinite(number)) greatest = std::max(greatest, std::abs(number));
  const auto other =
      index < came.size() ? numbers_of(came[index].tensor.view) : std::vector<double>();
  for (std::size_t i = 0; i < std::min(right.size(), other.size()); ++i)
    if (std::isfinite(right[i] - other[i]))
      difference = std::max(difference, std::abs(right[i] - other[i]));
  if (difference == 0) return share * greatest;
  return std::min(share * greatest, part_of_difference * difference);
}

std::string expectation(const BugReport& report) {
  if (only_loads(report.runner)) return "the model loads";
  if (report.expected.empty()) return "the model loads and runs";
  return "the model loads, runs and gives what " + report.reference + " gives" +
         (report.part.candidate ? " for the original model" : "");
}

Json settings_of(const BugReport& report) {
  Json outputs = Json::array(), limits = Json::object();
  for (const std::string& name : report.part.cut.outputs) outputs.push_back(name);
  for (std::size_t i = 0; i < report.expected.size(); ++i)
    limits[report.expected[i].name] = allowed(report.expected[i], report.came, i);
  const std::string named = provider_of_backend(report.runner.backend);
  const RuntimeKind* kind = kind_of(report.runner.backend);
  const std::string provider = named.empty() && kind ? std::string(kind->device) : named;
  const auto limit = report.request.verify.timeout;
  return {{"backend", name_of_backend(report.runner.backend)},
          {"provider", provider},
          {"command", report.runner.command},
          {"optimise", report.runner.optimise},
          {"model", report.part.candidate ? "candidate.onnx" : "reduced.onnx"},
          {"seconds", limit ? static_cast<double>(limit->count()) / 1000 : 60.},
          {"outputs", outputs},
          {"allowed", limits},
          {"expected", expectation(report)}};
}

std::string machine() {
  utsname names{};
  if (::uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release + ", " + names.machine;
}

std::string origin_of_values(const BugReport& report) {
  std::string words = report.part.cut.random_weights
                          ? "Weights of float32 are random, of the model's own sizes"
                          : "Weights are those of the model";
  words += report.random_inputs ? "; inputs of float32 are random."
                                : "; inputs are values of the model's own run.";
  return words;
}

std::vector<std::string> operators_of(const BugReport& report) {
  std::vector<std::string> types;
  std::set<std::string> seen;
  for (const std::size_t number : report.part.cut.nodes) {
    const std::string& type = report.subject.flow.outline().nodes[number].type;
    const std::string bare = type.starts_with("onnx::") ? type.substr(6) : type;
    if (seen.insert(bare).second) types.push_back("`" + bare + "`");
  }
  return types;
}

std::string place_of(const FailingPart& part, const OnnxOutline& outline) {
  std::vector<std::string> names;
  constexpr std::size_t shown = 5;
  for (const std::size_t number : part.cut.nodes) {
    const OnnxNode& node = outline.nodes[number];
    names.push_back("`" + name_of(node) + "`");
  }
  return first_in_words(names, shown);
}

void list_nodes(const std::vector<std::string>& lines, std::ostream& out) {
  for (const std::string& line : lines) out << "    " << escape(line) << "\n";
  out << "\n";
}

void list_inputs(const BugReport& report, std::ostream& out) {
  for (const NamedTensor& input : report.part.cut.inputs)
    out << "- input `" << escape(input.name) << "` " << to_string(input.tensor.view.shape) << "\n";
  for (const NamedTensor& value : report.part.cut.constants)
    out << "- `" << escape(value.name)
        << "` is stored as a constant; in the whole model other nodes compute it\n";
}

void write_report(const BugReport& report, std::ostream& out) {
  const auto& outline = report.subject.flow.outline();
  out << "# " << headline(report) << "\n\n"
      << "**Expected:** " << escape(expectation(report)) << ".\n\n"
      << "**Came:** " << to_string(report.part.came.answer) << ".\n\n"
      << "    " << in_one_line(report.part.came.message) << "\n\n"
      << "## To reproduce\n\n    python repro.py\n\n"
      << "It needs numpy and the runtime, says what was expected and what came, and ends with "
         "status 1 while the failure is there.\n\n"
      << "## The model\n\n`reduced.onnx`, opset " << joined(outline.opsets, ", ") << ":\n\n";
  list_nodes(report.lines, out);
  if (!report.lines_of_candidate.empty()) {
    out << "`candidate.onnx`, which runs in its stead:\n\n";
    list_nodes(report.lines_of_candidate, out);
  }
  list_inputs(report, out);
  out << "\n"
      << origin_of_values(report) << "\n\n## Versions\n\n- "
      << escape(runtime_in_words(report.runner, report.version)) << "\n- " << machine() << "\n\n"
      << "Reduced from a model of " << report.nodes_of_whole << " nodes to "
      << report.part.cut.nodes.size() << " in " << report.attempts
      << " attempts, by `model_validator reduce`: " << escape(place_of(report.part, outline))
      << ".\n";
}

} // namespace

std::string headline(const BugReport& report) {
  const std::string what = list_in_words(operators_of(report));
  const std::string by = escape(runtime_in_words(report.runner, report.version));
  switch (report.part.came.answer) {
  case Answer::refused: return what + ": refused by " + by;
  case Answer::failed: return what + ": " + by + " fails to run it";
  case Answer::crashed: return what + ": " + by + " crashes";
  case Answer::hung: return what + ": " + by + " does not end";
  default:
    return what +
           (report.part.candidate ? ": the candidate gives other results, by "
                                  : ": wrong results by ") +
           by;
  }
}

void write_bug_report(const BugReport& report, const std::filesystem::path& folder) {
  if (!report.part.cut.inputs.empty()) write_npz(folder / "inputs.npz", report.part.cut.inputs);
  if (!report.expected.empty()) write_npz(folder / "expected.npz", report.expected);
  std::string source(repro_source());
  boost::replace_first(source, "\"{}\"", json_text(json_text(settings_of(report))));
  write_plain_file(folder / "repro.py", [&](std::ostream& out) { out << source; });
  if (is_of_python(report.runner))
    write_plain_file(folder / "ask_python.py",
                     [&](std::ostream& out) { out << python_asker_source(); });
  write_plain_file(folder / "report.md", [&](std::ostream& out) { write_report(report, out); });
}

} // namespace model_validator::verify
