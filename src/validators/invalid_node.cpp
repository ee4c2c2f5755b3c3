#include "connected_graph/op_type.h"
#include "rules/judging/contradiction.h"
#include "rules/judging/judge_file.h"
#include "rules/judging/judge_node.h"
#include "rules/judging/node_place.h"
#include "rules/judging/node_schema.h"
#include "rules/onnx_schemas.h"
#include "text/plural.h"
#include "validators/checks.h"
#include "validators/op_finding.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model_validator {
namespace {

constexpr RuleInfo rule{.name = "invalid-node",
                        .code = "SER004",
                        .summary = "a node of an ONNX file that its operator's definition forbids",
                        .severity = Severity::error,
                        .about_code = false,
                        .decides_verdicts = true};

/// What ONNX's own definitions say against nodes.
class Definitions {
public:
  /// Nothing where the node is valid, or its operator is not known to be ONNX's.
  std::optional<rules::SchemaBreach> fault_of(NodeView node) {
    if (node->opset == 0 || node->opset > rules::newest_onnx_opset()) return std::nullopt;
    const std::vector<OperatorVersion>& versions = versions_of(node->schema);
    if (versions.empty()) return std::nullopt;
    const OperatorVersion* version = rules::version_in(versions, node->opset);
    if (version == nullptr)
      return by_opset("the operator is new in opset " + std::to_string(versions.front().since));
    if (rules::is_gone(*version))
      return by_opset("the operator was removed in opset " + std::to_string(version->since));
    auto breach = rules::breach_of_schema(*version, node);
    if (breach && breach->kind == "dtype" && is_taken_later(versions, *breach, node))
      breach->kind = "dtype-later";
    return breach;
  }

private:
  /// Whether a newer opset allows what was found here: many runtimes know an operator by that
  /// alone.
  static bool is_taken_later(const std::vector<OperatorVersion>& versions,
                             const rules::SchemaBreach& found, NodeView node) {
    return std::ranges::any_of(versions, [&](const OperatorVersion& each) {
      if (each.since <= node->opset || rules::is_gone(each)) return false;
      const auto breach = rules::breach_of_schema(each, node);
      return !breach || breach->kind != found.kind || breach->which != found.which;
    });
  }

  static rules::SchemaBreach by_opset(std::string plain) { return {"opset", {}, std::move(plain)}; }

  const std::vector<OperatorVersion>& versions_of(const std::string& schema) {
    const auto known = versions_.find(schema);
    if (known != versions_.end()) return known->second;
    return versions_.emplace(schema, rules::versions_in_onnx(schema)).first->second;
  }

  std::map<std::string, std::vector<OperatorVersion>, std::less<>> versions_;
};

Diagnostic finding_about(const ConnectedGraph& graph, NodeView node, const Diagnostics& diagnostics,
                         std::string message) {
  Diagnostic finding = finding_of(graph, node->op, diagnostics, std::move(message));
  if (node->op != none) return finding;
  finding.op = OpReference{node->name, type_of_schema(node->schema)};
  if (const SourceLocation& source = graph.location(node->frame); source.known())
    finding.locations.push_back({source, {}, "definition", {}});
  return finding;
}

/// Nodes with the same fault are one finding, about the first of them.
void run(const ConnectedGraph& graph, const Context& context, Diagnostics& diagnostics) {
  if (graph.origin.format != FileFormat::onnx || !graph.program) return;
  const rules::NodePlaces places(*graph.program, graph.regions());
  Definitions definitions;
  std::map<std::string, std::size_t> numbers;
  std::vector<std::pair<Diagnostic, std::size_t>> found;
  for (const NodeView node : all_nodes(*graph.program)) {
    const std::optional<rules::SchemaBreach> fault = definitions.fault_of(node);
    if (!fault) continue;
    const rules::Contradiction contradiction{fault->kind, node->schema, places.of(node),
                                             fault->which, fault->what};
    std::vector<std::string> refusers = rules::refusers_of(contradiction, context.targets, graph);
    if (refusers.empty()) continue;
    std::string message = "`" + std::string(bare_operator(node->schema)) +
                          "` is not valid in opset " + std::to_string(node->opset) + ": " +
                          fault->plain;
    const auto [known, is_new] = numbers.emplace(message, found.size());
    if (!is_new) {
      ++found[known->second].second;
      continue;
    }
    found.emplace_back(finding_about(graph, node, diagnostics, std::move(message)), 0);
    found.back().first.refused_by = std::move(refusers);
    found.back().first.notes.emplace_back(
        rules::is_minded_everywhere(fault->kind)
            ? "ONNX Runtime and OpenVINO refuse such a file"
            : "ONNX Runtime refuses such a file; others may take it");
    found.back().first.contradiction = contradiction.names().front();
  }
  for (auto& [finding, others] : found) {
    if (others > 0)
      finding.notes.push_back("the same is wrong with " + plural(others, "more node"));
    finding.help = rules::remedy_of_breach;
    diagnostics.add(std::move(finding));
  }
}

} // namespace

const Check checks::invalid_node(rule, run);

} // namespace model_validator
