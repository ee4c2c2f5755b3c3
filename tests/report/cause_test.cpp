#include "report/cause.h"
#include "sample.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::reused;

TEST_CASE("findings at one line for one type of op are one cause") {
  const std::vector<Diagnostic> findings{reused("a.relu"), reused("b.relu")};
  const auto causes = causes_of(findings, {});
  REQUIRE(causes.size() == 1);
  CHECK(causes[0].all.size() == 2);
}

TEST_CASE("another line, op type or rule is another cause") {
  Diagnostic line = reused("a.relu");
  line.locations[0].source.line = 93;
  Diagnostic type = reused("a.gelu");
  type.op->type = "gelu";
  Diagnostic rule = reused("a.relu");
  rule.rule = "missing-modules";
  CHECK(causes_of({reused("a.relu"), line, type, rule}, {}).size() == 4);
}

TEST_CASE("without a line, findings about different things stay apart") {
  Diagnostic first;
  first.message = "the file is older than 1.6";
  Diagnostic second;
  second.message = "the file holds 3 unsafe operators";
  CHECK(causes_of({first, second}, {}).size() == 2);
}

TEST_CASE(
    "what is wrong with nodes that have neither line nor module is not one cause by their type") {
  Diagnostic first;
  first.op = OpReference{"relu_0", "relu"};
  first.message = "it has no attribute `alpha`";
  Diagnostic same = first, other = first;
  same.op = OpReference{"relu_1", "relu"};
  other.message = "it has no attribute `beta`";
  const std::vector<Diagnostic> findings{first, same, other};
  const auto causes = causes_of(findings, {});
  REQUIRE(causes.size() == 2);
  CHECK(others_note(causes[0], 6) == "the same in 1 other place: `relu_1`");
}

TEST_CASE("suppressed findings never share a cause with open ones") {
  Diagnostic hidden = reused("b.relu");
  hidden.suppressed = Suppression{"config", "agreed"};
  const std::vector<Diagnostic> findings{reused("a.relu"), hidden};
  CHECK(causes_of(findings, {}).size() == 1);
  CHECK(causes_of(findings, {true, false}).size() == 2);
}

TEST_CASE("long lists of modules are shortened, but not to save one name") {
  std::vector<Diagnostic> findings;
  for (const char* name : {"a", "b", "c", "d", "e"}) findings.push_back(reused(name));
  const Cause cause = causes_of(findings, {}).front();
  CHECK(others_note(cause, 2) == "the same in 4 other modules: `b`, `c` and 2 more");
  CHECK(others_note(cause, 3) == "the same in 4 other modules: `b`, `c`, `d`, `e`");
  CHECK(others_note(cause, 0) == "the same in 4 other modules: `b`, `c`, `d`, `e`");
}

TEST_CASE("the same module again is counted, not named twice") {
  const std::vector<Diagnostic> findings{reused("a"), reused("a")};
  CHECK(others_note(causes_of(findings, {}).front(), 6) == "the same 1 more time");
}

TEST_CASE("what another target says of the same op is said as well") {
  Diagnostic other = reused("a");
  other.message = "operator `aten::relu` cannot be compiled for `coreml`";
  const std::vector<Diagnostic> findings{reused("a"), reused("b"), other};
  CHECK(others_note(causes_of({findings[0], other}, {}).front(), 6) ==
        "also: operator `aten::relu` cannot be compiled for `coreml`");
  CHECK(others_note(causes_of(findings, {}).front(), 6) ==
        "the same in 1 other module: `b`; also: operator `aten::relu` cannot be compiled for "
        "`coreml`");
}
