#include "report/graph_writer.h"
#include "text/escape.h"

#include <boost/algorithm/string/replace.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/subgraph.hpp>

#include <map>
#include <ostream>

namespace model_validator {
namespace {

using AttributeList = std::map<std::string, std::string>;
using Attributes = boost::property<boost::vertex_attribute_t, AttributeList>;
using EdgeAttributes = boost::property<boost::edge_index_t, std::size_t,
                                       boost::property<boost::edge_attribute_t, AttributeList>>;
using GraphAttributes = boost::property<
    boost::graph_name_t, std::string,
    boost::property<
        boost::graph_graph_attribute_t, AttributeList,
        boost::property<boost::graph_vertex_attribute_t, AttributeList,
                        boost::property<boost::graph_edge_attribute_t, AttributeList>>>>;
using DotGraph =
    boost::subgraph<boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                          Attributes, EdgeAttributes, GraphAttributes>>;

/// Boost puts the text in quotes and escapes those inside, but not backslashes.
std::string label(const std::string& text) {
  return boost::algorithm::replace_all_copy(escape(text), "\\", "\\\\");
}

const char* shape_for(OpKind kind) {
  switch (kind) {
  case OpKind::input:
  case OpKind::output: return "ellipse";
  case OpKind::control_flow: return "diamond";
  case OpKind::constant: return "note";
  default: return "box";
  }
}

const char* fill_for(OpKind kind) {
  switch (kind) {
  case OpKind::module: return "#dbe9f6";
  case OpKind::functional: return "#fde6c8";
  case OpKind::query: return "#eeeeee";
  default: return "white";
  }
}

AttributeList attributes_of(const ConnectedGraph& graph, const Op& op) {
  const std::string path = graph.module_path(op.module);
  const std::string text = op.name + (path.empty() ? "" : " (" + path + ")");
  return {{"label", label(text)}, {"shape", shape_for(op.kind)}, {"fillcolor", fill_for(op.kind)}};
}

/// Builds the clusters on demand: each module's inside its parent's.
class Clusters {
public:
  Clusters(const ConnectedGraph& graph, DotGraph& root)
      : graph_(graph), root_(root), clusters_(graph.modules().size(), nullptr) {}

  DotGraph& of(ModuleId module) {
    if (module == none || graph_.module(module).path.empty()) return root_;
    DotGraph*& cluster = clusters_.at(module);
    if (cluster == nullptr) cluster = &make(module);
    return *cluster;
  }

private:
  DotGraph& make(ModuleId module) {
    DotGraph& cluster = of(graph_.module(module).parent).create_subgraph();
    boost::get_property(cluster, boost::graph_name) = "cluster_" + std::to_string(module);
    boost::get_property(cluster, boost::graph_graph_attribute)["label"] =
        label(graph_.module(module).path);
    return cluster;
  }

  const ConnectedGraph& graph_;
  DotGraph& root_;
  std::vector<DotGraph*> clusters_;
};

void add_ops(const ConnectedGraph& graph, DotGraph& dot) {
  for (OpId id = 0; id < graph.op_count(); ++id)
    boost::put(boost::get(boost::vertex_attribute, dot), id, attributes_of(graph, graph.op(id)));
  Clusters clusters(graph, dot);
  for (OpId id = 0; id < graph.op_count(); ++id)
    if (DotGraph& cluster = clusters.of(graph.op(id).parent); &cluster != &dot)
      boost::add_vertex(id, cluster);
}

void add_products(const ConnectedGraph& graph, DotGraph& dot) {
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph()))) {
    const auto from = boost::source(edge, graph.graph());
    const auto to = boost::target(edge, graph.graph());
    boost::add_edge(from, to, dot);
  }
}

} // namespace

void write_graph_dot(std::ostream& out, const ConnectedGraph& graph) {
  DotGraph dot(graph.op_count());
  boost::get_property(dot, boost::graph_name) = "model";
  boost::get_property(dot, boost::graph_vertex_attribute) = {{"style", "filled"},
                                                             {"fontname", "Helvetica"}};
  boost::get_property(dot, boost::graph_graph_attribute) = {{"rankdir", "TB"},
                                                            {"fontname", "Helvetica"}};
  add_ops(graph, dot);
  add_products(graph, dot);
  boost::write_graphviz(out, dot);
}

} // namespace model_validator
