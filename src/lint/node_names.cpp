#include "lint/node_names.h"

#include <model_validator/program.h>

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace model_validator {
namespace {

using NotesByOp = std::unordered_map<std::string, std::string>;

NotesByOp notes_by_op(const ConnectedGraph& graph) {
  NotesByOp notes;
  for (const ProgramNode& node : graph.program->nodes)
    if (node.op != none && !node.name.empty())
      notes.emplace(graph.op(node.op).name, "the file calls the node `" + node.name + "`");
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph())))
    if (const std::string& made = graph.graph()[edge].name; !made.empty())
      notes.emplace(graph.op(boost::source(edge, graph.graph())).name,
                    "the file does not name the node, which makes `" + made + "`");
  return notes;
}

bool has_no_place(const Diagnostic& finding) {
  return finding.op && std::ranges::none_of(finding.locations, [](const auto& location) {
           return location.source.known();
         });
}

} // namespace

void name_nodes(const ConnectedGraph& graph, std::vector<Diagnostic>& findings) {
  if (graph.origin.format != FileFormat::onnx || !graph.program ||
      std::ranges::none_of(findings, has_no_place))
    return;
  const NotesByOp notes = notes_by_op(graph);
  for (Diagnostic& finding : findings)
    if (has_no_place(finding))
      if (const auto note = notes.find(finding.op->name); note != notes.end())
        finding.notes.insert(finding.notes.begin(), note->second);
}

} // namespace model_validator
