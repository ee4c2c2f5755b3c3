#include "report/drawing.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace model_validator;

namespace {

/// A model with a module `net` that holds `depth` modules inside one another, `a`, `a.a`, …; in the
/// innermost there is a chain of `ops` ops, between an `add` and a `mul` of the model itself.
struct Nested {
  GraphBuilder graph;
  std::vector<OpId> inside;

  Nested(std::size_t depth, std::size_t ops) {
    graph.origin.path = "net.pt";
    ModuleId module = add_module("", none);
    std::string path;
    OpId before = add("add", OpKind::functional, module);
    const ModuleId root = module;
    for (std::size_t i = 0; i < depth; ++i) {
      path += path.empty() ? "a" : ".a";
      module = add_module(path, module);
    }
    for (std::size_t i = 0; i < ops; ++i) {
      inside.push_back(add("relu", OpKind::functional, module));
      graph.add_product(before, inside.back(), {"t", 0, 0, {}});
      before = inside.back();
    }
    graph.add_product(before, add("mul", OpKind::functional, root), {"t", 0, 0, {}});
  }

  ModuleId add_module(const std::string& path, ModuleId parent) {
    Module module;
    module.path = path;
    module.class_name = "net.Block";
    module.parent = parent;
    return graph.add_module(std::move(module));
  }

  OpId add(const std::string& type, OpKind kind, ModuleId parent) {
    Op op;
    op.type = type;
    op.kind = kind;
    op.name = type + "_" + std::to_string(graph.op_count());
    op.parent = parent;
    return graph.add_op(std::move(op));
  }
};

const Drawing::Box& box(const Drawing& drawing, const std::string& id) {
  const auto found = std::find_if(drawing.boxes.begin(), drawing.boxes.end(),
                                  [&](const auto& box) { return box.id == id; });
  REQUIRE(found != drawing.boxes.end());
  return *found;
}

bool has_line(const Drawing::Box& box, const std::string& line) {
  return std::find(box.lines.begin(), box.lines.end(), line) != box.lines.end();
}

Diagnostic finding(const std::string& op, const std::string& module, const std::string& parent) {
  Diagnostic result;
  result.rule = "some-rule";
  result.code = "ABC001";
  result.message = "this is wrong";
  result.module = module;
  result.parent = parent;
  if (!op.empty()) result.op = OpReference{op, "relu"};
  return result;
}

} // namespace

TEST_CASE("a small graph is drawn with every module opened") {
  const Nested net(2, 3);
  const Drawing drawing = draw(net.graph);
  CHECK(drawing.boxes.size() == 5);
  REQUIRE(drawing.frames.size() == 2);
  CHECK(drawing.frames[0].label == "a  Block");
  CHECK(drawing.frames[1].parent == 0);
  CHECK(drawing.arrows.size() == 4);
  CHECK(box(drawing, "relu_1").frame == 1);
  CHECK(box(drawing, "add_0").frame == none);
}

TEST_CASE("modules below the depth that is asked for are one box, with one arrow in and out") {
  const Nested net(3, 5);
  DrawingOptions options;
  options.depth = 2;
  const Drawing drawing = draw(net.graph, {}, options);
  CHECK(drawing.boxes.size() == 3);
  const Drawing::Box& closed = box(drawing, "a.a");
  CHECK(closed.collapsed);
  CHECK(closed.frame == 0);
  CHECK(has_line(closed, "5 ops"));
  CHECK(drawing.frames.size() == 1);
  CHECK(drawing.arrows.size() == 2);
}

TEST_CASE("a large graph is closed until it can be read") {
  const Nested net(3, 400);
  const Drawing drawing = draw(net.graph);
  CHECK(drawing.boxes.size() == 3);
  CHECK(box(drawing, "a.a.a").collapsed);
  DrawingOptions options;
  options.depth = 4;
  CHECK(draw(net.graph, {}, options).boxes.size() == 402);
}

TEST_CASE("an op has the findings that name it, and no others") {
  const Nested net(1, 2);
  const Drawing drawing = draw(net.graph, {finding("relu_1", "a", "a")});
  CHECK(box(drawing, "relu_1").severity == Severity::warning);
  CHECK(box(drawing, "relu_1").tooltip.find("warning[ABC001] this is wrong") != std::string::npos);
  CHECK(box(drawing, "relu_2").severity == Severity::off);
  CHECK(drawing.frames[0].severity == Severity::off);
  CHECK(drawing.title.find("some-rule 1") != std::string::npos);
}

TEST_CASE("a finding about a module marks its frame, or the closed box it is in") {
  const Nested net(3, 2);
  const std::vector<Diagnostic> findings{finding("", "a.a", "a"),
                                         finding("relu_1", "a.a.a", "a.a.a")};
  CHECK(draw(net.graph, findings).frames[1].severity == Severity::warning);
  DrawingOptions options;
  options.depth = 1;
  const Drawing drawing = draw(net.graph, findings, options);
  CHECK(has_line(box(drawing, "a"), "2 findings"));
}

TEST_CASE("of many findings a tooltip has twenty, and a box counts each once") {
  const Nested net(3, 2);
  std::vector<Diagnostic> findings;
  for (int i = 0; i < 30; ++i) findings.push_back(finding("relu_1", "a.a", "a.a.a"));
  const Drawing open = draw(net.graph, findings);
  const std::string& tooltip = box(open, "relu_1").tooltip;
  const auto shown = [&](std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = tooltip.find(text); at != std::string::npos;
         at = tooltip.find(text, at + 1))
      ++count;
    return count;
  };
  CHECK(shown("this is wrong") == 20);
  CHECK(tooltip.ends_with("\n… and more"));
  DrawingOptions options;
  options.depth = 1;
  CHECK(has_line(box(draw(net.graph, findings, options), "a"), "30 findings"));
}

TEST_CASE("a suppressed finding marks nothing") {
  const Nested net(1, 2);
  Diagnostic hidden = finding("relu_1", "a", "a");
  hidden.suppressed = Suppression{"config", "known"};
  const Drawing drawing = draw(net.graph, {hidden});
  CHECK(box(drawing, "relu_1").severity == Severity::off);
  CHECK(drawing.title.find("some-rule") == std::string::npos);
}

TEST_CASE("queries, and constants that only they use, are shown on request") {
  Nested net(1, 1);
  const OpId size = net.add("size", OpKind::query, 0);
  const OpId used = net.add("constant", OpKind::constant, 0);
  const OpId unused = net.add("constant", OpKind::constant, 0);
  net.graph.add_product(used, net.inside[0], {"c", 0, 1, {}});
  net.graph.add_product(unused, size, {"d", 0, 0, {}});
  const Drawing drawing = draw(net.graph);
  CHECK(drawing.boxes.size() == 4);
  CHECK(drawing.title.find("2 of them for sizes and lists: not shown") != std::string::npos);
  DrawingOptions options;
  options.queries = true;
  CHECK(draw(net.graph, {}, options).boxes.size() == 6);
}

TEST_CASE("an arrow stands for all products between two boxes") {
  Nested net(1, 2);
  net.graph.add_product(net.inside[0], net.inside[1], {"again", 0, 1, {}});
  const Drawing drawing = draw(net.graph);
  const auto arrow = std::find_if(drawing.arrows.begin(), drawing.arrows.end(),
                                  [](const auto& a) { return a.products == 2; });
  REQUIRE(arrow != drawing.arrows.end());
  CHECK(drawing.boxes[arrow->from].id == "relu_1");
  CHECK(drawing.boxes[arrow->to].id == "relu_2");
}
