#include "connected_graph/torchscript/file/evaluated_code.h"
#include "support/thrown.h"

#include <catch2/catch.hpp>

#include <string>

using namespace model_validator;
using namespace model_validator::test;
using model_validator::torchscript::CodeTexts;
using model_validator::torchscript::require_literals;

namespace {

const std::string record = "code/__torch__.py";

std::string with_default(const std::string& value) {
  return "class M(Module):\n"
         "  __parameters__ = []\n"
         "  def forward(self: __torch__.M,\n"
         "    x: Tensor,\n"
         "    n: int=" +
         value + ") -> Tensor:\n    return x\n";
}

const std::string others = "class Point(NamedTuple):\n"
                           "  x : int\n"
                           "class Color(Enum):\n"
                           "  RED = 1\n"
                           "class Plain:\n"
                           "  def __init__(self: __torch__.Plain) -> NoneType:\n"
                           "    print(\"run\")\n"
                           "def p() -> int:\n"
                           "  return 3\n";

std::string refused(const CodeTexts& texts) {
  const auto error = thrown_by([&] { require_literals(texts, "net.pt"); });
  if (!error) return {};
  CHECK(error->kind() == ErrorKind::unsafe_op);
  CHECK(error->path() == "net.pt");
  CHECK(well_worded(*error));
  return error->what();
}

bool takes(const std::string& code) { return refused({{record, code}}).empty(); }

} // namespace

TEST_CASE("what exporters write for a default or a constant is a literal") {
  for (const char* value : {"3",
                            "-9223372036854775808",
                            "-0.",
                            "inf",
                            "-inf",
                            "nan",
                            "1.+2.j",
                            "-1.-2.j",
                            "1j",
                            R"("a\n\"\'\\ b")",
                            "CONSTANTS.c0",
                            "torch.device(\"cuda:0\")",
                            "__torch__.Color.RED",
                            "__torch__.Point(1)",
                            "annotate(List[int], [])",
                            "annotate(Dict[str, int], {})",
                            R"({"a": [1], "b": []})",
                            "()",
                            R"(((1, 2), "x"))",
                            "float(\"inf\")",
                            "[1j]",
                            "'a'",
                            R"("a" "b")"}) {
    CAPTURE(value);
    CHECK(takes(with_default(value) + others));
    CHECK(takes("class M(Module):\n  k : Final[int] = " + std::string(value) + "\n" + others));
  }
}

TEST_CASE("code that LibTorch would run is refused everywhere") {
  for (const char* value : {"__torch__.p()",
                            "torch.add(1, 2)",
                            "(torch.save(\"x\", \"f\"), 3)[1]",
                            "[__torch__.p()][0]",
                            "annotate(int, __torch__.p())",
                            "-__torch__.p()",
                            "1 + __torch__.p()",
                            "1 + 1 + 1",
                            "{1: __torch__.p()}[1]",
                            "{__torch__.p(): 1}",
                            "[__torch__.p() for i in [1]][0]",
                            "1 if bool(__torch__.p()) else 2",
                            "__torch__.Plain()",
                            "__torch__.Point(__torch__.p())",
                            "__torch__.Point(x=1)",
                            "torch.device(__torch__.p())",
                            "ops.a.b()",
                            "inf()",
                            "x",
                            "__torch__.Plain.RED",
                            "__torch__.Color.RED.value",
                            "torch.pi",
                            "not True",
                            "1 < 2",
                            "__torch__.unknown(1)",
                            "__torch__.unknown.RED",
                            "...",
                            "\"a\"[0]",
                            "int(\"1\")"}) {
    CAPTURE(value);
    CHECK_FALSE(takes(with_default(value) + others));
    CHECK_FALSE(
        takes("class M(Module):\n  k : Final[int] = " + std::string(value) + "\n" + others));
    CHECK_FALSE(takes("class T(NamedTuple):\n  k : int = " + std::string(value) + "\n" + others));
    CHECK_FALSE(takes("class I(Interface):\n  def go(self, n: int=" + std::string(value) +
                      ") -> int:\n    pass\n" + others));
    CHECK_FALSE(takes("def f(n: int=" + std::string(value) + ") -> int:\n  return n\n" + others));
    CHECK_FALSE(takes("def f() -> int:\n  if True:\n    def g(n: int=" + std::string(value) +
                      ") -> int:\n      return n\n  return 1\n" + others));
  }
}

TEST_CASE("the refusal names the place") {
  CHECK(refused({{record, with_default("__torch__.p()") + others}}) ==
        "the default of `n` in `__torch__.M` (code/__torch__.py, line 5) is not a literal: "
        "LibTorch would run it to read the file");
  CHECK(refused({{"code/__torch__/a/b.py", "class M:\n  k : Final[int] = torch.neg(1)\n"}}) ==
        "a constant of `__torch__.a.b.M` (code/__torch__/a/b.py, line 2) is not a literal: "
        "LibTorch would run it to read the file");
}

TEST_CASE("layout hides nothing") {
  const std::string tail = ") -> int:\n  return 1\n" + others;
  for (const char* head :
       {"def f(n: int\n  = # why\n  __torch__.p(", "def f(n: int \\\n = __torch__.p(",
        "def f(n: int\f=\v__torch__.p(", "def f(s: str=\"\"\"a\"b\"\"\", n: int=__torch__.p(",
        "def f(s: str='\"', n: int=__torch__.p(", "def f(n: int=__torch__ . p (",
        "def f(s: str=\"\xC3\xA4\", n: int=__torch__.p("}) {
    CAPTURE(head);
    CHECK_FALSE(takes(head + (")" + tail)));
  }
}

TEST_CASE("a name means what LibTorch looks up first") {
  const std::string use = "def f(n: int=__torch__.a.Point(1)) -> int:\n  return n\n";
  const std::string point = "class Point(NamedTuple):\n  x : int\n";
  CHECK(refused({{record, use}, {"code/__torch__/a.py", point}}).empty());
  // Of two definitions the last counts.
  CHECK_FALSE(refused({{record, use},
                       {"code/__torch__/a.py", point + "def Point(x: int) -> int:\n  return x\n"}})
                  .empty());
  // A class in place of the namespace: its hook `Point` would be called.
  CHECK_FALSE(refused({{record, use + "class a(Module):\n  training : bool\n"},
                       {"code/__torch__/a.py", point}})
                  .empty());
}

TEST_CASE("types are not evaluated") {
  CHECK(takes("class M(Module):\n  __annotations__ = []\n  __annotations__[\"0\"] = __torch__.p()\n"
              "  k : Final[Tuple[int]] = (CONSTANTS.c0,)\n" +
              others));
}
