#include <model_validator/error.h>
#include <model_validator/verify/inputs.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using namespace model_validator::verify;

TEST_CASE("an input is described by name, shape, dtype and range") {
  const auto spec = parse_input_spec("img=1x3x224x224:float16:0..255");
  CHECK(spec.name == "img");
  CHECK(spec.shape == Shape{1, 3, 224, 224});
  CHECK(spec.dtype == DType::float16);
  REQUIRE(spec.range);
  CHECK(spec.range->low == 0);
  CHECK(spec.range->high == 255);
}

TEST_CASE("name, dtype and range may be left out") {
  const auto spec = parse_input_spec("2x5");
  CHECK(spec.name.empty());
  CHECK(spec.shape == Shape{2, 5});
  CHECK_FALSE(spec.dtype);
  CHECK_FALSE(spec.range);
  CHECK(parse_input_spec("x=scalar:int64").shape.empty());
  CHECK(parse_input_spec("n=3").literal == "3");
  CHECK(parse_input_spec("mode=fast").literal == "fast");
}

TEST_CASE("a text that is not an input is refused with the reason") {
  const char* bad[] = {"",
                       "=1x2",
                       "x=1x2:float33",
                       "x=1x2:float32:5..1",
                       "1xa",
                       "x=1x2:int64:a..b",
                       "x=1:int64:0..1:2",
                       "x=",
                       "x=99999999999999x2",
                       "x=1000000x1000000"};
  for (const auto* text : bad) {
    CAPTURE(text);
    try {
      parse_input_spec(text);
      FAIL("it was accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::bad_input_spec);
      CHECK_THAT(error.what(), Catch::Contains(text));
    }
  }
}

TEST_CASE("a dtype as other programs call it is told by its name here") {
  for (const auto& [written, meant] :
       {std::pair("fp32", "float32"), std::pair("f16", "float16"), std::pair("bf16", "bfloat16"),
        std::pair("half", "float16"), std::pair("i64", "int64"), std::pair("u8", "uint8"),
        std::pair("torch.float32", "float32"), std::pair("long", "int64")})
    try {
      parse_input_spec(std::string("x=1x2:") + written);
      FAIL("it was accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::bad_input_spec);
      CHECK(error.hint() == std::string("did you mean `") + meant + "`?");
    }
}

TEST_CASE("a shape as other programs write it is told as it is written here") {
  for (const char* written : {"1,3,8,8", "[1, 3, 8, 8]", "(1,3,8,8)", "1*3*8*8", "1X3X8X8"}) try {
      parse_input_spec(written);
      FAIL("it was accepted");
    } catch (const Error& error) {
      CHECK(error.hint() == "did you mean `1x3x8x8`?");
    }
}
