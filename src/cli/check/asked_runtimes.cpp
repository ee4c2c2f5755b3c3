#include "cli/check/asked_runtimes.h"

#include "libraries/verify_library.h"

#include <model_validator/error.h>
#include <model_validator/verify/probe.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::cli {
namespace {

using verify::ProbedNodes;
using verify::ProbeResult;

constexpr const char* right = "right";

/// `3 × `onnx::Erf`, as `/gelu/Erf`: refused: no such kernel`.
std::string in_words(const ProbedNodes& nodes) {
  return std::to_string(nodes.nodes.size()) + " × `" + nodes.type + "`, as `" +
         nodes.nodes.front() + "`: " + nodes.answer +
         (nodes.message.empty() ? "" : ": " + nodes.message);
}

/// The table takes it, or has it under a condition; or it does not. Nothing where it does not know.
std::optional<bool> takes(Verdict verdict) {
  if (verdict == Verdict::unknown) return std::nullopt;
  return verdict == Verdict::taken || verdict == Verdict::partly;
}

/// What was seen of an operator; nothing where it was not asked for.
std::optional<bool> takes(const ProbeResult& probed, const std::string& type) {
  if (probed.answer == right) return true; // whatever its nodes are
  std::optional<bool> all;
  for (const ProbedNodes& nodes : probed.nodes)
    if (nodes.type == type && !nodes.answer.empty())
      all = all.value_or(true) && nodes.answer == right;
  return all;
}

std::vector<std::string> disagreements(const TargetVerdict& verdict, const ProbeResult& probed) {
  std::vector<std::string> sentences;
  for (const OperatorVerdict& each : verdict.operators) {
    const auto by_table = takes(each.verdict), here = takes(probed, each.name);
    if (by_table && here && *by_table != *here)
      sentences.push_back("the table has `" + each.name + "` as " + to_string(each.verdict) +
                          (*here ? ", and here it is right" : ", and here it is not right"));
  }
  const bool is_taken_by_table = takes(verdict.verdict).value_or(false);
  if (sentences.empty() && is_taken_by_table && probed.answer != right)
    sentences.emplace_back("the table takes the model, and here it is " + probed.answer);
  if (!verdict.refusals.empty() && probed.answer == right)
    sentences.emplace_back("the table refuses the file as a whole, and here it is right");
  return sentences;
}

AskedHere asked_here(const TargetVerdict& verdict, const ProbeResult& probed) {
  AskedHere asked{verdict.target, probed.runtime, probed.answer, probed.message, {}, {}};
  for (const ProbedNodes& nodes : probed.nodes)
    if (!nodes.answer.empty() && nodes.answer != right) asked.nodes.push_back(in_words(nodes));
  asked.disagreements = disagreements(verdict, probed);
  return asked;
}

} // namespace

void ask_runtimes(ModelReport& report, const AskingChoice& choice, const std::stop_token& stop) {
  if (!choice.wanted || report.format != FileFormat::onnx || report.error) return;
  for (const TargetVerdict& verdict : report.verdicts) {
    verify::ProbeRequest request;
    request.verify.reference = report.path;
    request.verify.backend = verify_library().backend_for_target(verdict.target);
    request.verify.sandbox = choice.sandbox;
    request.verify.stop = stop;
    request.answers = choice.answers;
    if (request.verify.backend.empty()) continue;
    try {
      report.asked.push_back(asked_here(verdict, verify_library().probe(request)));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      report.asked.push_back(
          {verdict.target, request.verify.backend, "not asked", error.what(), {}, {}});
    }
  }
}

} // namespace model_validator::cli
