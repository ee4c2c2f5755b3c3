#include "files/input_file.h"

#include <model_validator/error.h>

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a URL is told from a path") {
  for (const char* url : {"https://models.test/net.onnx", "s3://bucket/net.pt", "hf://a/b"})
    CHECK(is_url(url));
  for (const char* path : {"net.pt", "a:/b", "C:/net.pt", "://x", "models/net.pt", "x:", ""})
    CHECK_FALSE(is_url(path));
}

TEST_CASE("a URL is no typo of a path") {
  try {
    const InputFile file("https://models.test/net.onnx");
    FAIL("it was opened");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::not_found);
    CHECK_THAT(error.what(), Catch::Contains("URL"));
    CHECK_THAT(error.hint(), Catch::Contains("download"));
  }
}
