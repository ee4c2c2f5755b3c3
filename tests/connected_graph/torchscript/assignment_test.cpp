#include "connected_graph/torchscript/assignment.h"

#include <catch2/catch.hpp>

using model_validator::torchscript::assignment_before;
using model_validator::torchscript::assignment_from;
using model_validator::torchscript::assignment_of;
using model_validator::torchscript::return_from;

namespace {

/// What is set nearest to where `mark` stands; empty for nothing.
std::string set_near(const std::string& code, const std::string& attribute,
                     const std::string& mark) {
  const auto found = assignment_of(code, attribute, code.find(mark));
  return found ? code.substr(found->first, found->second - found->first) : "";
}

} // namespace

TEST_CASE("an assignment is found by what it sets") {
  CHECK(set_near("self.count += 1", "count", "1") == "self.count");
  CHECK(set_near("self.h, self.c = self.cell(x)", "c", "cell") == "self.c");
  CHECK(set_near("self.norm.mean = y", "mean", "y") == "self.norm.mean");
  CHECK(set_near("self.state: Tensor = y", "state", "y") == "self.state");
}

TEST_CASE("what only reads the attribute, or writes into it, sets nothing") {
  CHECK(set_near("y = self.count + 1", "count", "1").empty());
  CHECK(set_near("self.counter = 1", "count", "1").empty());
  CHECK(set_near("self.count.value = 1", "count", "1").empty());
  CHECK(set_near("self.count[0] = 1", "count", "1").empty());
  CHECK(set_near("if self.count == 1:", "count", "1").empty());
  CHECK(set_near("f(self.count, n=1)", "count", "1").empty());
  CHECK(set_near("# self.count = 1", "count", "1").empty());
}

TEST_CASE("of several assignments the nearest is taken") {
  const std::string code = "self.h = first\ny = x\nz = y\nself.h = second\n";
  CHECK(assignment_of(code, "h", code.find("first"))->first == 0);
  CHECK(assignment_of(code, "h", code.find("z = y"))->first == code.rfind("self.h"));
  CHECK_FALSE(assignment_of("", "h", 0));
}

TEST_CASE("a variable's assignment is found before and after a place") {
  const std::string code = "z = 1\nself.z = z\nzz = 2\nz[0] = 3\nz = z + zz\ny = z == 4\nx = z\n";
  CHECK(assignment_before(code, "z", code.find("x = z"))->first == code.find("z = z +"));
  CHECK(assignment_before(code, "z", code.find("zz = 2"))->first == 0);
  CHECK(assignment_before(code, "z", code.find("z = z +"))->first == 0);
  CHECK(assignment_from(code, "z", code.find("zz = 2"))->first == code.find("z = z +"));
  CHECK(assignment_from(code, "z", code.find("= z + zz"))->first == code.find("z = z +"));
  CHECK_FALSE(assignment_from(code, "z", code.find("y = z")));
  CHECK_FALSE(assignment_before(code, "z", 0));
  CHECK(assignment_from("a, z = pair", "z", 0)->first == 3);
}

TEST_CASE("a return is found from a place on") {
  const std::string code = "y = returned(x)\nif y: return z\n  return 1.0 - w\n# return\n";
  CHECK(return_from(code, 0)->first == code.find("return z"));
  CHECK(return_from(code, code.find("1.0"))->first == code.find("return 1.0"));
  CHECK_FALSE(return_from(code, code.find('#')));
  CHECK_FALSE(return_from("", 0));
}
