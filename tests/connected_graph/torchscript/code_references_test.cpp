#include "connected_graph/torchscript/code_references.h"

#include <catch2/catch.hpp>

#include <string>

using model_validator::torchscript::CodeReferences;

namespace {

std::size_t chain(const std::string& code) {
  CodeReferences references;
  references.add("__torch__", code);
  return references.longest_chain();
}

} // namespace

TEST_CASE("definitions that name each other in a row are a chain, whatever their order") {
  std::string forward;
  std::string backward;
  for (int i = 0; i < 5000; ++i) {
    const std::string code = "def f" + std::to_string(i) + "(x):\n  return __torch__.f" +
                             std::to_string(i + 1) + "(x)\n";
    forward += code;
    backward.insert(0, code);
  }
  CHECK(chain(forward) == 5001);
  CHECK(chain(backward) == 5001);
}

TEST_CASE("many that one names are no chain") {
  std::string code = "class Net(Module):\n";
  for (int i = 0; i < 5000; ++i)
    code += "  m" + std::to_string(i) + " : __torch__.C" + std::to_string(i) + "\n";
  for (int i = 0; i < 5000; ++i) code += "class C" + std::to_string(i) + "(Module):\n  pass\n";
  CHECK(chain(code) == 2);
}

TEST_CASE("a cycle counts whole, a name of itself does not") {
  CHECK(chain("class A(Module):\n  b : __torch__.B\nclass B(Module):\n  a : __torch__.A\n") == 2);
  CHECK(chain("class A(Module):\n  def f(self: __torch__.A):\n    return 1\n") == 1);
}

TEST_CASE("chains go through several files") {
  CodeReferences references;
  references.add("__torch__.a", "class A(Module):\n  b : __torch__.b.B\n");
  references.add("__torch__.b", "class B(Module):\n  c : __torch__.c.C\n");
  references.add("__torch__.c", "class C(Module):\n  pass");
  CHECK(references.longest_chain() == 3);
}

TEST_CASE("no code has no chain") {
  CHECK(CodeReferences().longest_chain() == 0);
  CHECK(chain("") <= 1);
}
