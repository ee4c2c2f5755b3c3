#include "text/cpp_places.h"

#include <catch2/catch.hpp>

using model_validator::without_cpp_places;

TEST_CASE("places in C++ source, and the signatures after them, are left out") {
  CHECK(without_cpp_places("/__w/aten/src/ATen/RegisterCPU_3.cpp:4890: SymIntArrayRef expected to "
                           "contain only concrete integers") ==
        "SymIntArrayRef expected to contain only concrete integers");
  CHECK(
      without_cpp_places("Div failed. /src/math/ops.cc:12 onnxruntime::Div<T>::Div(const "
                         "onnxruntime::OpKernelInfo&) [with T = long int] Integer division by 0") ==
      "Div failed. Integer division by 0");
  CHECK(without_cpp_places("common.h:31 int64_t ns::axis(int64_t, std::pair<int, int (*)(int)>) "
                           "const axis 4 is out of range") == "axis 4 is out of range");
  CHECK(without_cpp_places("[enforce at bfc.cc:360]") == "[enforce at");
}

TEST_CASE("what else a message says stays, lines of Python included") {
  for (const char* message :
       {"", "the shape (2, 3) of `x` is not (3, 2)", "net.py:12 in forward: bad axis", "see a.cpp",
        "std::vector (too long)", "a.h: no number", "  two  spaces"})
    CHECK(without_cpp_places(message) == message);
}

TEST_CASE("brackets that are never closed cost one look") {
  CHECK(without_cpp_places("a.cc:1 ns::f(" + std::string(100'000, '(')).size() > 100'000);
}
