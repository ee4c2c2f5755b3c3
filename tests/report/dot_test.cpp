#include "report/graph_writer.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace model_validator;
using Catch::Contains;

namespace {

Drawing::Box box(const std::string& id, std::size_t frame = none) {
  Drawing::Box result;
  result.id = id;
  result.lines = {id};
  result.frame = frame;
  return result;
}

std::string written(const Drawing& drawing) {
  std::ostringstream out;
  write_dot(out, drawing);
  return out.str();
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

} // namespace

TEST_CASE("frames are clusters inside the clusters of their parents") {
  Drawing drawing;
  drawing.frames = {{"outer", "", Severity::off, none}, {"inner", "", Severity::off, 0}};
  drawing.boxes = {box("add_0", 0), box("mul_0", 1)};
  drawing.arrows = {{0, 1, 1}};
  const std::string dot = written(drawing);
  CHECK(times(dot, "subgraph cluster_") + times(dot, "subgraph \"cluster_") == 2);
  CHECK(dot.find("label=\"outer\"") < dot.find("label=\"inner\""));
  CHECK(dot.find("label=\"inner\"") < dot.rfind('}'));
  CHECK(times(dot, "->") == 1);
}

TEST_CASE("names that hold quotes, backslashes or control characters stay one label") {
  Drawing drawing;
  drawing.boxes = {box("a\"b\\c\x1b")};
  CHECK_THAT(written(drawing), Contains(R"(label="a\"b\\c\\x1b")"));
}

TEST_CASE("names that mean something to Graphviz stay names") {
  Drawing drawing;
  drawing.boxes = {box("graph"), box("strict"), box("a&#x202e;b")};
  const std::string dot = written(drawing);
  CHECK_THAT(dot, Contains(R"(label="graph")"));
  CHECK_THAT(dot, Contains(R"(id="strict")"));
  CHECK_THAT(dot, Contains(R"(label="a&amp;#x202e;b")"));
}

TEST_CASE("the lines of a label are lines of the picture") {
  Drawing drawing;
  drawing.boxes = {box("conv1")};
  drawing.boxes[0].lines = {"conv1", "Conv2d", "1×64×8×8"};
  CHECK_THAT(written(drawing), Contains(R"(label="conv1\nConv2d\n1×64×8×8")"));
}

TEST_CASE("a box with findings has another colour, for each severity its own") {
  Drawing drawing;
  drawing.boxes = {box("sound"), box("warned"), box("wrong"), box("info")};
  drawing.boxes[1].severity = Severity::warning;
  drawing.boxes[2].severity = Severity::error;
  drawing.boxes[3].severity = Severity::info;
  const std::string dot = written(drawing);
  for (const char* fill : {"#e7f2df", "#ffd98f", "#f9c9c4", "#ddd6f6"})
    CHECK(times(dot, std::string("fillcolor=\"") + fill) == 1);
}

TEST_CASE("a closed module looks like a folder, an op that may not run has a dashed border") {
  Drawing drawing;
  drawing.boxes = {box("layer1"), box("add_0"), box("mul_0")};
  drawing.boxes[0].collapsed = true;
  drawing.boxes[1].conditional = true;
  const std::string dot = written(drawing);
  CHECK(times(dot, "shape=\"folder\"") == 1);
  CHECK(times(dot, "dashed") == 1);
}
