#include "report/code_frame.h"

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

DiagnosticLocation at(int column, int length, std::string code) {
  return {{"net.py", 3, column, length}, "", "", std::move(code)};
}

} // namespace

TEST_CASE("carets are under the span, in columns of the terminal") {
  CHECK(code_frame(at(4, 3, "y = abc"), 0).carets == "    ^^^");
  CHECK(code_frame(at(1, 1, "\tx"), 0).carets == "    ^");
  CHECK(code_frame(at(5, 1, "文字 = x"), 0).carets == "       ^");
}

TEST_CASE("without a column all of the code is marked") {
  CHECK(code_frame(at(0, 0, "    return x"), 0).carets == "    ^^^^^^^^");
}

TEST_CASE("a span beyond the line does not leave it") {
  CHECK(code_frame(at(4, 99, "y = abc"), 0).carets == "    ^^^");
  CHECK(code_frame(at(99, 1, "y = abc"), 0).carets == "^^^^^^^");
}

TEST_CASE("a long line is cut around the span") {
  const std::string code = std::string(100, 'a') + "SPAN" + std::string(100, 'b');
  const CodeFrame frame = code_frame(at(100, 4, code), 40);
  CHECK(frame.code.find("SPAN") != std::string::npos);
  CHECK(frame.carets.find('^') == 6);
  CHECK(frame.code.substr(0, 3) == "…");
}

TEST_CASE("a line that is not known gives no frame") {
  CHECK(code_frame(at(0, 0, ""), 0).code.empty());
  CHECK(code_frame(at(0, 0, "   "), 0).code.empty());
  CHECK(code_frame(at(0, 0, "x  \n"), 0).code == "x");
}
