#include "requests/call_options.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("options are read by name and type") {
  CallOptions options(
      R"({"a": true, "b": 3, "c": 1.5, "d": "x", "e": ["x", "y"], "f": {"g": 1}, "n": null})");
  CHECK(options.flag("a") == true);
  CHECK(options.integer("b") == 3);
  CHECK(options.number("b") == 3.0);
  CHECK(options.number("c") == 1.5);
  CHECK(options.text("d") == "x");
  CHECK(options.texts("d") == std::vector<std::string>{"x"});
  CHECK(options.texts("e") == std::vector<std::string>{"x", "y"});
  CHECK(options.structure("f")["g"] == 1);
  CHECK_FALSE(options.text("n"));
  CHECK_FALSE(options.flag("absent"));
  CHECK(options.structure("absent").is_null());
  CHECK_NOTHROW(options.require_all_known());
}

TEST_CASE("no options are not an error") {
  CallOptions options("");
  CHECK_FALSE(options.text("a"));
  CHECK_NOTHROW(options.require_all_known());
}

TEST_CASE("a value that is not an object, or of another type, is an error") {
  CHECK_THROWS_AS(CallOptions("[]"), Error);
  CHECK_THROWS_AS(CallOptions("{"), Error);
  CallOptions options(R"({"a": 1, "b": [1], "c": 1.5})");
  CHECK_THROWS_AS(options.flag("a"), Error);
  CHECK_THROWS_AS(options.text("a"), Error);
  CHECK_THROWS_AS(options.texts("b"), Error);
  CHECK_THROWS_AS(options.integer("c"), Error);
  CHECK_THROWS_AS(options.structure("a"), Error);
}

TEST_CASE("a misspelt option is reported with the intended one") {
  CallOptions options(R"({"targt": "onnx"})");
  options.texts("target");
  options.texts("select");
  try {
    options.require_all_known();
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_options);
    CHECK(error.hint() == "did you mean `target`?");
  }
}
