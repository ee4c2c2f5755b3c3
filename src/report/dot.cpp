#include "report/graph_writer.h"
#include "text/escape.h"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <unordered_map>

namespace model_validator {
namespace {

/// A text that Graphviz shows unchanged: otherwise it would interpret backslashes and entities.
std::string literal(const std::string& text) {
  std::string shown = boost::algorithm::replace_all_copy(escape(text), "\\", "\\\\");
  boost::algorithm::replace_all(shown, "&", "&amp;");
  return boost::algorithm::replace_all_copy(shown, "\"", "\\\"");
}

const char* shape_of(OpKind kind) {
  switch (kind) {
  case OpKind::input:
  case OpKind::output: return "ellipse";
  case OpKind::control_flow: return "diamond";
  case OpKind::constant: return "note";
  default: return "box";
  }
}

/// What is in order has no fill of its own.
const char* fill_of(Severity severity) {
  switch (severity) {
  case Severity::error: return "#f9c9c4";
  case Severity::warning: return "#ffd98f";
  case Severity::info: return "#ddd6f6";
  default: return "#ffffff";
  }
}

class DotWriter {
public:
  DotWriter(std::ostream& out, const ConnectedGraph& graph, const std::vector<Diagnostic>& findings)
      : out_(out), graph_(graph) {
    for (const Diagnostic& finding : findings) {
      if (finding.suppressed) continue;
      if (finding.op) raise(severity_of_op_[finding.op->name], finding.severity);
      // A functional op is reported with the module whose code it is, which is not what is meant.
      if (!finding.op || finding.module != finding.parent)
        raise(severity_of_module_[finding.module], finding.severity);
    }
  }

  void write() {
    out_ << "digraph model {\n  node [style=filled];\n";
    for (OpId id = 0; id < graph_.op_count(); ++id) write_op(id);
    write_products();
    out_ << "}\n";
  }

private:
  static void raise(Severity& known, Severity severity) { known = std::max(known, severity); }

  Severity severity_of(const Op& op) const {
    const auto own = severity_of_op_.find(op.name);
    Severity worst = own == severity_of_op_.end() ? Severity::off : own->second;
    if (op.module == none) return worst;
    const auto called = severity_of_module_.find(graph_.module_path(op.module));
    return called == severity_of_module_.end() ? worst : std::max(worst, called->second);
  }

  std::string label_of(const Op& op) const {
    std::string label = literal(op.name);
    if (op.module != none)
      label += "\\n" + literal(graph_.module_path(op.module)) + "\\n" +
               literal(graph_.module(op.module).class_name);
    for (const std::string& region : graph_.region_labels(op.region))
      label += "\\n" + literal(region);
    return label;
  }

  void write_op(OpId id) {
    const Op& op = graph_.op(id);
    out_ << "  " << id << " [label=\"" << label_of(op) << "\", shape=" << shape_of(op.kind)
         << ", fillcolor=\"" << fill_of(severity_of(op)) << "\"];\n";
  }

  /// Products between the same two ops are one arrow.
  void write_products() {
    std::map<std::pair<OpId, OpId>, std::size_t> arrows;
    for (const auto edge : boost::make_iterator_range(boost::edges(graph_.graph())))
      ++arrows[{boost::source(edge, graph_.graph()), boost::target(edge, graph_.graph())}];
    for (const auto& [ends, products] : arrows) {
      out_ << "  " << ends.first << " -> " << ends.second;
      if (products > 1) out_ << " [label=\"" << products << "\"]";
      out_ << ";\n";
    }
  }

  std::ostream& out_;
  const ConnectedGraph& graph_;
  std::unordered_map<std::string, Severity> severity_of_op_;
  std::unordered_map<std::string, Severity> severity_of_module_;
};

} // namespace

void write_dot(std::ostream& out, const ConnectedGraph& graph,
               const std::vector<Diagnostic>& findings) {
  DotWriter(out, graph, findings).write();
}

} // namespace model_validator
