#include "connected_graph/torchscript/file/tuple_growth.h"

#include <catch2/catch.hpp>

#include <string>

using model_validator::torchscript::elements_of_tuples;

namespace {

std::uint64_t elements(const std::string& body) {
  return elements_of_tuples("def f(self, x: Tensor) -> Tensor:\n" + body);
}

/// `line` once for each of forty tuples, `T` the next and `S` the one before.
std::uint64_t forty_times(std::string line) {
  std::string body = "  t0 = (x, x)\n";
  for (int i = 1; i <= 40; ++i)
    for (const char c : line + "\n") {
      if (c == 'T')
        body += "t" + std::to_string(i);
      else if (c == 'S')
        body += "t" + std::to_string(i - 1);
      else
        body += c;
    }
  return elements(body);
}

} // namespace

TEST_CASE("tuples of tuples grow") {
  constexpr std::uint64_t many = 1'000'000'000;
  for (const char* line :
       {"  T = (S, S)", "  T = (S, (x, S))", "  T = S, S", "  a = S\n  T = (a, a)",
        "  T = annotate(Any, (S, S))", "  l = [S]\n  T = (l[0], l[0])",
        "  a, b = (S, S)\n  T = (a, b)", "  T = (S,\n    S)", "  T = (S, \"(\", S)",
        "  T, a = (S, S), x", "  T, a, = (S, S), x", "  (T) = (S, S)", "  (T, a) = ((S, S), x)",
        "  T = a = (S, S)", "  a, T = b = (S, S), (S, S)", "  T, = (S, S),"}) {
    CAPTURE(line);
    CHECK(forty_times(line) > many);
  }
}

TEST_CASE("ordinary code does not") {
  for (const char* line :
       {"  T = torch.add(S, S)", "  T = (self.lstm).forward(x, (S, S))", "  T = [S, S]",
        "  a, T = (self).step(S, (S, S))", "  T = __torch__.f((S, S), (S, S))", "  T = (S)",
        "  if torch.eq(S, S):\n    T = S\n  else:\n    T = x", "  T, a = S, S",
        "  T, a, = S, (x, x)", "  a, b, T = S, S, S\n  T, a, b = a, b, T"}) {
    CAPTURE(line);
    CHECK(forty_times(line) < 1000);
  }
}

TEST_CASE("each function starts afresh") {
  std::string code;
  for (int i = 0; i < 100; ++i) code += "def f(t: Tensor) -> Tensor:\n  t = (t, t)\n  return t\n";
  CHECK(elements_of_tuples(code) == 200);
}
