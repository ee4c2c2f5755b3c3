#include "report/code_frame.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::TemporaryFolder;

namespace {

DiagnosticLocation at(int column, int length, std::string code) {
  return {{"net.py", 3, column, length}, "", "", std::move(code)};
}

} // namespace

TEST_CASE("carets stand under the span, in columns of the terminal") {
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
}

TEST_CASE("the line comes from the Python file where the model does not carry it") {
  const TemporaryFolder folder;
  DiagnosticLocation location = at(0, 0, "");
  location.source.file = folder.write("net.py", "one\ntwo\nthree  \n").string();
  CHECK(code_line(location) == "three");
  location.source.line = 9;
  CHECK(code_line(location).empty());
}

TEST_CASE("a model cannot have a file shown that is not Python") {
  const TemporaryFolder folder;
  DiagnosticLocation location = at(0, 0, "");
  location.source.file = folder.write("secrets.txt", "one\ntwo\nthree\n").string();
  CHECK(code_line(location).empty());
}
