#include "connected_graph/torchscript/file/errors.h"

#include <c10/util/Exception.h>
#include <catch2/catch.hpp>

#include <new>
#include <stdexcept>
#include <string>

using model_validator::Error;
using model_validator::ErrorKind;
using model_validator::torchscript::as_error;
using model_validator::torchscript::translating_errors;

namespace {

std::string cause(const std::string& message) {
  return as_error(std::runtime_error(message), "net.pt").what();
}

} // namespace

TEST_CASE("LibTorch's errors lose places in its own source") {
  CHECK(cause("/__w/aten/RegisterCPU_3.cpp:4890: SymIntArrayRef expected concrete integers") ==
        "LibTorch cannot read it: symIntArrayRef expected concrete integers");
}

TEST_CASE("LibTorch's errors lose their C++ frames") {
  try {
    TORCH_CHECK(false, "The tensor is odd. Try another.\nMore lines");
  } catch (const std::exception& thrown) {
    const Error error = as_error(thrown, "net.pt");
    CHECK(error.what() == std::string("LibTorch cannot read it: the tensor is odd"));
    CHECK(error.kind() == ErrorKind::unreadable_torchscript);
    CHECK(error.path() == "net.pt");
  }
}

TEST_CASE("only the first sentence is kept, in lower case and printable") {
  CHECK(cause("\nExpected a thing but got another:\n  File x") ==
        "LibTorch cannot read it: expected a thing but got another");
  CHECK(cause("a\x1b[31mb") == "LibTorch cannot read it: a [31mb");
  CHECK(cause(std::string(10'000, 'x')).size() < 300);
  CHECK(cause("") == "LibTorch cannot read it");
}

TEST_CASE("unknown operators and classes are named") {
  CHECK(as_error(std::runtime_error("\nUnknown builtin op: a::b.\nCould not find"), "").kind() ==
        ErrorKind::unknown_operator);
  CHECK(cause("\nUnknown builtin op: a::b.\nCould not find").find("`a::b`") != std::string::npos);
  CHECK(
      as_error(std::runtime_error("Unknown type name '__torch__.torch.classes.a.B':"), "").kind() ==
      ErrorKind::unknown_class);
  CHECK(cause("Unknown type name '__torch__.torch.classes.a.B':").find("`a.B`") !=
        std::string::npos);
}

TEST_CASE("what optimize_for_mobile makes is not a missing library") {
  const auto error = as_error(
      std::runtime_error("Unknown type name '__torch__.torch.classes.xnnpack.Conv2dOpContext':"),
      "net.ptl");
  CHECK(error.kind() == ErrorKind::unknown_class);
  CHECK(error.hint().find("optimize_for_mobile") != std::string::npos);
}

TEST_CASE("exhausted memory is distinguished from a bad file") {
  CHECK(as_error(std::bad_alloc(), "net.pt").kind() == ErrorKind::out_of_memory);
}

TEST_CASE("the result of optimize_for_inference is distinguished from damage") {
  const auto error =
      as_error(std::runtime_error("required keyword attribute 'value' is undefined"), "net.pt");
  CHECK(std::string(error.hint()).find("optimize_for_inference") != std::string::npos);
}

TEST_CASE("our own errors pass unchanged") {
  try {
    translating_errors("net.pt",
                       []() -> int { throw Error(ErrorKind::no_ops, "a.pt", "cause", "hint"); });
    FAIL("nothing was thrown");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::no_ops);
  }
}
