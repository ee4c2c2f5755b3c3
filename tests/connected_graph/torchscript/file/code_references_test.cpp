#include "connected_graph/torchscript/file/code_references.h"

#include <catch2/catch.hpp>

#include <string>

using model_validator::torchscript::CodeReferences;

namespace {

std::size_t chain(const std::string& code) {
  CodeReferences references;
  references.add("__torch__", code);
  return references.max_chain_length();
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

TEST_CASE("many definitions that one names are not a chain") {
  std::string code = "class Net(Module):\n";
  for (int i = 0; i < 5000; ++i)
    code += "  m" + std::to_string(i) + " : __torch__.C" + std::to_string(i) + "\n";
  for (int i = 0; i < 5000; ++i) code += "class C" + std::to_string(i) + "(Module):\n  pass\n";
  CHECK(chain(code) == 2);
}

TEST_CASE("a whole cycle counts, a name that refers to itself does not") {
  CHECK(chain("class A(Module):\n  b : __torch__.B\nclass B(Module):\n  a : __torch__.A\n") == 2);
  CHECK(chain("class A(Module):\n  def f(self: __torch__.A):\n    return 1\n") == 1);
}

TEST_CASE("chains go through several files") {
  CodeReferences references;
  references.add("__torch__.a", "class A(Module):\n  b : __torch__.b.B\n");
  references.add("__torch__.b", "class B(Module):\n  c : __torch__.c.C\n");
  references.add("__torch__.c", "class C(Module):\n  pass");
  CHECK(references.max_chain_length() == 3);
}

TEST_CASE("no code has no chain") {
  CHECK(CodeReferences().max_chain_length() == 0);
  CHECK(chain("") <= 1);
}

TEST_CASE("a name counts in any layout") {
  for (const char* name : {"__torch__ . g", "__torch__\n    .g", "__torch__ # why\n    . g",
                           "__torch__.\\\n    g", "__torch__\f.\vg"}) {
    CAPTURE(name);
    CHECK(chain("def f(x):\n  return (" + std::string(name) + ")(x)\ndef g(x):\n  return x\n") >=
          2);
  }
}

TEST_CASE("definitions are found whatever the margin of the file") {
  std::string code;
  for (int i = 0; i < 50; ++i)
    code += "  def f" + std::to_string(i) + "(x):\n    return __torch__.f" + std::to_string(i + 1) +
            "(x)\n";
  CHECK(chain(code) >= 50);
}

TEST_CASE("methods of a class may all be under way at once") {
  std::string code = "class Net(Module):\n";
  for (int i = 0; i < 300; ++i)
    code += "  def m" + std::to_string(i) + "(self, x):\n    return self.m" +
            std::to_string(i + 1) + "(x)\n";
  CodeReferences references;
  references.add("__torch__", code);
  CHECK(references.max_chain_length() <= 2);
  CHECK(references.max_compilation_depth() >= 300);
}

TEST_CASE("a class is as large as the classes that it holds") {
  std::string code = "class C0(NamedTuple):\n  x : Tensor\n";
  for (int i = 1; i < 100; ++i) {
    const std::string inner = "__torch__.C" + std::to_string(i - 1);
    code +=
        "class C" + std::to_string(i) + "(NamedTuple):\n  a : " + inner + "\n  b : " + inner + "\n";
  }
  CodeReferences doubling;
  doubling.add("__torch__", code);
  CHECK(doubling.max_type_size() > 1'000'000'000);

  CodeReferences methods;
  methods.add("__torch__", "class A:\n  b : __torch__.B\n  def f(self, x: __torch__.B) -> "
                           "__torch__.B:\n    return __torch__.B(x)\nclass B:\n  x : Tensor\n");
  CHECK(methods.max_type_size() == 2);
}

TEST_CASE("a namespace that is named alone is found") {
  const auto names = [](const std::string& code) {
    CodeReferences references;
    references.add("__torch__", code);
    references.add("__torch__.a.b", "def g(x):\n  return x\n");
    return references.names_namespaces();
  };
  CHECK(names("def f(x):\n  t = __torch__\n  return t.f(x)\n"));
  CHECK(names("def f(x):\n  t = __torch__.a\n  return t.b.g(x)\n"));
  CHECK(names("def f(x):\n  t = __torch__.a.b\n  return t.g(x)\n"));
  CHECK_FALSE(names("def f(x):\n  t = __torch__.a.b.g\n  return t(x)\n"));
  CHECK_FALSE(names("import __torch__.a.b\nclass a(Module):\n  x : __torch__.a\n"));
}
