#include "cli/console/graphviz.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <random>
#include <sstream>

using namespace model_validator;
using namespace std::chrono_literals;

namespace {

/// A graph that Graphviz takes minutes to draw.
std::string tangle() {
  constexpr unsigned nodes = 800;
  std::mt19937 random(1);
  std::string dot = "digraph {";
  for (unsigned edge = 0; edge < 3000; ++edge)
    dot += " n" + std::to_string(random() % nodes) + " -> n" + std::to_string(random() % nodes);
  return dot + " }";
}

} // namespace

TEST_CASE("a graph is drawn") {
  std::ostringstream out;
  cli::write_svg(out, "digraph { a -> b }", 60s);
  CHECK(out.str().find("</svg>") != std::string::npos);
}

TEST_CASE("a graph that takes too long to draw leaves nothing") {
  std::ostringstream out;
  CHECK(test::kind_thrown_by([&] { cli::write_svg(out, tangle(), 1s); }) == "graphviz-failed");
  CHECK(out.str().empty());
}
