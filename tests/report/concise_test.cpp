#include "sample.h"

#include <catch2/catch.hpp>

using namespace model_validator;
using test::report_with;
using test::reused;
using test::written;

TEST_CASE("concise is one line per cause") {
  CHECK(written("concise", {report_with({reused("a.relu"), reused("b.relu")})}) ==
        "resnet.py:101:14: warning[GRA001] reused-modules: module `a.relu` (ReLU) is called 2 "
        "times (and 1 more)\n"
        "Found 2 warnings in 1 model (2 fixable); 0 suppressed.\n");
}

TEST_CASE("concise says why a file could not be read") {
  Style quiet;
  quiet.quiet = true;
  CHECK(written("concise", {test::unreadable()}, quiet) ==
        "weights.pt: error: a Git LFS pointer, not the file itself (run `git lfs pull`)\n");
}

TEST_CASE("among several models, concise names the model") {
  Style style;
  style.many_models = true;
  style.quiet = true;
  const std::string text = written("concise", {report_with({reused("relu")})}, style);
  CHECK_THAT(text, Catch::EndsWith("[resnet18.pt]\n"));
}
