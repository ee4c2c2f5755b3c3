#include "connected_graph/torchscript/file/code_scan.h"

#include <catch2/catch.hpp>

#include <string>

using model_validator::torchscript::CodeScan;
using model_validator::torchscript::scan_code;

namespace {

CodeScan scan(const std::string& code) {
  CodeScan result;
  scan_code(code, result);
  return result;
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

} // namespace

TEST_CASE("operators called through ops are collected") {
  const auto found =
      scan("y = ops.torchvision.nms(x)\nz = ops.prim.data(self.ops.not_me)\n# ops.no.comment\n");
  CHECK(found.operators == std::set<std::string>{"torchvision::nms", "prim::data"});
}

TEST_CASE("brackets, unary and binary operators nest") {
  CHECK(scan("((((x))))\n").expression_depth >= 4);
  CHECK(scan("x = " + repeated("-", 100) + "y\n").expression_depth >= 100);
  CHECK(scan("x = y" + repeated(" + y", 100) + "\n").expression_depth >= 100);
  CHECK(scan("x = " + repeated("not ", 100) + "y\n").expression_depth >= 100);
  CHECK(scan("x = y" + repeated("(0)", 100) + "\n").expression_depth >= 100);
}

TEST_CASE("siblings and lines do not add up") {
  CHECK(scan("x = [" + repeated("-1, ", 10'000) + "]\n").expression_depth < 10);
  CHECK(scan(repeated("x = (y + z)\n", 10'000)).expression_depth < 10);
  CHECK(scan("x = [" + repeated("(1),\n", 10'000) + "]\n").expression_depth < 10);
}

TEST_CASE("what looks like code inside strings and comments does not count") {
  CHECK(scan("x = \"((((((((((((((((((((\"\n").expression_depth < 5);
  CHECK(scan("# ((((((((((((((((((((\n").expression_depth == 0);
  CHECK(scan("x = 'it\\'s ((((((((((((((((('\n").expression_depth < 5);
}

TEST_CASE("nothing hides depth from the scan") {
  CHECK(scan("x = " + repeated("-\\\n", 100) + "y\n").expression_depth >= 100);
  CHECK(scan("# type: " + repeated("(", 100) + "\n").expression_depth >= 100);
  CHECK(scan("x = 'open\n" + repeated("(", 100) + "\n").expression_depth >= 100);
  CHECK(scan("x = (\n" + repeated("-\n", 100) + "y)\n").expression_depth >= 100);
}

TEST_CASE("blocks nest by indentation and by elif") {
  std::string nested;
  for (int i = 0; i < 50; ++i) nested += std::string(static_cast<std::size_t>(i), ' ') + "if x:\n";
  CHECK(scan(nested).block_depth >= 49);
  CHECK(scan("if x:\n  y\n" + repeated("elif x:\n  y\n", 50)).block_depth >= 50);
  CHECK(scan(repeated("if x:\n  y\nelse:\n  z\n", 50)).block_depth == 1);
}

TEST_CASE("definitions are counted") {
  CHECK(scan("class A(Module):\n  def forward(self):\n    return 1\ndef f():\n  return 2\n")
            .definitions == 3);
}

TEST_CASE("places where a function is left are counted, of each function") {
  CHECK(
      scan("def f(x):\n  if x:\n    return 1\n  return 2\ndef g(x):\n  return x.return\n").exits ==
      2);
}

TEST_CASE("unrolled loops are distinguished from those over ranges") {
  const auto unrolls = [](const std::string& code) { return scan(code).unrolls; };
  CHECK_FALSE(unrolls("def f(x):\n  for i in range(10):\n    x = x\n  while True:\n    x = x\n"));
  CHECK_FALSE(unrolls("x = \"for a in b\"\ny = self.for\n"));
  CHECK(unrolls("for i in (1, 2):\n"));
  CHECK(unrolls("for i in range:\n"));
  CHECK(unrolls("for i, j in zip(a, b):\n"));
  CHECK(unrolls("x = [i for i in t]\n"));
}
