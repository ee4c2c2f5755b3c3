#include <model_validator/verify/tensor_view.h>

#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("dtypes are read by the names they are written with") {
  for (int i = 0; i <= static_cast<int>(DType::complex128); ++i) {
    const auto dtype = static_cast<DType>(i);
    CHECK(parse_dtype(to_string(dtype)) == dtype);
  }
  CHECK_FALSE(parse_dtype("float33").has_value());
}

TEST_CASE("a contiguous view counts its elements") {
  const TensorView view = contiguous_view(nullptr, DType::int8, {2, 3, 4});
  CHECK(view.strides == std::vector<std::int64_t>{12, 4, 1});
  CHECK(element_count(view) == 24);
  CHECK(element_count(contiguous_view(nullptr, DType::int8, {})) == 1);
  CHECK(element_count(contiguous_view(nullptr, DType::int8, {0, 5})) == 0);
}

TEST_CASE("a made tensor owns a copy") {
  Tensor tensor;
  {
    const float values[] = {1, 2};
    tensor = make_tensor(DType::float32, {2}, values);
  }
  CHECK(static_cast<const float*>(tensor.view.data)[1] == 2);
}
