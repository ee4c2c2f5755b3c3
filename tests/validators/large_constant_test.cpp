#include "support/run_check.h"
#include "validators/checks.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::SampleGraph;
using Paths = std::vector<std::string>;

namespace {

constexpr test::Checker check{checks::large_constant};

SampleGraph constant_of(std::vector<std::int64_t> shape, const std::string& dtype) {
  SampleGraph builder;
  const OpId constant = builder.op("constant_0", OpKind::constant);
  builder.graph.op(constant).outputs = {{std::move(shape), dtype}};
  return builder;
}

} // namespace

TEST_CASE("a constant beyond the limit is found") {
  const auto found = check(constant_of({1024, 1024}, "float32"));
  REQUIRE(found.findings().size() == 1);
  CHECK(found.findings()[0].message == "a constant of 4194304 bytes is part of the graph");
  CHECK(found.findings()[0].notes == Paths{"its shape is (1024, 1024)"});
}

TEST_CASE("the limit is an option") {
  CHECK(check(constant_of({16, 16}, "float32")).findings().empty());
  CHECK(
      check(constant_of({16, 16}, "float32"), {{"bytes", std::int64_t{1000}}}).findings().size() ==
      1);
  CHECK(check(constant_of({16, 16}, "bool"), {{"bytes", std::int64_t{1000}}}).findings().empty());
}

TEST_CASE("an element takes what its dtype takes") {
  const auto message = [](const std::string& dtype) {
    return check(constant_of({1000, 1000}, dtype), {{"bytes", std::int64_t{1000}}})
        .findings()
        .at(0)
        .message;
  };
  CHECK(message("uint64") == "a constant of 8000000 bytes is part of the graph");
  CHECK(message("uint16") == "a constant of 2000000 bytes is part of the graph");
  CHECK(message("float8_e4m3fn") == "a constant of 1000000 bytes is part of the graph");
  CHECK(message("int4") == "a constant of 500000 bytes is part of the graph");
}

TEST_CASE("sizes beyond sense do not overflow") {
  const std::int64_t huge = std::int64_t{1} << 40;
  CHECK(check(constant_of({huge, huge, huge}, "float64")).findings().size() == 1);
  CHECK(check(constant_of({huge, 0}, "float64")).findings().empty());
}

TEST_CASE("the weights of a frozen file are constants by nature") {
  SampleGraph builder = constant_of({1024, 1024}, "float32");
  builder.graph.origin.has_modules = false;
  CHECK(check(builder).findings().empty());
}
