#include "cli/asked_profile.h"

#include "lint/suppressions.h"
#include "rules/judging/asked_node.h"
#include "text/escape.h"

#include <model_validator/connected_graph.h>
#include <model_validator/error.h>
#include <model_validator/program.h>
#include <model_validator/target_profile.h>

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <sstream>

namespace model_validator::cli {
namespace {

using verify::ProbedNodes;
using Answers = std::map<std::string, AskedAnswer, std::less<>>;

std::string quoted(const std::string& text) {
  return nlohmann::json(escape(text))
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::map<std::string, const ProbedNodes*> nodes_by_value(const verify::ProbeResult& probed) {
  std::map<std::string, const ProbedNodes*> found;
  for (const ProbedNodes& nodes : probed.nodes)
    for (const std::string& value : nodes.yields) found[value] = &nodes;
  return found;
}

bool is_answered(const ProbedNodes& probed, const ProgramNode& node) {
  return probed.type == node.schema && !probed.answer.empty();
}

/// By the question that the file's own words make of a node. Where nodes that are alike in these
/// words were answered in two ways, for they differ in values, nothing is known.
void add_answers(const Program& program, const rules::AskedNodes& nodes_asked,
                 const verify::ProbeResult& probed, Answers& answers) {
  const std::map<std::string, const ProbedNodes*> by_value = nodes_by_value(probed);
  std::map<std::string, std::optional<AskedAnswer>> found;
  for (const ProgramNode& node : program.nodes) {
    const ProgramValue* result = program.output(node, 0);
    const auto asked = result == nullptr ? by_value.end() : by_value.find(result->name);
    const auto question = nodes_asked.question(node);
    if (asked == by_value.end() || !is_answered(*asked->second, node) || !question) continue;
    const AskedAnswer answer{asked->second->answer, asked->second->message};
    const auto [entry, fresh] = found.try_emplace(*question, answer);
    if (!fresh && entry->second && entry->second->answer != answer.answer) entry->second.reset();
  }
  for (auto& [question, answer] : found)
    if (answer)
      answers.insert_or_assign(question, std::move(*answer));
    else
      answers.erase(question);
}

void write(std::ostream& out, const char* table, const char* about, const Answers& answers) {
  for (const auto& [question, answer] : answers) {
    out << "\n[[" << table << "]]\n"
        << about << " = " << quoted(question) << "\nanswer = " << quoted(answer.answer) << "\n";
    if (!answer.reason.empty()) out << "reason = " << quoted(answer.reason) << "\n";
  }
}

TargetProfile kept_profile(const std::filesystem::path& before, const std::string& target,
                           const std::string& runtime) {
  TargetProfile kept;
  if (!before.empty()) kept = load_target_profile(before);
  if (!before.empty() && (kept.package != escape(runtime) || kept.file.asked_models.empty()))
    throw Error(ErrorKind::already_there, before.string(),
                "the file holds no answers of " + runtime, "name another file");
  kept.name = target;
  return kept;
}

} // namespace

std::string asked_profile(const std::filesystem::path& model, const ReadOptions& options,
                          const verify::ProbeResult& probed, const std::string& target,
                          const std::filesystem::path& before) {
  TargetProfile profile = kept_profile(before, target, probed.runtime);
  const ConnectedGraph graph = read_graph(model, options);
  const rules::AskedNodes asked(*graph.program);
  add_answers(*graph.program, asked, probed, profile.file.asked);
  const auto whole = asked.whole();
  profile.file.asked_models.insert_or_assign(whole.value_or("unlike any other"),
                                             AskedAnswer{probed.answer, probed.message});
  for (const ProgramNode& node : graph.program->nodes) profile.operators.emplace(node.schema, 0);
  std::ostringstream out;
  out << "# What a runtime answered about models and nodes. Of what is not here, nothing is "
         "known.\n"
      << "[target]\nname = " << quoted(target)
      << "\ndescription = " << quoted("what " + probed.runtime + " answered")
      << "\npackage = " << quoted(probed.runtime) << "\ndate = " << quoted(today())
      << "\n\n[operators]\n";
  for (const auto& [name, since] : profile.operators) out << quoted(name) << " = 0\n";
  write(out, "asked_models", "model", profile.file.asked_models);
  write(out, "asked", "node", profile.file.asked);
  return out.str();
}

} // namespace model_validator::cli
