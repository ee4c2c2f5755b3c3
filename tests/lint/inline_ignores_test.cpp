#include "lint/inline_ignores.h"

#include <model_validator/graph_builder.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using Names = std::vector<std::string>;

TEST_CASE("a comment says which rules to ignore, and why") {
  const auto ignore =
      parse_ignore("    x = self.relu(x)  # mv: ignore[reused-modules, GRA002] same scale");
  REQUIRE(ignore);
  CHECK(ignore->rules == Names{"reused-modules", "GRA002"});
  CHECK(ignore->reason == "same scale");
}

TEST_CASE("it may follow other comments, with or without blanks") {
  CHECK(parse_ignore("x = y  # noqa: E501  # mv:ignore[a]")->rules == Names{"a"});
  CHECK(parse_ignore("x = y  #mv:  ignore[ a ,b]")->rules == Names{"a", "b"});
}

TEST_CASE("what only looks like state is not state") {
  for (const char* line :
       {"x = y", "x = 'mv: ignore[a]'", "# xmv: ignore[a]", "# mv: move the mask",
        "# mv: skip the first", "# mv: more of them", "# mvp ignores it", "# mv",
        "# remove: ignore[a]", "# noqa", "# ignore[a]", "# mv: none", ""})
    CHECK_FALSE(parse_ignore(line));
}

TEST_CASE("a comment that is meant to be one, and hides nothing, says so") {
  for (const char* line :
       {"# mv: ignore", "# mv: ignore[a", "# mv: ignore[]", "# mv: ignored[a]", "# mv: Ignore[a]",
        "# mv: ignore [a]", "# MV: ignore[a]", "# mv ignore[a]", "# mv: ignore(a)", "# mv: noqa",
        "# mv: disable=a", "# mv: ignore this", "# model_validator: ignore[a]", "# mv-ignore[a]"}) {
    CAPTURE(line);
    const auto ignore = parse_ignore(line);
    REQUIRE(ignore);
    CHECK(ignore->rules.empty());
    CHECK_FALSE(ignore->mistake.empty());
    CHECK_FALSE(ignore->remedy.empty());
  }
  CHECK(parse_ignore("# mv: ignored[a]")->remedy == "write `mv: ignore[a]`");
  CHECK(parse_ignore("# mv: disable=a")->remedy == "write `mv: ignore[a]`");
}

TEST_CASE("one that is right beside one that is not counts") {
  const auto ignore = parse_ignore("x  # mv: ignored[a]  # mv: ignore[b]");
  REQUIRE(ignore);
  CHECK(ignore->mistake.empty());
  CHECK(ignore->rules == Names{"b"});
}

TEST_CASE("a comment with a line to itself hides nothing beneath it") {
  CHECK_FALSE(ignore_above("x = y  # mv: ignore[a]"));
  CHECK_FALSE(ignore_above("# see below"));
  REQUIRE(ignore_above("    # mv: ignore[a] for now"));
  CHECK_FALSE(ignore_above("    # mv: ignore[a]")->mistake.empty());
}

TEST_CASE("they are collected from the Python that the model carries") {
  GraphBuilder graph;
  graph.add_source_line("net.py", 3, "x = y");
  graph.add_source_line("net.py", 4, "x = y  # mv: ignore[a]");
  for (const int line : {3, 4, 4, 5}) graph.add_frame({{"net.py", line, 0, 0}, none, none});
  const auto ignores = inline_ignores(graph);
  REQUIRE(ignores.size() == 1);
  CHECK(ignores[0].where.line == 4);
}
