#include "verify/report/shown_outputs.h"

#include "text/grouped_names.h"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>

namespace model_validator::verify {
namespace {

double greatest_difference(const OutputReport& output) {
  return output.metrics ? output.metrics->max_abs : 0;
}

/// What outputs have in common that may share a row; those that fail share none.
std::vector<std::string> kinds_of(const std::vector<OutputReport>& outputs) {
  std::vector<std::string> kinds;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputReport& output = outputs[i];
    kinds.push_back(std::to_string(output.sample) + " " + std::to_string(output.step) + " " +
                    side_shape(output.reference) + side_dtype(output.reference) +
                    side_shape(output.candidate) + side_dtype(output.candidate) +
                    (output.passed() && output.metrics ? "" : " " + std::to_string(i)));
  }
  return kinds;
}

std::vector<ShownOutput> grouped(const VerifyReport& report) {
  const auto& outputs = report.outputs;
  std::vector<std::string> names;
  for (const OutputReport& output : outputs) names.push_back(output.name);
  std::vector<ShownOutput> shown;
  for (const NameGroup& group : group_names(names, kinds_of(outputs))) {
    const auto worst = *std::ranges::max_element(group.members, {}, [&](std::size_t member) {
      return greatest_difference(outputs[member]);
    });
    OutputReport named = outputs[worst];
    named.name = group.name;
    shown.push_back({&outputs[worst], title_of(named, report)});
  }
  return shown;
}

bool is_same(const ShownOutput& shown) { return shown.output->passed(); }

/// The one that differs most stands for all that are the same.
void fold(std::vector<ShownOutput>& shown, const VerifyReport& report) {
  if (std::ranges::count_if(shown, is_same) < 2) return;
  const OutputReport* worst = nullptr;
  for (const OutputReport& output : report.outputs)
    if (output.passed() &&
        (worst == nullptr || greatest_difference(output) > greatest_difference(*worst)))
      worst = &output;
  std::erase_if(shown, is_same);
  const std::size_t others = report.outputs.size() - failures(report) - 1;
  shown.push_back({worst, title_of(*worst, report) + " and " + std::to_string(others) + " more"});
}

} // namespace

std::string title_of(const OutputReport& output, const VerifyReport& report) {
  std::vector<std::string> call;
  if (report.samples > 1) call.push_back("sample " + std::to_string(output.sample));
  if (report.steps > 1) call.push_back("step " + std::to_string(output.step));
  return call.empty() ? output.name : output.name + " (" + boost::join(call, ", ") + ")";
}

std::size_t failures(const VerifyReport& report) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.outputs, [](const OutputReport& output) { return !output.passed(); }));
}

std::string side_shape(const std::optional<SideInfo>& side) {
  if (!side) return "missing";
  return side->dtype.empty() ? side->kind : to_string(side->shape);
}

std::string side_dtype(const std::optional<SideInfo>& side) {
  if (!side) return "missing";
  return side->dtype.empty() ? "–" : side->dtype;
}

std::vector<ShownOutput> shown_outputs(const VerifyReport& report, Detail detail) {
  std::vector<ShownOutput> shown = grouped(report);
  if (detail == Detail::verdict)
    std::erase_if(shown, is_same);
  else if (detail == Detail::folded)
    fold(shown, report);
  return shown;
}

} // namespace model_validator::verify
