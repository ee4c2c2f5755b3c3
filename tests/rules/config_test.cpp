#include "rules/config.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a pattern without a slash fits names in any folder") {
  CHECK(pattern_fits("*.onnx", "/work/a/b.onnx", "/work"));
  CHECK_FALSE(pattern_fits("*.onnx", "/work/a/b.pt", "/work"));
}

TEST_CASE("a pattern with a slash fits paths from the folder") {
  CHECK(pattern_fits("legacy/*.pt", "/work/legacy/a.pt", "/work"));
  CHECK(pattern_fits("legacy/*.pt", "/work/legacy/deep/a.pt", "/work"));
  CHECK_FALSE(pattern_fits("legacy/*.pt", "/work/new/legacy.pt", "/work"));
}
