#include "rules/config.h"

#include <catch2/catch.hpp>

using namespace model_validator;

TEST_CASE("a pattern without a slash fits names in any folder") {
  CHECK(pattern_fits("*.onnx", "/home/a/b.onnx", "/home"));
  CHECK_FALSE(pattern_fits("*.onnx", "/home/a/b.pt", "/home"));
}

TEST_CASE("a pattern with a slash fits paths from the folder") {
  CHECK(pattern_fits("legacy/*.pt", "/home/legacy/a.pt", "/home"));
  CHECK(pattern_fits("legacy/*.pt", "/home/legacy/deep/a.pt", "/home"));
  CHECK_FALSE(pattern_fits("legacy/*.pt", "/home/new/legacy.pt", "/home"));
}
