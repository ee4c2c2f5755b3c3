#include "report/graph_writer.h"
#include "text/escape.h"
#include "text/plural.h"

#include <boost/algorithm/string/replace.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/subgraph.hpp>

#include <map>
#include <ostream>

namespace model_validator {
namespace {

/// The value of an attribute. Boost leaves what looks like a word without quotes, also where the
/// word means something: `graph`, `node`, `edge`, `strict`.
struct Quoted {
  Quoted() = default;
  Quoted(const char* value) : text(value) {}
  Quoted(std::string value) : text(std::move(value)) {}
  std::string text;
};

/// Found by boost::write_graphviz in place of its own.
std::string escape_dot_string(const Quoted& value) {
  return "\"" + boost::algorithm::replace_all_copy(value.text, "\"", "\\\"") + "\"";
}

using AttributeList = std::map<std::string, Quoted>;
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

constexpr const char* font = "Helvetica,Arial,sans-serif";

/// A text that Graphviz shows unchanged: otherwise it would interpret backslashes and entities.
std::string literal(const std::string& text) {
  std::string shown = boost::algorithm::replace_all_copy(escape(text), "\\", "\\\\");
  boost::algorithm::replace_all(shown, "&", "&amp;");
  return shown;
}

/// @param line_end  `\n` centres the line before it, `\l` begins it at the left
std::string label(const std::vector<std::string>& lines, const char* line_end = "\\n") {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : line_end) + literal(line);
  return text;
}

std::string label_of_lines(const std::string& text, const char* line_end) {
  std::string all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    all += literal(text.substr(at, end - at)) + line_end;
    at = end + 1;
  }
  return all;
}

const char* shape_of(const Drawing::Box& box) {
  if (box.collapsed) return "folder";
  switch (box.kind) {
  case OpKind::input:
  case OpKind::output: return "ellipse";
  case OpKind::control_flow: return "diamond";
  case OpKind::constant: return "note";
  default: return "box";
  }
}

const char* fill_of(OpKind kind) {
  switch (kind) {
  case OpKind::module: return "#dbe9f6";
  case OpKind::functional: return "#e7f2df";
  case OpKind::query: return "#eeeeee";
  default: return "#ffffff";
  }
}

struct Colors {
  const char* border;
  const char* fill;
};

/// How findings of a severity are set apart from what is in order.
Colors colors_of(Severity severity) {
  switch (severity) {
  case Severity::error: return {"#b3261e", "#f9c9c4"};
  case Severity::warning: return {"#b26a00", "#ffd98f"};
  default: return {"#5e4bb6", "#ddd6f6"};
  }
}

AttributeList attributes_of(const Drawing::Box& box) {
  AttributeList list{{"label", label(box.lines)},
                     {"shape", shape_of(box)},
                     {"fillcolor", fill_of(box.kind)},
                     {"tooltip", label_of_lines(box.tooltip, "\\n")},
                     {"id", literal(box.id)}};
  if (box.conditional) list["style"] = "filled,dashed";
  if (box.severity != Severity::off) {
    const Colors colors = colors_of(box.severity);
    list["fillcolor"] = colors.fill;
    list["color"] = colors.border;
    list["penwidth"] = "2";
  }
  return list;
}

AttributeList attributes_of(const Drawing::Frame& frame, std::size_t depth) {
  AttributeList list{{"label", literal(frame.label)},
                     {"tooltip", label_of_lines(frame.tooltip, "\\n")},
                     {"fillcolor", depth % 2 == 0 ? "#f6f7f9" : "#eceef2"}};
  if (frame.severity != Severity::off) {
    list["color"] = colors_of(frame.severity).border;
    list["penwidth"] = "2";
  }
  return list;
}

/// Makes every frame a cluster inside its parent's.
std::vector<DotGraph*> add_frames(const Drawing& drawing, DotGraph& root) {
  std::vector<DotGraph*> clusters;
  std::vector<std::size_t> depths;
  for (std::size_t i = 0; i < drawing.frames.size(); ++i) {
    const Drawing::Frame& frame = drawing.frames[i];
    depths.push_back(frame.parent == none ? 0 : depths.at(frame.parent) + 1);
    DotGraph& parent = frame.parent == none ? root : *clusters.at(frame.parent);
    clusters.push_back(&parent.create_subgraph());
    boost::get_property(*clusters.back(), boost::graph_name) = "cluster_" + std::to_string(i);
    boost::get_property(*clusters.back(), boost::graph_graph_attribute) =
        attributes_of(frame, depths.back());
  }
  return clusters;
}

void add_boxes(const Drawing& drawing, const std::vector<DotGraph*>& clusters, DotGraph& root) {
  for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
    const Drawing::Box& box = drawing.boxes[i];
    boost::put(boost::get(boost::vertex_attribute, root), i, attributes_of(box));
    if (box.frame != none) boost::add_vertex(i, *clusters.at(box.frame));
  }
}

void add_arrows(const Drawing& drawing, DotGraph& root) {
  for (const Drawing::Arrow& arrow : drawing.arrows) {
    const auto edge = boost::add_edge(arrow.from, arrow.to, root).first;
    if (arrow.products > 1)
      boost::get(boost::edge_attribute,
                 root)[edge] = {{"penwidth", "2"}, {"tooltip", plural(arrow.products, "product")}};
  }
}

void set_style(const Drawing& drawing, DotGraph& root) {
  boost::get_property(root, boost::graph_name) = "model";
  boost::get_property(root, boost::graph_graph_attribute) = {
      {"rankdir", "TB"},    {"fontname", font},
      {"fontsize", "11"},   {"labelloc", "t"},
      {"labeljust", "l"},   {"nodesep", "0.2"},
      {"ranksep", "0.3"},   {"style", "filled,rounded"},
      {"color", "#b8bec8"}, {"label", label_of_lines(drawing.title, "\\l")}};
  boost::get_property(root, boost::graph_vertex_attribute) = {
      {"style", "filled"}, {"fontname", font},     {"fontsize", "10"},
      {"height", "0.3"},   {"margin", "0.1,0.04"}, {"color", "#5b6472"}};
  boost::get_property(root, boost::graph_edge_attribute) = {{"color", "#5b6472"},
                                                            {"arrowsize", "0.6"}};
}

} // namespace

void write_dot(std::ostream& out, const Drawing& drawing) {
  DotGraph root(drawing.boxes.size());
  set_style(drawing, root);
  add_boxes(drawing, add_frames(drawing, root), root);
  add_arrows(drawing, root);
  boost::write_graphviz(out, root);
}

} // namespace model_validator
