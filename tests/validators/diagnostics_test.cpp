#include <model_validator/validator.h>

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

constexpr RuleInfo rule = {"a-rule", "XXX001", "a rule", Severity::error, true};

Diagnostic finding() {
  Diagnostic diagnostic = Diagnostics(rule).start("something is wrong");
  diagnostic.module = "layer1.0.relu";
  diagnostic.op = OpReference{"relu_7", "relu"};
  diagnostic.method = "forward";
  return diagnostic;
}

} // namespace

TEST_CASE("a diagnostic starts with its rule's properties") {
  const Diagnostic diagnostic = finding();
  CHECK(diagnostic.rule == "a-rule");
  CHECK(diagnostic.code == "XXX001");
  CHECK(diagnostic.severity == Severity::error);
  CHECK(diagnostic.message == "something is wrong");
}

TEST_CASE("an added diagnostic has a fingerprint of 16 hexadecimal digits") {
  Diagnostics diagnostics(rule);
  diagnostics.add(finding());
  const std::string& fingerprint = diagnostics.findings().front().fingerprint;
  CHECK(fingerprint.size() == 16);
  CHECK(fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos);
}

TEST_CASE("a fingerprint that the check gave is kept") {
  Diagnostics diagnostics(rule);
  Diagnostic own = finding();
  own.fingerprint = "00000000deadbeef";
  diagnostics.add(own);
  CHECK(diagnostics.findings().front().fingerprint == "00000000deadbeef");
}

TEST_CASE("a fingerprint does not change with lines, names of values or wording") {
  Diagnostic moved = finding();
  moved.op->name = "relu_9";
  moved.message = "worded otherwise";
  moved.locations.push_back({{"net.py", 12, 4, 0}, "", "call", ""});
  CHECK(fingerprint_of(moved) == fingerprint_of(finding()));
}

TEST_CASE("a fingerprint changes with rule, module path, op type and method") {
  const std::string same = fingerprint_of(finding());
  Diagnostic other = finding();
  other.rule = "b-rule";
  CHECK(fingerprint_of(other) != same);
  other = finding();
  other.module = "layer1.1.relu";
  CHECK(fingerprint_of(other) != same);
  other = finding();
  other.op->type = "gelu";
  CHECK(fingerprint_of(other) != same);
  other = finding();
  other.method = "encode";
  CHECK(fingerprint_of(other) != same);
}

TEST_CASE("a fingerprint is the same on every machine and in every version") {
  CHECK(fingerprint_of(finding()) == "f2f102a52d59576a");
}

TEST_CASE("the options of a rule that has none are empty") {
  Context context;
  context.options["a-rule"]["limit"] = std::int64_t{3};
  CHECK(context.options_of("a-rule").size() == 1);
  CHECK(context.options_of("b-rule").empty());
}
