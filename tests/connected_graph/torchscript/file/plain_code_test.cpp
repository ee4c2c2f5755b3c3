#include "connected_graph/torchscript/file/plain_code.h"

#include <catch2/catch.hpp>

#include <string>

using model_validator::torchscript::evaluates_plain_literals_only;

namespace {

bool plain_default(const std::string& value) {
  return evaluates_plain_literals_only("def f(x: Tensor,\n    n: int=" + value +
                                       ",\n    m: int=1) -> int:\n  return n\n");
}

bool plain_constant(const std::string& value) {
  return evaluates_plain_literals_only("class M(Module):\n  k : Final[int] = " + value +
                                       "\n  def f(self) -> int:\n    return 1\n");
}

bool plain_body(const std::string& line) {
  return evaluates_plain_literals_only("def f(x: Tensor) -> int:\n  " + line +
                                       "\n  return 1\ndef g() -> int:\n  return 2\n");
}

} // namespace

TEST_CASE("plain literals are known for what they are") {
  for (const char* value : {"1",         "-1",
                            "1.5",       ".5",
                            "1e-05",     "1.0000000000000001e-05",
                            "2.",        "True",
                            "None",      "inf",
                            "-inf",      "nan",
                            R"("a")",    R"("a\"=(")",
                            "[]",        "()",
                            "(1,)",      "(1, 2)",
                            "[1, -2]",   R"(((1, 2), "x"))",
                            "[[1], []]", "[\n    1, 2]"}) {
    CAPTURE(value);
    CHECK(plain_default(value));
    CHECK(plain_constant(value));
  }
}

TEST_CASE("anything else may be no literal") {
  for (const char* value : {"f()",
                            "f",
                            "torch.size(x, 0)",
                            "(f(), 1)[1]",
                            "[f()]",
                            "1 + 1",
                            "1.+2.j",
                            "-f()",
                            "-True",
                            "1 if f() else 2",
                            "[1][0]",
                            "(1)(2)",
                            "[1 2]",
                            "1e",
                            "1.real",
                            "(1",
                            "1)",
                            "1]",
                            R"("a" "b")",
                            R"("a".upper())",
                            R"("a)",
                            R"("""a""")",
                            "'a'",
                            "{}",
                            "[1,, 2]",
                            "(,)",
                            "",
                            "CONSTANTS.c0",
                            "annotate(int, f())",
                            "1 # n",
                            "1\\\n",
                            "\xC3\xA4",
                            "1\t",
                            "1 = f()"}) {
    CAPTURE(value);
    CHECK_FALSE(plain_default(value));
    CHECK_FALSE(plain_constant(value));
  }
}

TEST_CASE("the body of a function is not evaluated") {
  CHECK(plain_body("y = torch.size(x, 0)"));
  CHECK(plain_body("y = [f(a=1),\n  2]"));
  CHECK(plain_body("if True:\n    y = f()\n  z = f()"));
}

TEST_CASE("functions in functions have defaults as well") {
  CHECK(plain_body("def g(n: int=1) -> int:\n    return f()\n  y = f()"));
  CHECK_FALSE(plain_body("def g(n: int=f()) -> int:\n    return 1\n  y = 1"));
  CHECK_FALSE(plain_body("if True: def g(n: int=f()) -> int:\n    return 1"));
}

TEST_CASE("a class declares its attributes in other ways, too") {
  CHECK(evaluates_plain_literals_only("op_version_set = 1\n"
                                      "import __torch__.a.b\n"
                                      "class M(Module):\n"
                                      "  __parameters__ = [\"w\", \"b\", ]\n"
                                      "  __annotations__ = []\n"
                                      "  __annotations__[\"0\"] = __torch__.torch.nn.Linear\n"
                                      "  training : bool\n"
                                      "\n"
                                      "  def f(self: __torch__.M) -> bool:\n"
                                      "    return torch.eq(self.a, 1)\n"
                                      "class P(NamedTuple):\n"
                                      "  a : int\n"
                                      "  b : float = 2.5\n"));
}

TEST_CASE("layout that no exporter writes is not made sense of") {
  const std::string call = "def f() -> int:\n  return 1\n";
  for (const char* code :
       {"def f(x: int\n  =g()) -> int:\n  return 1\n", "def f(x: int=1) -> int: y = g()\n",
        "class M:\n x : Final[int] \\\n = g()\n", "def f(x: List[int=1]) -> int:\n  return 1\n",
        "def f() -> int:\n  return 1\n  )\nx = 1\n", "def f() -> int:\n  (\n",
        "def f() -> int:\n\tx = g()\n", "def f() -> int:\n  x = 'a\n", "class M: x = g()\n",
        "def f() -> int:\n  return 1\n y = g()\nx = g()\n", "def f\n(x=g()): pass\n",
        "def f() -> int:\n  # def g(x: int=f())\n  return 1\n"}) {
    CAPTURE(code);
    CHECK_FALSE(evaluates_plain_literals_only(code));
  }
  CHECK(evaluates_plain_literals_only(call));
  CHECK(evaluates_plain_literals_only(""));
}
